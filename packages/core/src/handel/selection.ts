import { type Contribution, NONE } from '../protocol.ts';
import { List, nil, unscored } from './pending.ts';
import { pruneUseless } from './pruning.ts';
import { aggregateScore, entryScore, individualScore } from './score.ts';
import type { HandelState } from './state.ts';

/** What is to be verified next. */
export interface Choice {
  readonly level: number;
  readonly sender: number;
  /** Retained for the chooser; it has been taken out of the list. */
  readonly contribution: Contribution;
  readonly isIndividual: boolean;
}

/**
 * Picks the contribution to verify next over all levels (v1.03 sections 3.3 and 3.5.2), or none. On each level the window decides between
 * rank and score. Between levels, where the text is silent, it is the one that would add the greatest share of its level's peers, the
 * lower level first: with slow checks it needs fewer of them and less time than the lowest, the highest or the heaviest.
 *
 * A level whose window has shrunk below where it began is under attack, and what is promised there counts for nothing: it waits for the
 * levels that are not, and among its like goes by rank alone. Otherwise Byzantine peers on a level where no honest contribution has come in yet,
 * and so none outranks them, would be verified before all that the other levels have.
 */
export function chooseNext(state: HandelState): Choice | undefined {
  const { levels, pending } = state;
  let bestLevel = 0;
  let bestEntry = nil;
  let bestPlace = Number.POSITIVE_INFINITY;
  let bestShare = 0;
  for (let level = 1; level <= levels.count; level++) {
    if (pending.head(level, List.queued) === nil) continue;
    const entry = bestInWindow(state, level);
    if (entry === nil) continue;
    const place = placeAmongLevels(state, level, entry);
    const share = (pending.score(entry) - levels.inWeight(level)) / levels.size(level);
    if (place < bestPlace || (place === bestPlace && share > bestShare)) {
      bestPlace = place;
      bestShare = share;
      bestLevel = level;
      bestEntry = entry;
    }
  }
  return bestEntry === nil ? undefined : take(state, bestLevel, bestEntry);
}

/** Where nothing is promised that turned out invalid: before all places. */
const trusted = -1;

/** Under attack, about how many of the level's peers rank before the entry's sender, which compares ranks on levels of different sizes. */
function placeAmongLevels(
  { levels, pending, priorities, config, off }: HandelState,
  level: number,
  entry: number,
): number {
  if (off.window || levels.window(level) >= config.window.initial) return trusted;
  return Math.floor((pending.rank(entry) * levels.size(level)) / priorities.span);
}

/**
 * The best scoring entry of a level among those within the window of the best ranked one (v1.03 section 3.3). Entries on the way that
 * cannot improve In_l are pruned and do not hold the window.
 */
export function bestInWindow(state: HandelState, level: number): number {
  const { levels, pending } = state;
  const inWeight = levels.inWeight(level);
  const span = state.off.score ? 0 : state.off.window ? Number.POSITIVE_INFINITY : levels.window(level);
  let limit = Number.POSITIVE_INFINITY;
  let best = nil;
  let before = nil;
  let entry = pending.head(level, List.queued);
  while (entry !== nil && pending.rank(entry) <= limit) {
    const next = pending.next(entry);
    let score = pending.score(entry);
    if (score === unscored) {
      score = entryScore(state, level, entry);
      pending.setScore(entry, score);
    }
    if (score <= inWeight) {
      pruneUseless(state, level, before);
    } else {
      if (best === nil) limit = pending.rank(entry) + span;
      if (best === nil || score > pending.score(best)) best = entry;
      before = entry;
    }
    entry = next;
  }
  return best;
}

/** Takes the better contribution of an entry; the other one stays queued. */
function take(state: HandelState, level: number, entry: number): Choice {
  const { pending } = state;
  const sender = pending.sender(entry);
  const aggregate = pending.aggregate(entry);
  const individual = pending.individual(entry);
  const isIndividual =
    aggregate === NONE ||
    (individual !== NONE && individualScore(state, level, sender) > aggregateScore(state, level, aggregate));
  if (isIndividual) pending.setIndividual(entry, NONE);
  else pending.setAggregate(entry, NONE);
  if (aggregate === NONE || individual === NONE) {
    let before = nil;
    for (let at = pending.head(level, List.queued); at !== entry; at = pending.next(at)) before = at;
    pending.remove(level, List.queued, before);
  }
  return { level, sender, contribution: isIndividual ? individual : aggregate, isIndividual };
}
