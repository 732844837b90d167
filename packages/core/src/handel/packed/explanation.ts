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
 * What becomes of an entry (v1.03 section 3.3): `window`, it may be verified next; `waits`, it ranks too far behind the
 * best ranked one of use; `useless`, In_l would not be heavier with it, so it is never verified as things are.
 */
export type EntryPlace = 'window' | 'waits' | 'useless';

/** What is queued of one sender on a level. */
export interface ExplainedEntry {
  readonly sender: number;
  /** Its rank now. */
  readonly rank: number;
  /** The weight that In_l would have with it (section 3.3). */
  readonly score: number;
  /** How much heavier In_l would be, 0 or more. */
  readonly adds: number;
  /** What its aggregate claims to weigh; 0 where none is queued. */
  readonly weight: number;
  readonly hasIndividual: boolean;
  readonly place: EntryPlace;
}

/** One level's queue, as the choice would look at it. */
export interface ExplainedLevel {
  readonly level: number;
  /** How many peers it has. */
  readonly size: number;
  readonly inWeight: number;
  /** The size of its window, in ranks; infinite where windows are switched off. */
  readonly window: number;
  /** How many of them count: under attack no more than the window had at first. */
  readonly counted: number;
  /** Whether it is smaller than at first, because what was verified was invalid: that is what *under attack* means. */
  readonly isDistrusted: boolean;
  /** The last rank that counts; -1 while nothing of use is queued. */
  readonly lastRank: number;
  /** In order of rank. */
  readonly entries: readonly ExplainedEntry[];
  /** What the level would have verified: of those with the best score the best ranked. */
  readonly best: ExplainedEntry | undefined;
  /** Others in the window that would add as much as the best, and rank after it. */
  readonly ties: readonly ExplainedEntry[];
  /** About how many of the level's peers rank before the best, by which levels take turns under attack; -1 for none. */
  readonly turn: number;
}

/** What would be verified. */
export interface ExplainedChoice {
  readonly level: number;
  readonly sender: number;
  readonly isIndividual: boolean;
  readonly adds: number;
}

/** What a node would verify next, and by what it would be chosen. */
export interface Explanation {
  /** What decides between levels; undefined while there is nothing to choose. */
  readonly rule: Rule | undefined;
  /** What would be taken, the first first: nothing, one contribution, or a batch. */
  readonly next: readonly ExplainedChoice[];
  /** Other levels that would add the same share (under attack: whose turn comes as early and adds as much). */
  readonly levelTies: readonly number[];
  readonly levels: readonly ExplainedLevel[];
}

/**
 * What would be verified next, and why, asked of the decision itself ({@link decideBatch}): on which level, in which
 * part of its window, by which rank and score, and what else would have done as well. It takes and prunes
 * nothing.
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
  const size = countedWindow(state, level, rule);
  const counted = ranksOf(state, size);
  const bestEntry = bestInWindow(state, level, size, 'keeps');
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
  const of = levels[first.level - 1]!;
  return levels
    .filter(
      ({ level, best, turn }) =>
        best !== undefined &&
        level !== first.level &&
        best.adds / levelStakeWeight(state, level) === first.adds / levelStakeWeight(state, first.level) &&
        (rule !== 'rank' || turn === of.turn),
    )
    .map(({ level }) => level);
}
