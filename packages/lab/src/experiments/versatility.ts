import { defaultScenario, type Fault, type Fit, type Scenario } from '@tutti/simulation';
import { at, type Experiment, type Extent, scenario } from './experiment.ts';
import { type Axis, chartOf, type Sample, type Series, seeds } from './figure.ts';
import { change, threeDigits, timeMs } from './measures.ts';

const timeAxis: Axis = { label: timeMs.label, unit: 'ms', scale: 'linear' };
const nodesAxis: Axis = { label: 'nodes', unit: '', scale: 'log' };

/** Returns a scenario's times by number of nodes. */
function bySize(extent: Extent, name: string, changes: Partial<Scenario>): Series {
  const sizes = at(extent, [16, 64], [64, 256, 1024], [64, 128, 256, 512, 1024, 2048, 4096]);
  const samples = sizes.map((nodes) => ({
    x: nodes,
    scenario: scenario({ nodes, ...changes }),
    seeds: seeds(at(extent, 1, 3, 5)),
  }));
  return { name, measure: timeMs, samples };
}

const periodMs = 20;
const fastMs = 5 * periodMs;
const slowMs = 20 * periodMs;
const latencies = [
  { name: 'all fast', network: `constant:${fastMs}` },
  { name: '20 % slow', network: `mixed:${fastMs},${slowMs},0.2` },
  { name: 'all slow', network: `constant:${slowMs}` },
] as const;

/** Section 4.2.1, with the latencies of the paper's example. */
export const heterogeneousLatencies: Experiment = {
  id: 'latencies',
  title: 'Heterogeneous latencies',
  section: 'v1.03 4.2.1',
  claim:
    'With 20 % slow nodes, a fast node finishes at most one slow latency later than in a network of fast nodes, and a slow node at most two: slow + fast · O(log N), not slow · O(log N). The claim is judged to hold if nodes finish at most two slow latencies later, both on average and at the latest, and earlier than in the largest network of slow nodes.',
  note: `As in the paper, 80 % of the nodes have a latency of 5 periods (${fastMs} ms), and 20 % a latency of 20 periods (${slowMs} ms); levels start two periods apart; verifications take almost no time.`,
  charts: (extent) => [
    {
      title: 'Time until a node has all contributions',
      x: nodesAxis,
      left: timeAxis,
      series: latencies.map(({ name, network }) =>
        bySize(extent, name, { network, threshold: 1, levelStartMs: 2 * periodMs, verifyMs: 0.1 }),
      ),
    },
  ],
  holds(figure) {
    const sizes = figure.series('20 % slow').points.map(({ x }) => x);
    const later = sizes.map((x) => figure.mean('20 % slow', x) - figure.mean('all fast', x));
    const slowest = sizes.map((x) => figure.point('20 % slow', x).y!.max - figure.point('all fast', x).y!.max);
    const slower = sizes.map((x) => figure.mean('all slow', x) - figure.mean('20 % slow', x));
    return {
      holds:
        figure.allReached &&
        Math.max(...later) <= 2 * slowMs &&
        Math.max(...slowest) <= 2 * slowMs &&
        slower.at(-1)! > 0,
      because:
        `compared with networks of fast nodes, the time is at most ${threeDigits(Math.max(...later))} ms longer on average and ${threeDigits(Math.max(...slowest))} ms ` +
        `for the last node, where two slow latencies are ${2 * slowMs} ms; in networks of slow nodes, the time is another ${threeDigits(slower.at(-1)!)} ms longer`,
    };
  },
};

const spreads = [
  { name: 'all alike', spread: 1 },
  { name: 'up to 3 times slower or faster', spread: 3 },
  { name: 'up to 10 times', spread: 10 },
] as const;

export const heterogeneousCpus: Experiment = {
  id: 'cpus',
  title: 'Heterogeneous CPUs',
  section: 'v1.03 4.2.2',
  claim:
    'With very different CPUs, the time still grows with log N, because slow nodes verify fewer contributions and begin with the best ones.',
  charts: (extent) => [
    {
      title: 'Time to 99 % on AWS',
      x: nodesAxis,
      left: timeAxis,
      series: spreads.map(({ name, spread }) => bySize(extent, name, { cpu: { ...defaultScenario.cpu, spread } })),
    },
  ],
  holds(figure) {
    const fits = spreads.map(({ name }) => figure.fit(name, Math.log2));
    const [alike, , wild] = fits as [Fit, Fit, Fit];
    const shown = spreads.map(
      ({ name }, index) => `${name} ${threeDigits(fits[index]!.slope)} ms (R² ${fits[index]!.r2.toFixed(3)})`,
    );
    return {
      holds: figure.allReached && fits.every(({ r2 }) => r2 >= 0.9) && wild.slope <= 3 * alike.slope,
      because: `a doubling of N costs ${shown.join(', ')}`,
    };
  },
};

const lateMs = [0, 50, 100, 200, 400, 800];
const rates = [1, 1.25, 1.5, 2, 3];

export const heterogeneousClocks: Experiment = {
  id: 'clocks',
  title: 'Heterogeneous clocks',
  section: 'v1.03 4.2.3',
  claim: "Nodes that start late catch up quickly, and differences between the nodes' periods have little effect.",
  note: 'In the second chart a quarter of the nodes have clocks that are slow by the factor shown, and another quarter, drawn independently, have clocks that are fast by this factor. These clocks time the starts of levels and the periods.',
  charts: (extent) => [
    chartOf(
      'Late starts: time within which all nodes start, ms',
      { label: 'nodes start within', unit: 'ms', scale: 'linear' },
      {
        name: 'late starts',
        measure: timeMs,
        samples: lateMs.map((desyncMs) => sample(extent, desyncMs, { desyncMs })),
      },
    ),
    chartOf(
      'Drifting clocks',
      { label: 'clocks are slow or fast by a factor of', unit: '', scale: 'linear' },
      {
        name: 'drift',
        measure: timeMs,
        samples: rates.map((rate) => sample(extent, rate, { faults: rate === 1 ? [] : drifts(rate) })),
      },
    ),
  ],
  holds(figure) {
    const last = (ms: number) => figure.point('late starts', ms).y!.max;
    const after = lateMs.map((ms) => last(ms) - ms - last(0));
    const twice = figure.mean('drift', 2);
    const none = figure.mean('drift', 1);
    return {
      holds: figure.allReached && Math.max(...after) <= 0.1 * last(0) && twice <= 1.3 * none,
      because:
        `when nodes start within ${threeDigits(lateMs.at(-1)!)} ms, the last node finishes ${threeDigits(last(lateMs.at(-1)!) - lateMs.at(-1)!)} ms after the last ` +
        `start, compared with ${threeDigits(last(0))} ms when all start at once; with clocks twice as slow or fast, the time is ${change(twice, none, 'longer', 'less')}`,
    };
  },
};

/** Returns clock drifts of two quarters of the nodes, drawn separately. */
function drifts(factor: number): Fault[] {
  return [
    { kind: 'drift', nodes: { share: 0.25 }, rate: 1 / factor },
    { kind: 'drift', nodes: { share: 0.25 }, rate: factor },
  ];
}

function sample(extent: Extent, x: number, changes: Partial<Scenario>): Sample {
  return {
    x,
    scenario: scenario({ nodes: at(extent, 64, 1024, 4096), ...changes }),
    seeds: seeds(at(extent, 1, 3, 5)),
  };
}
