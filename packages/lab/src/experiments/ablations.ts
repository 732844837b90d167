import type { Fault, Scenario } from '@tutti/simulation';
import { at, type Experiment, type Extent, scenario } from './experiment.ts';
import { chartOf, type Sample, seeds } from './figure.ts';
import { checkedInvalid, keptInts, type Measure, messagesReceived, threeDigits, timeMs } from './measures.ts';

/** A mechanism, and a scenario that needs it. */
interface Ablation {
  readonly id: string;
  readonly mechanism: string;
  readonly section: string;
  /** Purpose of the mechanism according to the paper. */
  readonly claim: string;
  /** Returns the changes to the paper's scenario that show the mechanism's effect. */
  readonly setting: (nodes: number) => Partial<Scenario>;
  readonly nodes: number;
  /** Changes that switch the mechanism off. */
  readonly without: Partial<Scenario>;
  readonly measure: Measure;
  /** Part of the measure that shows the effect: `max` if one node is the victim. Default: `mean`. */
  readonly of?: 'mean' | 'max';
  /** Minimum ratio of the measure without the mechanism to the measure with it, for the claim to hold. */
  readonly factor: number;
  readonly note: string;
  readonly departure?: string;
}

const byzantine = (name: string): Partial<Scenario> => ({ attacks: [{ name, share: 0.3 }] });

/** Returns faults that cut every node off from its only peer of level 1, in both directions, for five seconds. */
function siblingsCutOff(nodes: number): Fault[] {
  return Array.from({ length: nodes }, (_, id) => ({ kind: 'loss', share: 1, from: [id], to: [id ^ 1], forMs: 5000 }));
}

const ablations: readonly Ablation[] = [
  {
    id: 'without-window',
    mechanism: 'the window',
    section: 'v1.03 3.3 and 3.6',
    claim: 'The window prevents Byzantine nodes from having their high-scoring invalid contributions verified first.',
    setting: () => byzantine('invalid'),
    nodes: 256,
    without: { without: ['window'] },
    measure: checkedInvalid,
    factor: 1.5,
    note: '30 % of 256 nodes send invalid contributions with higher scores than honest contributions; without the window, every queued contribution is scored, regardless of its rank.',
  },
  {
    id: 'without-score',
    mechanism: 'the score',
    section: 'v1.03 3.3',
    claim: 'With the score, nodes that cannot verify all received contributions verify the most useful ones.',
    setting: () => ({ verifyMs: 50 }),
    nodes: 256,
    without: { without: ['score'] },
    measure: timeMs,
    factor: 1.3,
    note: 'A verification takes 50 ms; without the score, the contribution with the best rank is verified first, regardless of its weight.',
  },
  {
    id: 'without-rank-growth',
    mechanism: 'the growth of ranks',
    section: 'v1.0 3.6',
    claim:
      'A sender whose contribution was verified moves to the end of the ranks, so that the contributions of all senders are verified in turn.',
    setting: () => ({ ...byzantine('mixed'), verifyMs: 20 }),
    nodes: 256,
    without: { without: ['rank-growth'] },
    measure: timeMs,
    factor: 1.1,
    note: '30 % of 256 nodes mix invalid and nearly worthless contributions, and a verification takes 20 ms; without the growth of ranks, a sender keeps its rank.',
    departure:
      'No tested configuration shows a difference of more than a few per cent, for any attack. Contributions that cannot improve In_l are pruned, so a sender whose contribution was just verified seldom has a better one in the queue.',
  },
  {
    id: 'without-blacklist',
    mechanism: 'blacklisting',
    section: 'v1.03 3.5.3',
    claim: 'A node ignores the senders of invalid contributions, so that each sender wastes at most one verification.',
    setting: () => byzantine('invalid'),
    nodes: 32,
    without: { without: ['blacklist'] },
    measure: checkedInvalid,
    factor: 10,
    note: '30 % of 32 nodes are Byzantine; without the blacklist, contributions from the same senders are verified every time, and most nodes have not finished after a minute.',
  },
  {
    id: 'without-individual-contributions',
    mechanism: 'individual contributions in messages',
    section: 'v1.03 3.1 and 2.4',
    claim: "A sender's individual contribution can be aggregated even if its aggregate cannot.",
    setting: (nodes) => ({ faults: siblingsCutOff(nodes), threshold: 0.97 }),
    nodes: 64,
    without: { without: ['individual-contributions'] },
    measure: timeMs,
    factor: 3,
    note: 'For five seconds, the two nodes of each pair of siblings cannot exchange messages, so that other nodes have only one contribution from each pair; the threshold is 97 % of 64 nodes.',
  },
  {
    id: 'without-bounded-queue',
    mechanism: 'the bound on the queue',
    section: 'v1.03 3.5.2',
    claim: 'A node stores at most one contribution per sender, so that no sender can fill its memory.',
    setting: () => byzantine('flood'),
    nodes: 128,
    without: { without: ['bounded-queue'] },
    measure: keptInts,
    of: 'max',
    factor: 2,
    note: '30 % of 128 nodes flood one honest node; the maximum in the chart is the value of this node.',
  },
  {
    id: 'without-level-flag',
    mechanism: 'the flag that marks a level as received',
    section: 'v1.03 6',
    claim: 'Nodes do not send a level to a peer that has announced the complete level.',
    setting: () => ({ dead: 0.2, backOff: false }),
    nodes: 1024,
    without: { without: ['level-flag'] },
    measure: messagesReceived,
    factor: 1.2,
    note: '20 % of 1024 nodes are dead, and no node backs off, because with back-off hardly any message depends on the flag.',
  },
  {
    id: 'without-fast-path',
    mechanism: 'the fast path',
    section: 'v1.03 3.5.1',
    claim: 'Sending a completed level to ten peers at once makes the aggregation faster.',
    setting: () => ({}),
    nodes: 1024,
    without: { fastPath: 0 },
    measure: timeMs,
    factor: 1.05,
    note: '1024 nodes on AWS.',
  },
  {
    id: 'without-start-times',
    mechanism: 'the start times of levels',
    section: 'v1.03 3.6',
    claim: 'Starting levels one after another reduces the number of messages.',
    setting: () => ({}),
    nodes: 1024,
    without: { levelStartMs: 0 },
    measure: messagesReceived,
    factor: 1.15,
    note: '1024 nodes on AWS; without start times, all levels start at once.',
  },
  {
    id: 'without-authentication',
    mechanism: 'authenticated channels',
    section: 'v1.03 2.3',
    claim:
      'Channels are authenticated, so that no node is blacklisted for messages that another node sent in its name.',
    setting: () => byzantine('spoof'),
    nodes: 64,
    without: { authenticated: false },
    measure: timeMs,
    factor: 1.3,
    note: '30 % of 64 nodes send invalid contributions in the names of honest ones.',
  },
];

export const ablationExperiments: readonly Experiment[] = ablations.map(experiment);

const present = 'with it';
const absent = 'without it';

function experiment(ablation: Ablation): Experiment {
  const { id, mechanism, section, claim, note, departure, measure, factor, of = 'mean' } = ablation;
  return {
    id,
    title: `Without ${mechanism}`,
    section,
    claim,
    note,
    ...(departure === undefined ? {} : { departure }),
    charts: (extent) => [
      chartOf(
        `${measure.label}, with ${mechanism} and without`,
        { label: mechanism, unit: '', scale: 'names' },
        { name: measure.label, measure, samples: samples(ablation, extent) },
      ),
    ],
    holds(figure) {
      const [kept, gone] = [figure.point(measure.label, present), figure.point(measure.label, absent)];
      const [keptValue, goneValue] = [kept.y?.[of], gone.y?.[of]];
      const neverDone = gone.live - gone.reached;
      const times = keptValue === undefined || goneValue === undefined ? 0 : goneValue / keptValue;
      const text = (value: number | undefined) =>
        value === undefined ? 'no node finishes' : `${threeDigits(value)} ${measure.unit}`.trim();
      return {
        holds: kept.live === kept.reached && (times >= factor || neverDone > 0),
        because:
          `${measure.label}${of === 'max' ? ', at most' : ''}: ${text(keptValue)} with it, ${text(goneValue)} without` +
          (neverDone === 0
            ? ''
            : `; ${threeDigits(neverDone)} of ${threeDigits(gone.live)} live nodes never finish without`),
      };
    },
  };
}

function samples({ nodes, setting, without }: Ablation, extent: Extent): Sample[] {
  const base = { nodes: at(extent, Math.min(nodes, 32), nodes, nodes) };
  const kept = scenario({ ...base, ...setting(base.nodes) });
  const of = seeds(at(extent, 1, 2, 5));
  return [
    { x: present, scenario: kept, seeds: of },
    { x: absent, scenario: { ...kept, ...without }, seeds: of },
  ];
}
