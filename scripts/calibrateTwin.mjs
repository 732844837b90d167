/**
 * `node scripts/calibrateTwin.mjs`: fits the twin's parameters to the published means of time, checks and bytes at N = 100, 1000 and 4000,
 * by trying each a step up and down and halving the steps, and prints the tables of docs/twin.md: what was fitted, and what the twin
 * predicts at the points that nothing was fitted to. `--predict` leaves the parameters as they are; `--seeds N` averages over so many, 1 by
 * default. Needs a build.
 */
import { published } from '../packages/core/dist/experiments/published.js';
import { simulate, twinParameters, twinScenario } from '../packages/core/dist/index.js';

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

/** What the twin measures where a published row was measured: least, mean and greatest, averaged over the seeds. */
function measure(row, parameters) {
  const { nodes, failing, threshold, periodMs } = row;
  const sums = measures.map(() => [0, 0, 0]);
  for (let seed = 1; seed <= seeds; seed++) {
    const change = { dead: failing / nodes, threshold: threshold / (nodes - failing), periodMs, seed };
    const { untilThreshold, reached, live } = simulate(twinScenario(nodes, change, parameters));
    if (reached < live) throw new Error(`expected all ${live} nodes to reach the threshold, got ${reached}`);
    for (const [index, [, ours]] of measures.entries()) {
      const { min, mean, max } = untilThreshold[ours];
      for (const [at, value] of [min, mean, max].entries()) sums[index][at] += value / seeds;
    }
  }
  return sums;
}

/** Sum of the squared logarithms of twin over published, over the means of the rows. */
function miss(rows, parameters) {
  let sum = 0;
  for (const row of rows) {
    const twin = measure(row, parameters);
    for (const [index, [, , theirs]] of measures.entries()) sum += Math.log(twin[index][1] / row[theirs][1]) ** 2;
  }
  return sum;
}

function calibrate(rows) {
  let best = { ...twinParameters };
  let least = miss(rows, best);
  const steps = { machineFactor: 0.1, perMessageUs: 40, startsMs: 8, startsPerDoublingMs: 4 };
  for (let halving = 0; halving < 2; halving++) {
    for (const [name, step] of Object.entries(steps)) {
      for (const sign of [1, -1]) {
        for (let tried = true; tried; ) {
          const next = { ...best, [name]: best[name] + (sign * step) / 2 ** halving };
          const nextMiss = miss(rows, next);
          tried = nextMiss < least;
          if (tried) {
            best = next;
            least = nextMiss;
            console.error(`${least.toFixed(4)} ${JSON.stringify(best)}`);
          }
        }
      }
    }
  }
  return best;
}

function show(title, rows, parameters) {
  console.log(`\n| ${title} | | twin: min / mean / max | published | the mean is off by |\n|---|---|---|---|---|`);
  for (const row of rows) {
    const twin = measure(row, parameters);
    for (const [index, [name, , theirs]] of measures.entries()) {
      const triple = (values) => values.map((value) => String(Number(value.toPrecision(3)))).join(' / ');
      const off = (100 * (twin[index][1] / row[theirs][1] - 1)).toFixed(1);
      const world = `N = ${row.nodes}${row.failing > 0 ? `, ${row.failing} failing` : ''}`;
      console.log(`| ${world} | ${name} | ${triple(twin[index])} | ${triple(row[theirs])} | ${off} % |`);
    }
  }
}

const fitted = published.handel.filter(({ nodes }) => [100, 1000, 4000].includes(nodes));
const others = published.handel.filter((row) => !fitted.includes(row));
const parameters = isPredicting ? twinParameters : calibrate(fitted);
console.log(JSON.stringify(parameters));
show('Fitted', fitted, parameters);
show('Predicted', others, parameters);
show('Predicted: figure 5', published.failing, parameters);
