import {
  type Contribution,
  HandelMemory,
  HandelNode,
  type HandelRules,
  type HandelView,
  type Mechanism,
  nextWindowSize,
  type QueuedEntry,
} from '@tutti/core';
import { configOf, type Extensions, type Scenario } from '@tutti/simulation';
import { choice, Fields, type FieldTable, number } from '../links/fields.ts';

/** Rules for the order between levels. The queued entry with the smallest value is verified first. */
const orders = {
  share: (node, { level, score }) => (node.inWeight(level) - score) / node.size(level),
  gain: (node, { level, score }) => node.inWeight(level) - score,
  rank: (node, { level, rank }) => Math.floor((rank * node.size(level)) / node.priorities.span),
  lowest: (_node, { level }) => level,
  highest: (_node, { level }) => -level,
} as const satisfies Record<string, (node: HandelView, entry: QueuedEntry) => number>;

/** Rules for the score of an aggregate. */
const scores = {
  /** Weight that In_l would have with the aggregate. */
  result: (node, level, aggregate) => node.score(level, aggregate),
  /** The aggregate's own weight, whatever In_l contains. */
  claim: (node, _level, aggregate) => weightOf(node, aggregate),
  /** The same score for every aggregate that improves In_l. */
  any: (node, level, aggregate) => node.inWeight(level) + (node.score(level, aggregate) > node.inWeight(level) ? 1 : 0),
} as const satisfies Record<string, NonNullable<HandelRules['score']>>;

function weightOf({ scheme }: HandelView, contribution: Contribution): number {
  return scheme.stakes === undefined ? scheme.weight(contribution) : scheme.stake!(contribution);
}

/** Name of a rule for the order between levels. */
export type LevelOrder = keyof typeof orders;
/** Name of a rule for the score of an aggregate. */
export type ScoreRule = keyof typeof scores;

/**
 * Constants and rules of Handel that a reader can change. Each entry is a number in a range or the name of a rule; none
 * is code.
 */
export interface EditedRules {
  /** Factor by which a valid contribution widens a verification window. */
  readonly expansion: number;
  /** Divisor by which an invalid contribution shrinks a verification window. */
  readonly contraction: number;
  readonly order: LevelOrder;
  readonly score: ScoreRule;
}

/** Range of the expansion factor and of the contraction divisor, and the step between two values. */
export const factors = { min: 1, max: 16, step: 0.5 } as const;

/** Ranges, names and defaults of the rules, for links and for the form. */
export const ruleFields: FieldTable<EditedRules> = {
  expansion: number(factors, 2, factors.step),
  contraction: number(factors, 4, factors.step),
  order: choice(Object.keys(orders) as LevelOrder[], 'share'),
  score: choice(Object.keys(scores) as ScoreRule[], 'result'),
};

/** The rules of Handel. */
export const unedited: EditedRules = new Fields(ruleFields).first;

/** Returns the names of the rules that differ from Handel's. */
export function changedRules(edited: EditedRules): readonly (keyof EditedRules)[] {
  return (Object.keys(ruleFields) as (keyof EditedRules)[]).filter((name) => edited[name] !== unedited[name]);
}

/** Returns the functions that replace Handel's rules. An unchanged rule has no such function. */
function rulesOf(edited: EditedRules): HandelRules {
  const changed = changedRules(edited);
  const { expansion, contraction, order, score } = edited;
  const first = orders[order];
  return {
    ...((changed.includes('expansion') || changed.includes('contraction')) && {
      window: (size, isValid, limits) => nextWindowSize(size, isValid, { ...limits, expansion, contraction }),
    }),
    ...(changed.includes('score') && { score: scores[score] }),
    ...(changed.includes('order') && {
      select(node) {
        const found = Array.from({ length: node.levels }, (_, place) => node.bestInWindow(place + 1));
        const ready = found.filter((entry) => entry !== undefined);
        return ready.sort((a, b) => first(node, a) - first(node, b))[0];
      },
    }),
  };
}

/** Returns a simulation's option for honest nodes with changed rules; empty for Handel's rules. */
export function nodesWith(edited: EditedRules): Pick<Extensions, 'nodes'> {
  if (changedRules(edited).length === 0) return {};
  const rules = rulesOf(edited);
  return {
    nodes({ scenario, scheme, priorities, threshold, quorum }) {
      const round = { config: configOf(scenario, threshold), scheme, priorities, quorum, rules };
      const memory = new HandelMemory(round);
      return (id, own, port) => new HandelNode({ ...round, id, own, port, memory });
    },
  };
}

/** A mechanism that can be switched off, with its name on the page and its section of the paper. */
export interface Switch {
  readonly id: string;
  readonly words: string;
  readonly section: string;
  /** Effect of switching the mechanism off, in one sentence. */
  readonly lost: string;
  /** Returns the scenario without the mechanism. */
  readonly off: (scenario: Scenario) => Scenario;
  readonly isOff: (scenario: Scenario) => boolean;
}

const mechanism = (id: Mechanism, words: string, section: string, lost: string): Switch => ({
  id,
  words,
  section,
  lost,
  off: (scenario) => ({ ...scenario, without: [...scenario.without, id] }),
  isOff: ({ without }) => without.includes(id),
});

/** The mechanisms of Handel, each with a switch. */
export const switches: readonly Switch[] = [
  mechanism(
    'window',
    'the window',
    'v1.03 3.3, 3.6',
    'The contribution with the largest claim is verified first, regardless of its sender’s rank.',
  ),
  mechanism(
    'score',
    'the score',
    'v1.03 3.3',
    'The best-ranked contribution is verified first, even if it adds little.',
  ),
  mechanism(
    'rank-growth',
    'growing ranks',
    'v1.0 3.6',
    'A sender keeps its rank, no matter how often the node verifies its contributions.',
  ),
  mechanism(
    'blacklist',
    'the blacklist',
    'v1.03 3.5.3',
    'Nodes keep accepting contributions from nodes that have sent invalid ones.',
  ),
  mechanism(
    'individual-contributions',
    'individual contributions',
    'v1.03 3.5',
    'If an aggregate omits a node’s signature, the signature cannot be added separately.',
  ),
  mechanism('bounded-queue', 'the bounded queue', 'v1.03 3.5.2', 'A node stores all received contributions.'),
  mechanism(
    'level-flag',
    'the “level complete” flag',
    'v1.03 6',
    'Nodes do not announce complete levels, so their peers keep sending.',
  ),
  {
    id: 'fast-path',
    words: 'the fast path',
    section: 'v1.03 3.5.1',
    lost: 'A node sends a completed level at its next regular time instead of immediately.',
    off: (scenario) => ({ ...scenario, fastPath: 0 }),
    isOff: ({ fastPath }) => fastPath === 0,
  },
  {
    id: 'level-starts',
    words: 'delayed level starts',
    section: 'v1.03 3.5.1',
    lost: 'All levels start immediately, when nodes still have few signatures to send on the higher levels. Delayed starts save checks and bytes, but not time.',
    off: (scenario) => ({ ...scenario, levelStartMs: 0 }),
    isOff: ({ levelStartMs }) => levelStartMs === 0,
  },
];
