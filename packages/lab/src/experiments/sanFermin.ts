import type { ExhaustedRule } from '@tutti/core';
import type { Scenario } from '@tutti/simulation';
import { at, type Experiment, type Extent, scenario } from './experiment.ts';
import { type Axis, chartOf, type Sample, type Series, seeds } from './figure.ts';
import { type Measure, messagesSent, neverDonePercent, threeDigits, timeMs } from './measures.ts';

const deadPercents = [0, 5, 10, 20, 30];
const sanFermin = (
  candidates: number,
  replyTimeoutMs: number,
  exhausted: ExhaustedRule = 'leave',
): Partial<Scenario> => ({
  protocol: 'san-fermin',
  sanFermin: { candidates, replyTimeoutMs, exhausted },
});
const protocols = [
  { name: 'Handel', change: {} },
  { name: 'San Fermín, one partner at a time', change: sanFermin(1, 300) },
  { name: 'San Fermín, 50 at a time', change: sanFermin(50, 300) },
  { name: 'San Fermín, 50 at a time, waiting for later contributions', change: sanFermin(50, 300, 'wait') },
] as const;

const timeouts = [50, 100, 150, 200, 300, 600];
const attacked = [
  { x: 'Handel, 10 % silent', change: { attacks: [{ name: 'silent', share: 0.1 }] } },
  { x: 'San Fermín, 10 % silent', change: { ...sanFermin(1, 300), attacks: [{ name: 'silent', share: 0.1 }] } },
  { x: 'San Fermín, 10 % eclipse', change: { ...sanFermin(1, 300), attacks: [{ name: 'eclipse', share: 0.1 }] } },
] as const;
const eclipsed = 'never done under attack';

const deadAxis: Axis = { label: 'dead nodes', unit: '%', scale: 'linear' };

function sample(extent: Extent, x: number | string, change: Partial<Scenario>): Sample {
  return {
    x,
    scenario: scenario({ nodes: at(extent, 64, 1024, 1024), ...change }),
    seeds: seeds(at(extent, 1, 3, 10)),
  };
}

function samples(extent: Extent, change: Partial<Scenario>): Sample[] {
  return deadPercents.map((percent) => sample(extent, percent, { dead: percent / 100, ...change }));
}

/** Returns the series. Names are unique across the charts, so that a judgement can refer to a series by name. */
function series(extent: Extent, measure: Measure, of: string): Series[] {
  return protocols.map(({ name, change }) => ({
    name: `${name}${of}`,
    label: name,
    measure,
    samples: samples(extent, change),
  }));
}

const never = ' (never done)';
const sent = ' (messages)';

export const comparedWithSanFermin: Experiment = {
  id: 'san-fermin',
  title: 'Comparison with San Fermín',
  section: 'v1.03 1 and 8.1',
  claim:
    'San Fermín is about as fast as Handel while all nodes answer, but it depends on its timeouts. With silent nodes, San Fermín becomes slow or some of its nodes never finish; neither happens with Handel.',
  note: "1024 nodes on AWS, threshold 99 % of the live nodes. A node waits 300 ms for a partner's answer, except in the chart that varies the timeout. If all partners of a level fail to answer, the node leaves the level, or waits on the level for later contributions. In the eclipse attack (section 8.1), Byzantine nodes are the first to contact others on high levels.",
  charts: (extent) => [
    {
      title: 'Time to 99 % of the live nodes, over the nodes that reach it',
      x: deadAxis,
      left: { label: timeMs.label, unit: 'ms', scale: 'log' },
      series: series(extent, timeMs, ''),
    },
    {
      title: 'Live nodes that never reach the threshold',
      x: deadAxis,
      left: { label: neverDonePercent.label, unit: '%', scale: 'linear' },
      series: series(extent, neverDonePercent, never),
    },
    {
      title: 'Messages sent per node',
      x: deadAxis,
      left: { label: messagesSent.label, unit: '', scale: 'log' },
      series: series(extent, messagesSent, sent),
    },
    {
      title: 'Live nodes that never reach the threshold with San Fermín, by timeout, without dead nodes',
      x: { label: 'timeout', unit: 'ms', scale: 'linear' },
      left: { label: neverDonePercent.label, unit: '%', scale: 'linear' },
      series: (
        [
          { name: 'one partner at a time', candidates: 1, exhausted: 'leave' },
          { name: '50 at a time', candidates: 50, exhausted: 'leave' },
          { name: '50 at a time, waiting', candidates: 50, exhausted: 'wait' },
        ] as const
      ).map(({ name, candidates, exhausted }) => ({
        name,
        measure: neverDonePercent,
        samples: timeouts.map((ms) => sample(extent, ms, sanFermin(candidates, ms, exhausted))),
      })),
    },
    chartOf(
      'Honest nodes that never reach the threshold in runs with Byzantine nodes',
      { label: 'protocol and attack', unit: '', scale: 'names' },
      {
        name: eclipsed,
        measure: neverDonePercent,
        samples: attacked.map(({ x, change }) => sample(extent, x, change)),
      },
    ),
  ],
  holds(figure) {
    const [handel, one, many, waiting] = protocols.map(({ name }) => name) as [string, string, string, string];
    const time = (name: string, percent: number) => figure.point(name, percent).y?.mean;
    const lost = (name: string, percent: number) => figure.mean(`${name}${never}`, percent);
    const slowOrLost = (name: string) =>
      lost(name, 20) > 1 || (time(name, 20) ?? Number.POSITIVE_INFINITY) > 2 * time(handel, 20)!;
    const text = (name: string, percent: number) => {
      const ms = time(name, percent);
      if (ms === undefined) return 'forever';
      return `${threeDigits(ms)} ms${lost(name, percent) > 0 ? ` (${threeDigits(lost(name, percent))} % never finish)` : ''}`;
    };
    const fastest = Math.min(...[one, many].map((name) => time(name, 0) ?? Number.POSITIVE_INFINITY));
    return {
      holds:
        deadPercents.every((percent) => lost(handel, percent) === 0) &&
        fastest < 2 * time(handel, 0)! &&
        slowOrLost(one) &&
        slowOrLost(many) &&
        slowOrLost(waiting) &&
        figure.mean(eclipsed, attacked[2].x) > figure.mean(eclipsed, attacked[1].x),
      because: [
        ...[0, 20].map(
          (percent) =>
            `with ${percent} % dead nodes, Handel takes ${text(handel, percent)}; San Fermín takes ${text(one, percent)} with one partner at a time, ` +
            `${text(many, percent)} with 50 partners, and ${text(waiting, percent)} with 50 partners if it also waits for later contributions`,
        ),
        `with 10 % silent nodes, ${threeDigits(figure.mean(eclipsed, attacked[1].x))} % of San Fermín's honest nodes never finish; if the same number of nodes ` +
          `contact high levels first, ${threeDigits(figure.mean(eclipsed, attacked[2].x))} % never finish`,
      ].join('; '),
    };
  },
};
