import { noContribution } from '../../protocol.ts';
import { nil } from './pending.ts';
import { entryScore, inStakeWeight, levelStakeWeight, stakeWeightOf } from './score.ts';
import {
  bestInWindow,
  countedWindow,
  decideBatch,
  isDistrusted,
  isIndividualFirst,
  placeAmongLevels,
  ranksOf,
} from './selection.ts';
import type { Decision, HandelState, Rule } from './state.ts';

/**
 * State of an entry in the queue (v1.03 section 3.3). `window`: it may be verified next. `waits`: the entry ranks too
 * far behind the best-ranked useful entry. `useless`: it would not make In_l heavier, so it is not verified in this
 * state.
 */
export type EntryPlace = 'window' | 'waits' | 'useless';

/** The queued contributions of one sender on a level. */
export interface ExplainedEntry {
  readonly sender: number;
  /** Current rank of the sender. */
  readonly rank: number;
  /** Weight that In_l would have after adding the entry (section 3.3). */
  readonly score: number;
  /** Weight that the entry would add to In_l, 0 or more. */
  readonly adds: number;
  /** Claimed weight of the entry's aggregate; 0 if no aggregate is queued. */
  readonly weight: number;
  readonly hasIndividual: boolean;
  readonly place: EntryPlace;
}

/** The queue of one level, as the selection of the next verification sees it. */
export interface ExplainedLevel {
  readonly level: number;
  /** Number of peers on the level. */
  readonly size: number;
  readonly inWeight: number;
  /** Size of the window, in ranks; infinite if windows are switched off. */
  readonly window: number;
  /**
   * Number of ranks in the window that count for the choice. Under attack, this number is at most the window's initial
   * size.
   */
  readonly counted: number;
  /**
   * Whether invalid contributions have made the window smaller than its initial size. A node with such a level is
   * *under attack*.
   */
  readonly isDistrusted: boolean;
  /** Last rank in the counted part of the window; -1 if no useful contribution is queued. */
  readonly lastRank: number;
  /** Entries in order of rank, best first. */
  readonly entries: readonly ExplainedEntry[];
  /**
   * The entry that the node would verify on this level: the best-ranked entry among those with the best score;
   * undefined if there is no such entry.
   */
  readonly best: ExplainedEntry | undefined;
  /** Other entries in the window that would add the same weight as the best entry but rank after the best entry. */
  readonly ties: readonly ExplainedEntry[];
  /**
   * Approximate number of the level's peers that rank before the best entry, or -1 if there is no best entry. Under
   * attack, this number determines the order of the levels.
   */
  readonly turn: number;
}

/** One contribution that the node would verify. */
export interface ExplainedChoice {
  readonly level: number;
  readonly sender: number;
  readonly isIndividual: boolean;
  readonly adds: number;
}

/** A node's next verification, and the rule that chooses it. */
export interface Explanation {
  /** Rule that decides between levels; undefined if there is no contribution to choose. */
  readonly rule: Rule | undefined;
  /** Contributions that the node would verify, in order: none, one, or a batch. */
  readonly next: readonly ExplainedChoice[];
  /**
   * Other levels that would add the same share; under attack, only those with the same turn.
   */
  readonly levelTies: readonly number[];
  readonly levels: readonly ExplainedLevel[];
}

/**
 * Explains the next verification: the level, the part of its window, the rank, the score, and equally good
 * alternatives. The function calls the decision function of the node (`decideBatch`) and prunes nothing.
 */
export function explainState(state: HandelState): Explanation {
  const decided = decideBatch(state, 'keeps');
  const rule = decided[0]?.rule;
  const levels = Array.from({ length: state.levels.count }, (_, place) => explainLevel(state, place + 1, rule));
  const next = decided.map((one) => choiceOf(state, one));
  return { rule, next, levelTies: levelTies(state, levels, next[0], rule), levels };
}

function explainLevel(state: HandelState, level: number, rule: Rule = 'share'): ExplainedLevel {
  const { levels, pending, scheme } = state;
  const inWeight = inStakeWeight(state, level);
  const countedSize = countedWindow(state, level, rule);
  const counted = ranksOf(state, countedSize);
  const bestEntry = bestInWindow(state, level, countedSize, 'keeps');
  const entries: ExplainedEntry[] = [];
  let lastRank = -1;
  let best: ExplainedEntry | undefined;
  for (let entry = pending.head(level); entry !== nil; entry = pending.next(entry)) {
    const rank = pending.rank(entry);
    const score = entryScore(state, level, entry);
    const adds = Math.max(0, score - inWeight);
    if (lastRank === -1 && adds > 0) lastRank = rank + counted - 1;
    const aggregate = pending.aggregate(entry);
    const explained: ExplainedEntry = {
      sender: pending.sender(entry),
      rank,
      score,
      adds,
      weight: aggregate === noContribution ? 0 : stakeWeightOf(scheme, aggregate),
      hasIndividual: pending.individual(entry) !== noContribution,
      place: adds === 0 ? 'useless' : rank <= lastRank ? 'window' : 'waits',
    };
    entries.push(explained);
    if (entry === bestEntry) best = explained;
  }
  return {
    level,
    size: levels.size(level),
    inWeight,
    window: ranksOf(state, levels.window(level)),
    counted,
    isDistrusted: isDistrusted(state, level),
    lastRank,
    entries,
    best,
    ties: entries.filter((one) => one !== best && one.place === 'window' && one.adds === best?.adds),
    turn: bestEntry === nil ? -1 : placeAmongLevels(state, level, bestEntry),
  };
}

function choiceOf(state: HandelState, { level, entry }: Decision): ExplainedChoice {
  const { pending } = state;
  return {
    level,
    sender: pending.sender(entry),
    isIndividual: isIndividualFirst(state, level, entry),
    adds: entryScore(state, level, entry) - inStakeWeight(state, level),
  };
}

function levelTies(
  state: HandelState,
  levels: readonly ExplainedLevel[],
  first: ExplainedChoice | undefined,
  rule: Rule | undefined,
): readonly number[] {
  if (first === undefined) return [];
  const chosen = levels[first.level - 1]!;
  return levels
    .filter(
      ({ level, best, turn }) =>
        best !== undefined &&
        level !== first.level &&
        best.adds / levelStakeWeight(state, level) === first.adds / levelStakeWeight(state, first.level) &&
        (rule !== 'rank' || turn === chosen.turn),
    )
    .map(({ level }) => level);
}
