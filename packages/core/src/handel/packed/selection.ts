import { type Contribution, noContribution, type Port } from '../../protocol.ts';
import { nil, unscored } from './pending.ts';
import { pruneUseless } from './pruning.ts';
import { entryScore, individualScore, inStakeWeight, levelStakeWeight } from './score.ts';
import type { Decision, HandelState, Pruning, Rule } from './state.ts';

/** What is to be verified next. */
export interface Choice {
  readonly level: number;
  readonly sender: number;
  /** Retained for the chooser; it has been taken out of the list. */
  readonly contribution: Contribution;
  readonly isIndividual: boolean;
}

/**
 * Which contribution is to be verified next over all levels (v1.03 sections 3.3 and 3.5.2), or none. On each level the
 * window decides between rank and score. Between levels the paper does not say: here it is the one that would add the
 * greatest share of its level's peers, and of equals the lower level. With slow checks this takes fewer of them and
 * less time than choosing the lowest, the highest or the heaviest.
 *
 * While a level with something queued has a window smaller than its initial one, the node is under attack, and levels
 * take turns by rank: see {@link firstByRank}.
 */
export function decideNext(state: HandelState, pruning: Pruning): Decision | undefined {
  const { levels, pending, off } = state;
  let maxLevel = 0;
  let maxEntry = nil;
  let maxShare = 0;
  let isUnderAttack = false;
  for (let level = 1; level <= levels.count; level++) {
    if (pending.head(level) === nil) continue;
    const entry = bestInWindow(state, level, levels.window(level), pruning);
    if (entry === nil) continue;
    isUnderAttack ||= isDistrusted(state, level);
    const share = shareOf(state, level, entry);
    if (share > maxShare) {
      maxShare = share;
      maxLevel = level;
      maxEntry = entry;
    }
  }
  if (maxEntry === nil) return undefined;
  if (isUnderAttack && !off['rank-between-levels']) return firstByRank(state, pruning);
  return { level: maxLevel, entry: maxEntry, rule: 'share' };
}

/**
 * What goes first while the node is under attack: promises count for nothing between levels either, which take turns by
 * rank. So whatever the peers of one level send, they hold up another level's contribution only as often as there are
 * peers ranked before it. The paper's return to ranking alone (section 3.6) thereby covers the choice between levels
 * too.
 *
 * A level's turn is that of the contribution that it would have verified. Windows that have grown beyond the initial
 * size do not count here: the best score in a wide one may rank far back, and everything ranked before it on other
 * levels, useful or not, would go first.
 *
 * Intentional divergence: in v1.03 section 3.3 a window counts as it is.
 */
function firstByRank(state: HandelState, pruning: Pruning): Decision {
  const { levels, pending } = state;
  let firstLevel = 0;
  let firstEntry = nil;
  let firstPlace = Number.POSITIVE_INFINITY;
  let firstShare = 0;
  for (let level = 1; level <= levels.count; level++) {
    if (pending.head(level) === nil) continue;
    const entry = bestInWindow(state, level, countedWindow(state, level, 'rank'), pruning);
    if (entry === nil) continue;
    const place = placeAmongLevels(state, level, entry);
    const share = shareOf(state, level, entry);
    if (place < firstPlace || (place === firstPlace && share > firstShare)) {
      firstPlace = place;
      firstShare = share;
      firstLevel = level;
      firstEntry = entry;
    }
  }
  return { level: firstLevel, entry: firstEntry, rule: 'rank' };
}

/** The ranks of a level's window that count: all of it, or under attack as many as it had at first. */
export function countedWindow({ levels, window, off }: HandelState, level: number, rule: Rule): number {
  const size = levels.window(level);
  return rule !== 'rank' || off['capped-window'] ? size : Math.min(size, window.initial);
}

/**
 * Whether the window of a level is smaller than its initial one, because much of what was verified on it was invalid.
 */
export function isDistrusted({ levels, window, off }: HandelState, level: number): boolean {
  return levels.window(level) < window.initial && !off.window;
}

/** The share of a level's peers, by what they weigh, that an entry would add to In_l. */
export function shareOf(state: HandelState, level: number, entry: number): number {
  return (state.pending.score(entry) - inStakeWeight(state, level)) / levelStakeWeight(state, level);
}

/**
 * About how many of the level's peers rank before the entry's sender; this makes ranks comparable between levels of
 * different sizes.
 */
export function placeAmongLevels({ levels, pending, priorities }: HandelState, level: number, entry: number): number {
  return Math.floor((pending.rank(entry) * levels.size(level)) / priorities.span);
}

/**
 * The best scoring entry of a level among those within the window of the best ranked one, which is one of as many ranks
 * as the window is large (v1.03 section 3.3; v1.0 section 3.8). Entries that cannot improve In_l are pruned on the way
 * and take no place in the window.
 *
 * @param window in ranks. Default: the level's.
 */
export function bestInWindow(
  state: HandelState,
  level: number,
  window = state.levels.window(level),
  pruning: Pruning = 'prunes',
): number {
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

/** How many ranks a window of that size covers, with what an experiment switched off. */
export function ranksOf({ off }: HandelState, window: number): number {
  return off.score ? 1 : off.window ? Number.POSITIVE_INFINITY : window;
}

/** An entry's score, which is remembered until In_l changes. */
function knownScore(state: HandelState, level: number, entry: number): number {
  const { pending } = state;
  let score = pending.score(entry);
  if (score === unscored) {
    score = entryScore(state, level, entry);
    pending.setScore(entry, score);
  }
  return score;
}

/** Takes the better contribution of an entry; the other one stays queued. */
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

/** Whether of an entry's two contributions the individual one is the better. */
export function isIndividualFirst(state: HandelState, level: number, entry: number): boolean {
  const { pending } = state;
  const aggregate = pending.aggregate(entry);
  if (aggregate === noContribution) return true;
  if (pending.individual(entry) === noContribution) return false;
  return individualScore(state, level, pending.sender(entry)) > state.rules.score(state, level, aggregate);
}

/** Made once: nodes often choose nothing, and mostly nothing beside the first. */
const nothing: readonly never[] = [];

/**
 * Picks what to verify next: one contribution, as the selection rule says. If the node verifies batches, the windows of
 * the other levels add one contribution each, in the order of the share of its level's peers that each would add, up to
 * the batch's size. None makes another useless: they are of different levels, and so of different senders and signers.
 *
 * Under attack a batch is one contribution, as in the paper. While a level with something queued has a window smaller
 * than its initial one, a joint check is likely to fail, and finding out who lied then takes more checks than verifying
 * each singly.
 *
 * Intentional divergence, where it is switched on: v1.03 section 6 verifies one contribution at a time. See
 * docs/concepts/batch-verification.md.
 */
export function chooseBatch(state: HandelState): readonly Choice[] {
  const first = state.rules.select(state, 'prunes');
  if (first === undefined) return nothing;
  const others = decideBeside(state, first, 'prunes');
  const chosen = [take(state, first.level, first.entry)];
  for (const { level, entry } of others) chosen.push(take(state, level, entry));
  return chosen;
}

/** What {@link chooseBatch} takes. */
export function decideBatch(state: HandelState, pruning: Pruning): readonly Decision[] {
  const first = state.rules.select(state, pruning);
  return first === undefined ? nothing : [first, ...decideBeside(state, first, pruning)];
}

/** What else a batch takes. */
function decideBeside(state: HandelState, first: Decision, pruning: Pruning): readonly Decision[] {
  const { batch: most = 1 } = state.config;
  if (most === 1 || isDistrusted(state, first.level)) return nothing;

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
  return others.slice(0, most - 1);
}

/** Has what was picked verified, at least one contribution. @returns the ticket. */
export function verifyPicked(port: Port, picked: readonly Choice[]): number {
  if (picked.length === 1) {
    const { contribution, level, sender } = picked[0]!;
    return port.verify(contribution, level, sender);
  }
  return port.verifyBatch!(
    picked.map(({ contribution }) => contribution),
    picked.map(({ level }) => level),
    picked.map(({ sender }) => sender),
  );
}
