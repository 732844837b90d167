import { type Contribution, noContribution, type Port } from '../../protocol.ts';
import { nil, unscored } from './pending.ts';
import { pruneUseless } from './pruning.ts';
import { entryScore, individualScore, inStakeWeight, levelStakeWeight } from './score.ts';
import type { Decision, HandelState, Pruning, Rule } from './state.ts';

/** A contribution to verify next. */
export interface Choice {
  readonly level: number;
  readonly sender: number;
  /** The contribution, removed from its list. The caller holds its reference. */
  readonly contribution: Contribution;
  readonly isIndividual: boolean;
}

/**
 * Decides which contribution of all levels the node verifies next, if any (v1.03 sections 3.3 and 3.5.2). On each level
 * the window decides between rank and score. The paper does not say how to choose between levels. This function chooses
 * the contribution that would add the greatest share of its level's peers; on a tie, the contribution on the lower
 * level. With slow verification, this rule takes fewer verifications and less time than choosing the lowest level, the
 * highest level or the heaviest contribution first.
 *
 * Under attack, levels take turns by rank, because scores are unverified claims. Whatever contributions the peers of
 * one level send, they can delay another level's contribution only as often as there are peers ranked before it. The
 * paper's return to ranking alone (section 3.6) thereby also covers the choice between levels.
 *
 * A level's turn is the rank of the contribution that it would verify. Only the initial size of a larger window counts.
 * If the whole of a wide window counted, its best score could rank far back, and all entries ranked before that score
 * on other levels would go first, useful or not.
 *
 * Intentional divergence, only under attack: in v1.03 section 3.3 a window counts in full.
 */
export function decideNext(state: HandelState, pruning: Pruning): Decision | undefined {
  return decideBy(state, 'share', pruning);
}

/**
 * Decides between the levels' best entries: by turn and then by share, or by share alone. If a level with a useful
 * entry has a window smaller than the initial window, the node is under attack, and the rule `share` leads to `rank`.
 */
function decideBy(state: HandelState, rule: 'share' | 'rank', pruning: Pruning): Decision | undefined {
  const { levels, pending, off } = state;
  let firstLevel = 0;
  let firstEntry = nil;
  let firstTurn = Number.POSITIVE_INFINITY;
  let firstShare = 0;
  let isUnderAttack = false;
  for (let level = 1; level <= levels.count; level++) {
    if (pending.head(level) === nil) continue;
    const entry = bestInWindow(state, level, countedWindow(state, level, rule), pruning);
    if (entry === nil) continue;
    isUnderAttack ||= isDistrusted(state, level);
    const turn = rule === 'rank' ? placeAmongLevels(state, level, entry) : 0;
    const share = shareOf(state, level, entry);
    if (turn < firstTurn || (turn === firstTurn && share > firstShare)) {
      firstTurn = turn;
      firstShare = share;
      firstLevel = level;
      firstEntry = entry;
    }
  }
  if (firstEntry === nil) return undefined;
  if (isUnderAttack && rule === 'share' && !off['rank-between-levels']) return decideBy(state, 'rank', pruning);
  return { level: firstLevel, entry: firstEntry, rule };
}

/**
 * Returns the number of ranks that count in a level's window: all ranks, or under attack at most the initial number.
 */
export function countedWindow({ levels, window, off }: HandelState, level: number, rule: Rule): number {
  const size = levels.window(level);
  return rule !== 'rank' || off['capped-window'] ? size : Math.min(size, window.initial);
}

/** Returns whether invalid contributions have made a level's window smaller than its initial size. */
export function isDistrusted({ levels, window, off }: HandelState, level: number): boolean {
  return levels.window(level) < window.initial && !off.window;
}

/** Returns the share of a level's peers, by weight, that an entry would add to In_l. */
function shareOf(state: HandelState, level: number, entry: number): number {
  return (state.pending.score(entry) - inStakeWeight(state, level)) / levelStakeWeight(state, level);
}

/**
 * Returns the approximate number of the level's peers that rank before the entry's sender. This number makes ranks on
 * levels of different sizes comparable.
 */
export function placeAmongLevels({ levels, pending, priorities }: HandelState, level: number, entry: number): number {
  return Math.floor((pending.rank(entry) * levels.size(level)) / priorities.span);
}

/**
 * Returns the entry with the best score within a level's window. The window begins at the best-ranked entry that can
 * improve In_l, and covers as many ranks as its size (v1.03 section 3.3; v1.0 section 3.8). With `prunes`, the function
 * prunes the entries that it visits and that cannot improve In_l.
 *
 * @param window size of the window in ranks.
 * @returns the entry, or `nil` if no queued entry can improve In_l.
 */
export function bestInWindow(state: HandelState, level: number, window: number, pruning: Pruning): number {
  const { pending } = state;
  const stakeWeight = inStakeWeight(state, level);
  const ranks = ranksOf(state, window);
  let limit = Number.POSITIVE_INFINITY;
  let best = nil;
  let before = nil;
  let entry = pending.head(level);
  while (entry !== nil && pending.rank(entry) <= limit) {
    const next = pending.next(entry);
    const score = knownScore(state, level, entry);
    if (score <= stakeWeight) {
      if (pruning === 'prunes') pruneUseless(state, level, before);
      else before = entry;
    } else {
      if (best === nil) limit = pending.rank(entry) + ranks - 1;
      if (best === nil || score > pending.score(best)) best = entry;
      before = entry;
    }
    entry = next;
  }
  return best;
}

/** Returns the number of ranks that a window of this size covers, given the mechanisms that are switched off. */
export function ranksOf({ off }: HandelState, window: number): number {
  return off.score ? 1 : off.window ? Number.POSITIVE_INFINITY : window;
}

/** Returns an entry's score. The queue caches the score until In_l changes. */
function knownScore(state: HandelState, level: number, entry: number): number {
  const { pending } = state;
  let score = pending.score(entry);
  if (score === unscored) {
    score = entryScore(state, level, entry);
    pending.setScore(entry, score);
  }
  return score;
}

/** Removes the better contribution of an entry for verification. The other contribution of the entry remains queued. */
export function take(state: HandelState, level: number, entry: number): Choice {
  const { pending } = state;
  const sender = pending.sender(entry);
  const aggregate = pending.aggregate(entry);
  const individual = pending.individual(entry);
  const isIndividual = isIndividualFirst(state, level, entry);
  if (isIndividual) pending.setIndividual(entry, noContribution);
  else pending.setAggregate(entry, noContribution);
  if (aggregate === noContribution || individual === noContribution) {
    let before = nil;
    for (let at = pending.head(level); at !== entry; at = pending.next(at)) before = at;
    pending.remove(level, before);
  }
  return { level, sender, contribution: isIndividual ? individual : aggregate, isIndividual };
}

/** Returns whether the individual contribution of an entry is better than its aggregate. */
export function isIndividualFirst(state: HandelState, level: number, entry: number): boolean {
  const { pending } = state;
  const aggregate = pending.aggregate(entry);
  if (aggregate === noContribution) return true;
  if (pending.individual(entry) === noContribution) return false;
  return individualScore(state, level, pending.sender(entry)) > state.rules.score(state, level, aggregate);
}

/** The empty choice, allocated only once because nodes often choose no contribution. */
export const nothing: readonly never[] = [];

/**
 * Chooses what to verify next: one contribution, by the selection rule. If the node verifies batches, the function also
 * takes one contribution from the window of each other level, up to the batch size. These contributions are ordered by
 * the share of the level's peers that each contribution would add. The contributions of a batch belong to different
 * levels, and thus to different senders and signers. No contribution of a batch makes another one useless.
 *
 * Under attack, a batch contains one contribution, as in the paper, because a joint check is likely to fail. After a
 * failed joint check, finding the invalid contributions would take more checks than single verifications.
 *
 * Intentional divergence, only with batches: v1.03 section 6 verifies one contribution at a time. See
 * docs/concepts/batch-verification.md.
 */
export function chooseBatch(state: HandelState): readonly Choice[] {
  const first = state.rules.select(state, 'prunes');
  if (first === undefined) return nothing;
  // Calling decideBatch here would create one more array per verification, which takes 3 % of a simulation's time.
  const others = decideOthers(state, first, 'prunes');
  const chosen = [take(state, first.level, first.entry)];
  for (const { level, entry } of others) chosen.push(take(state, level, entry));
  return chosen;
}

/** Decides which contributions {@link chooseBatch} takes. */
export function decideBatch(state: HandelState, pruning: Pruning): readonly Decision[] {
  const first = state.rules.select(state, pruning);
  return first === undefined ? nothing : [first, ...decideOthers(state, first, pruning)];
}

/** Decides which contributions a batch takes after its first one. */
function decideOthers(state: HandelState, first: Decision, pruning: Pruning): readonly Decision[] {
  const { batch: maxBatch = 1 } = state.config;
  if (maxBatch === 1 || isDistrusted(state, first.level)) return nothing;

  const { levels, pending } = state;
  const others: (Decision & { readonly share: number })[] = [];
  for (let level = 1; level <= levels.count; level++) {
    if (level === first.level || pending.head(level) === nil) continue;
    const entry = bestInWindow(state, level, levels.window(level), pruning);
    if (entry === nil) continue;
    if (isDistrusted(state, level)) return nothing;
    others.push({ level, entry, rule: 'share', share: shareOf(state, level, entry) });
  }
  others.sort((a, b) => b.share - a.share || a.level - b.level);
  return others.slice(0, maxBatch - 1);
}

/** Requests the verification of one or more chosen contributions. @returns the ticket. */
export function requestVerification(port: Port, chosen: readonly Choice[]): number {
  if (chosen.length === 1) {
    const { contribution, level, sender } = chosen[0]!;
    return port.verify(contribution, level, sender);
  }
  return port.verifyBatch!(
    chosen.map(({ contribution }) => contribution),
    chosen.map(({ level }) => level),
    chosen.map(({ sender }) => sender),
  );
}
