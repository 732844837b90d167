import { loadFactor } from '@tutti/simulation/engine';
import { at, type Experiment, type Extent, scenario } from './experiment.ts';
import { type Axis, type Chart, chartOf, type Sample, seeds } from './figure.ts';
import { checked, messagesReceived, messagesSent, threeDigits, timeMs } from './measures.ts';

const log2Squared = (nodes: number): number => Math.log2(nodes) ** 2;

const nodesAxis: Axis = { label: 'nodes', unit: '', scale: 'log' };

/** Growth of each quantity, according to section 4.1. */
const growths = [
  { name: 'time', measure: timeMs, against: Math.log2, of: 'log N' },
  { name: 'messages', measure: messagesSent, against: log2Squared, of: 'log² N' },
  { name: 'checks', measure: checked, against: log2Squared, of: 'log² N' },
] as const;

/** Section 4.1: growth of time, messages and verifications with N. */
export const complexity: Experiment = {
  id: 'growth',
  title: 'Growth with the number of nodes',
  section: 'v1.03 4.1',
  claim:
    'Without Byzantine nodes, time grows with log N, and messages with log² N; checks grow no faster; at each size, no node receives more than five times the mean.',
  note: 'A line is fitted through the means by least squares; R² is the share of their variance that it explains. For verifications, the claim is only that they are fewer than the messages, so their fit is shown but not judged.',
  charts: (extent) => [
    ...growths.map(
      ({ name, measure, against, of }): Chart => ({
        ...chartOf(`${measure.label}, fitted to ${of}`, nodesAxis, {
          name,
          measure,
          samples: samplesOf(sizesAt(extent), extent),
        }),
        curves(figure) {
          const fit = figure.fit(name, against);
          const sizes = sizesAt(extent);
          return [
            {
              name: `${threeDigits(fit.intercept)} + ${threeDigits(fit.slope)} ${of}, R² ${fit.r2.toFixed(3)}`,
              points: sizes.map((nodes) => ({ x: nodes, y: fit.at(against(nodes)) })),
            },
          ];
        },
      }),
    ),
    chartOf('Messages received, around powers of two', nodesAxis, {
      name: 'received',
      measure: messagesReceived,
      samples: samplesOf(sizesAround(extent), extent),
    }),
  ],
  holds(figure) {
    const time = figure.fit('time', Math.log2);
    const messages = figure.fit('messages', log2Squared);
    const sizes = figure.series('time').points.map((point) => Number(point.x));
    const loads = figure.series('received').points.map(({ y }) => y!.max / y!.mean);
    const load = Math.max(...loads);
    const checksFewer = sizes.every((nodes) => figure.mean('checks', nodes) < figure.mean('messages', nodes));
    return {
      holds: figure.allReached && time.r2 >= 0.9 && messages.r2 >= 0.9 && checksFewer && load <= loadFactor,
      because:
        `from ${threeDigits(Math.min(...sizes))} to ${threeDigits(Math.max(...sizes))} nodes, the time is ${threeDigits(time.intercept)} ms + ` +
        `${threeDigits(time.slope)} ms per doubling, with R² ${time.r2.toFixed(3)}; the fit of messages to log² N has R² ` +
        `${messages.r2.toFixed(3)}; checks ${checksFewer ? 'stay' : 'do not stay'} below messages; the maximum number of messages received by one node is ${load.toFixed(2)} times the mean`,
    };
  },
};

function sizesAt(extent: Extent): number[] {
  const largest = at(extent, 7, 12, 14);
  return Array.from({ length: largest - 3 }, (_, index) => 2 ** (index + 4));
}

/** Returns sizes at and near powers of two, and the sizes of the paper. */
function sizesAround(extent: Extent): number[] {
  const orders = at(extent, [6], [10], [8, 10, 12]);
  const around = orders.flatMap((k) => [2 ** k - 1, 2 ** k, 2 ** k + 1, 2 ** k + 2 ** (k / 2)]);
  return [...around, ...at(extent, [], [1000, 4000], [1000, 2000, 4000])].sort((a, b) => a - b);
}

function samplesOf(sizes: readonly number[], extent: Extent): Sample[] {
  return sizes.map((nodes) => ({
    x: nodes,
    scenario: scenario({ nodes }),
    seeds: seeds(at(extent, 1, 3, 5)),
  }));
}
