/**
 * `node scripts/calibrate.mjs --predict`: prints the published points of Handel next to the points of the calibrated
 * model of the deployment, each with its deviation, as in docs/benchmarks/paper-figures.md. `--held-out` prints the
 * points to which no parameter was fitted, and `--causes` the times at 51, 75 and 99 % with terms of the model omitted.
 * `--seeds N` averages over N seeds; default 1. `--quirks` prints as JSON the cost of the reference's deviations with
 * 4,000 nodes; `--bulk` prints the cost of the complete graph in bulk and of Handel with the settings of figures 3 and
 * 4; `--bulk-lost` prints the cost of the graph with losses.
 *
 * Without these flags, the script fits the model's parameters to the published means of time, checks and bytes at N =
 * 100, 500 and 1,000. The fit starts from the reference's table of CPU seconds. The fit tries a step up and down for
 * each parameter within bounds, and then halves the steps. The five other series are held out of the fit. The script
 * prints the deviations of the fitted and the held-out series with the fitted parameters and with the parameters in
 * use, and writes nothing. The script requires a build.
 */
import { parseArgs } from 'node:util';
import { calibratedParameters, calibratedScenario, published, simulateLab } from '@tutti/lab';

/** Parts of the output, by the names of their flags. */
const parts = {
  predict: () => [
    table('All nodes live, threshold 99 %', published.handel),
    table('Failing nodes, threshold 2000 of 4000', published.failing),
  ],
  'held-out': () => [
    table('All nodes live, threshold 51 %', published.handelTo51),
    table('All nodes live, threshold 75 %', published.handelTo75),
    table('Failing nodes, threshold 1010 of 2000', published.failingOf2000),
  ],
  causes,
  quirks: quirksCost,
  bulk: bulkCost,
  'bulk-lost': bulkLost,
};

const flags = Object.fromEntries(Object.keys(parts).map((name) => [name, { type: 'boolean' }]));
const { values: given } = parseArgs({ options: { ...flags, seeds: { type: 'string', default: '1' } } });
const seeds = Number(given.seeds);
if (!Number.isInteger(seeds) || seeds < 1)
  throw new RangeError(`--seeds: expected an integer from 1, got ${given.seeds}`);

const measures = [
  ['time, ms', 'timeMs', 'timeMs'],
  ['checks', 'checked', 'signaturesChecked'],
  ['bytes', 'bytesSent', 'sentBytes'],
];

/**
 * Returns the results of the calibrated model at the published points: minimum, mean and maximum over the nodes that
 * reach the threshold, averaged over the seeds, and the number of nodes that do not reach the threshold.
 */
function measure(row, parameters) {
  const { nodes, failing, threshold, periodMs } = row;
  const sums = measures.map(() => [0, 0, 0]);
  let stuck = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const change = { dead: failing / nodes, threshold, periodMs, seed };
    const { untilThreshold, reached, live } = simulateLab(calibratedScenario(nodes, change, parameters));
    stuck += live - reached;
    for (const [index, [, ours]] of measures.entries()) {
      const { min, mean, max } = untilThreshold[ours];
      for (const [at, value] of [min, mean, max].entries()) sums[index][at] += value / seeds;
    }
  }
  return { sums, stuck };
}

/**
 * Returns the results of {@link measure} for a setting in which all nodes reach the threshold. @throws Error if a node
 * does not reach it.
 */
function measureAll(row, parameters) {
  const { sums, stuck } = measure(row, parameters);
  if (stuck > 0) throw new Error(`expected all live nodes of ${row.nodes} to reach the threshold, ${stuck} did not`);
  return sums;
}

/** Returns the sum over the rows of the squared logarithms of the ratio of model means to published means. */
function miss(rows, parameters) {
  let sum = 0;
  for (const row of rows) {
    const model = measureAll(row, parameters);
    for (const [index, [, , theirs]] of measures.entries()) sum += Math.log(model[index][1] / row[theirs][1]) ** 2;
  }
  return sum;
}

/**
 * Bounds of each parameter: machines are at most 2.5 times slower than the fast core; a message costs between a tenth
 * of the value in the CPU table and twice that value; a second start is delayed by at most twice the time of a
 * notification.
 */
const bounds = {
  machineFactor: [1, 2.5],
  perMessageUs: [30, 620],
  startsApartMs: [0, 200],
  startsApartPerDoublingMs: [0, 50],
};

/** Initial values from the CPU table, with all nodes starting at once. */
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
 * Returns a text with the deviations of the rows' means: the root mean square of the logarithms over all measures, and
 * the largest deviation of each measure.
 */
function deviations(rows, parameters) {
  const off = rows.map((row) => {
    const model = measureAll(row, parameters);
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

/**
 * Returns a table that compares the model's results with the published results. A `(!)` marks a mean that deviates by
 * more than 15 % in time, or by more than 25 % in checks or bytes.
 */
function table(title, rows) {
  const lines = [`| ${title} | | model: min / mean / max | published | the mean is off by |`, '|---|---|---|---|---|'];
  for (const row of rows) {
    const { sums: model, stuck } = measure(row, calibratedParameters);
    for (const [index, [name, , theirs]] of measures.entries()) {
      const triple = (values) => values.map((value) => String(Number(value.toPrecision(3)))).join(' / ');
      const off = 100 * (model[index][1] / row[theirs][1] - 1);
      const isWithin = Math.abs(off) <= (index === 0 ? 15 : 25);
      const failing = row.failing > 0 ? `, ${row.failing} failing` : '';
      const never = stuck > 0 ? `, ${stuck} never done` : '';
      const world = `N = ${row.nodes}${failing}${never}`;
      const mark = isWithin ? '' : ' (!)';
      lines.push(
        `| ${world} | ${name} | ${triple(model[index])} | ${triple(row[theirs])} | ${off.toFixed(1)} %${mark} |`,
      );
    }
  }
  return lines.join('\n');
}

/**
 * Returns a table of mean times without failing nodes and of their deviations, for the model and for the model with
 * some terms omitted.
 */
function causes() {
  const together = { ...calibratedParameters, startsApartMs: 0, startsApartPerDoublingMs: 0 };
  const variants = [calibratedParameters, together, { ...together, machineFactor: 0.001, perMessageUs: 0.001 }];
  const shown = (row, variant) => {
    const [[, mean]] = measureAll(row, variant);
    return `${mean.toFixed(0)}, ${(100 * (mean / row.timeMs[1] - 1)).toFixed(0)} %`;
  };
  const lines = [
    '| N, threshold | published, ms | the model | all start at once | and the CPU is free |',
    '|---|---|---|---|---|',
  ];
  for (const nodes of [100, 300, 500, 1000]) {
    for (const rows of [published.handelTo51, published.handelTo75, published.handel]) {
      const row = rows.find((one) => one.nodes === nodes);
      if (row === undefined) continue;
      const cells = variants.map((variant) => shown(row, variant));
      lines.push(`| ${nodes}, ${row.threshold} | ${row.timeMs[1].toFixed(0)} | ${cells.join(' | ')} |`);
    }
  }
  return lines.join('\n');
}

/**
 * Returns the verifications and the time of a node in a run of 4,000 nodes, with and without the deviations of the Go
 * reference.
 */
function quirksCost() {
  const of = (change) => {
    const { checked, timeMs } = simulateLab(calibratedScenario(4000, change)).untilThreshold;
    return { checks: checked.mean, seconds: timeMs.mean / 1000 };
  };
  return JSON.stringify({ all: of({}), none: of({ goReference: { quirks: [] } }) });
}

/**
 * Runs the complete graph in bulk with the settings of figures 3 and 4: each node has its own core, and messages cost
 * nothing.
 */
function bulkGraph(nodes, change) {
  const { cpu } = calibratedScenario(1);
  const world = { cpu: { ...cpu, perMessageUs: 0, nodesPerCore: 0 } };
  const graph = { protocol: 'complete-graph', completeGraph: { verification: 'bulk' } };
  return simulateLab(calibratedScenario(nodes, { ...graph, ...world, ...change })).untilThreshold;
}

/**
 * Returns the mean times of the graph in bulk and of Handel to reach 51 %, and the number of bytes that their nodes
 * send to reach 99 % of 2,000.
 */
function bulkCost() {
  const times = [100, 500, 1000, 2000].map((nodes) => {
    const { threshold } = published.handelTo51.find((row) => row.nodes === nodes);
    const handel = simulateLab(calibratedScenario(nodes, { threshold })).untilThreshold;
    return [`of${nodes}`, { graph: bulkGraph(nodes, { threshold }).timeMs.mean, handel: handel.timeMs.mean }];
  });
  const graph = bulkGraph(2000, {}).bytesSent.mean;
  const handel = simulateLab(calibratedScenario(2000)).untilThreshold.bytesSent.mean;
  return JSON.stringify({ ...Object.fromEntries(times), traffic: { graph, handel } });
}

/** Returns the time and bytes of the graph in bulk with the same share of lost messages as in the published runs. */
function bulkLost() {
  const of = (nodes, share) => {
    const { timeMs, bytesSent } = bulkGraph(nodes, { faults: [{ kind: 'loss', share }] });
    return { seconds: timeMs.mean / 1000, megabytes: bytesSent.mean / 1e6 };
  };
  return JSON.stringify({ of2000: of(2000, 0.5), of4000: of(4000, 0.64) });
}

function printFit() {
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
}

const asked = Object.keys(parts).filter((name) => given[name]);
if (asked.length === 0) printFit();
else console.log(asked.flatMap((name) => parts[name]()).join('\n\n'));
