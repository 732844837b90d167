/**
 * `node scripts/calibrate.mjs --predict`: prints the published points of Handel beside what the calibrated model of the
 * deployment computes for them, each with its deviation, and writes them to docs/published-points.md. `--seeds N`
 * averages over so many, 1 by default.
 *
 * Without `--predict` it fits the model's parameters by itself, to the published means of time, checks and bytes at N =
 * 100, 500 and 1000 alone: from what the reference's table of CPU seconds says, within bounds, by trying each a step up
 * and down and halving the steps. The five other series are held out. It prints how far off both halves are with these
 * parameters and with those in use, and writes nothing. Needs a build.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { published } from '../packages/core/dist/experiments/published.js';
import { calibratedParameters, calibratedScenario } from '../packages/core/dist/experiments.js';
import { simulate } from '../packages/core/dist/simulation.js';
import { root } from './run.mjs';
import { wrapMarkdown } from './wrapMarkdown.mjs';

const option = (name, otherwise) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const seeds = option('--seeds', 1);
const isPredicting = process.argv.includes('--predict');

const measures = [
  ['time, ms', 'timeMs', 'timeMs'],
  ['checks', 'checked', 'signaturesChecked'],
  ['bytes', 'bytesSent', 'sentBytes'],
];

/**
 * What the calibrated model measures where a published row was measured: least, mean and greatest, averaged over the
 * seeds.
 */
function measure(row, parameters) {
  const { nodes, failing, threshold, periodMs } = row;
  const sums = measures.map(() => [0, 0, 0]);
  for (let seed = 1; seed <= seeds; seed++) {
    const change = { dead: failing / nodes, threshold, periodMs, seed };
    const { untilThreshold, reached, live } = simulate(calibratedScenario(nodes, change, parameters));
    if (reached < live) throw new Error(`expected all ${live} nodes to reach the threshold, got ${reached}`);
    for (const [index, [, ours]] of measures.entries()) {
      const { min, mean, max } = untilThreshold[ours];
      for (const [at, value] of [min, mean, max].entries()) sums[index][at] += value / seeds;
    }
  }
  return sums;
}

/** Sum of the squared logarithms of model over published, over the means of the rows. */
function miss(rows, parameters) {
  let sum = 0;
  for (const row of rows) {
    const model = measure(row, parameters);
    for (const [index, [, , theirs]] of measures.entries()) sum += Math.log(model[index][1] / row[theirs][1]) ** 2;
  }
  return sum;
}

/**
 * What each parameter may be: machines no faster than the fast core nor 2.5 times slower; a message between a tenth and
 * twice what the CPU table says; a second start at most as late as a process takes to be told, twice.
 */
const bounds = {
  machineFactor: [1, 2.5],
  perMessageUs: [30, 620],
  startsApartMs: [0, 200],
  startsApartPerDoublingMs: [0, 50],
};

/** From the CPU table, with all nodes starting at once. */
const physical = { machineFactor: 1.6, perMessageUs: 310, startsApartMs: 0, startsApartPerDoublingMs: 0 };

function calibrate(rows) {
  const known = new Map();
  const missOf = (parameters) => {
    const key = JSON.stringify(parameters);
    if (!known.has(key)) known.set(key, miss(rows, parameters));
    return known.get(key);
  };
  let best = physical;
  let least = missOf(best);
  const steps = { machineFactor: 0.2, perMessageUs: 80, startsApartMs: 40, startsApartPerDoublingMs: 12 };
  for (let scale = 1; scale >= 1 / 4; ) {
    const before = least;
    for (const [name, step] of Object.entries(steps)) {
      for (const sign of [1, -1]) {
        const [low, high] = bounds[name];
        for (let tried = true; tried; ) {
          const value = Math.min(high, Math.max(low, best[name] + sign * step * scale));
          const next = { ...best, [name]: Number(value.toFixed(3)) };
          tried = next[name] !== best[name] && missOf(next) < least;
          if (tried) {
            best = next;
            least = missOf(next);
            console.error(`${known.size}: ${least.toFixed(4)} ${JSON.stringify(best)}`);
          }
        }
      }
    }
    if (least === before) scale /= 2;
  }
  return best;
}

/**
 * How far off the means of rows are: the greatest deviation of each measure, and the square root of the mean of the
 * squared logarithms.
 */
function deviations(rows, parameters) {
  const off = rows.map((row) => {
    const model = measure(row, parameters);
    return measures.map(([, , theirs], index) => model[index][1] / row[theirs][1]);
  });
  const greatest = measures.map(([name], index) => {
    const worst = off.map((one) => one[index]).toSorted((a, b) => Math.abs(Math.log(b)) - Math.abs(Math.log(a)))[0];
    return `${name.split(',')[0]} ${(100 * (worst - 1)).toFixed(0)} %`;
  });
  const logs = off.flat().map((ratio) => Math.log(ratio) ** 2);
  const typical = Math.sqrt(logs.reduce((sum, one) => sum + one, 0) / logs.length);
  return `${(100 * (Math.exp(typical) - 1)).toFixed(1)} % typically; at most ${greatest.join(', ')}`;
}

/** The rows of a table, and how many of its means are within 15 % in time and 25 % in checks and bytes. */
function table(title, rows, parameters) {
  const lines = [`| ${title} | | model: min / mean / max | published | the mean is off by |`, '|---|---|---|---|---|'];
  for (const row of rows) {
    const model = measure(row, parameters);
    for (const [index, [name, , theirs]] of measures.entries()) {
      const triple = (values) => values.map((value) => String(Number(value.toPrecision(3)))).join(' / ');
      const off = 100 * (model[index][1] / row[theirs][1] - 1);
      const isWithin = Math.abs(off) <= (index === 0 ? 15 : 25);
      const world = `N = ${row.nodes}${row.failing > 0 ? `, ${row.failing} failing` : ''}`;
      const mark = isWithin ? '' : ' (!)';
      lines.push(
        `| ${world} | ${name} | ${triple(model[index])} | ${triple(row[theirs])} | ${off.toFixed(1)} %${mark} |`,
      );
    }
  }
  return lines.join('\n');
}

if (!isPredicting) {
  const isFitted = ({ nodes }) => nodes <= 1000;
  const trained = published.handel.filter(isFitted);
  const heldOut = [...published.handel.filter((row) => !isFitted(row)), ...published.failing];
  const fitted = calibrate(trained);
  console.log(
    '| parameters | fitted to: N = 100, 500, 1000 | held out: 2000, 4000, and 4000 with 40, 1000 and 1960 failing |\n|---|---|---|',
  );
  for (const [name, parameters] of [
    ['by the search', fitted],
    ['by hand, in use', calibratedParameters],
  ]) {
    const values = Object.values(parameters).join(', ');
    console.log(`| ${name}: ${values} | ${deviations(trained, parameters)} | ${deviations(heldOut, parameters)} |`);
  }
  process.exit();
}

const parameters = calibratedParameters;
const text = `# Published and computed points

*Handel v1.03, figures 3 to 6. Source: [\`experiments/calibratedModel.ts\`](../packages/core/src/experiments/calibratedModel.ts); what is fitted and what not:
[the calibrated model of the deployment](calibrated-model.md).*

Written by \`node scripts/calibrate.mjs --predict${seeds === 1 ? '' : ` --seeds ${seeds}`}\`. A mean that is off by more than 15 % in time or 25 % in checks and bytes has (!). A published mean covers
only the nodes that reported: 57 % of them at 4000.

${table('All nodes live, threshold 99 %', published.handel, parameters)}

${table('Failing nodes, threshold 2000 of 4000', published.failing, parameters)}
`;
console.log(`${JSON.stringify(parameters)}\n\n${text}`);
writeFileSync(join(root, 'docs/published-points.md'), wrapMarkdown(text));
