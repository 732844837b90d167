import type { ExplainedLevel, QueueItem, QueueLevel, QueueVerdict, VerificationQueue } from '@tutti/simulation';
import type { TableLine } from '../files.ts';
import { capital, count, counted } from '../formatNumber.ts';

/**
 * Yields the column names and then the rows of a verification queue, from the highest level down. At each level, the
 * contributions that are being verified come first, then the waiting contributions in the order of the drawing.
 */
export function* queueNumbers({ levels, checking }: VerificationQueue): Generator<TableLine> {
  yield ['level', 'held', 'of', 'window', 'place', 'node', 'rank', 'score', 'weight', 'with_individual'];
  for (const { level, inWeight, size, window, items } of levels.toReversed()) {
    const row = [level, inWeight, size, Number.isFinite(window) ? window : null] as const;
    for (const { level: of, sender, weight, isIndividual } of checking)
      if (of === level) yield [...row, 'checked', sender, null, null, weight, isIndividual];
    for (const { place, sender, rank, score, weight, hasIndividual } of items)
      yield [...row, place, sender, rank, score, weight, hasIndividual];
  }
}

/** Describes the stored contributions of a sender. */
function whatOf({ sender, weight, hasIndividual }: QueueItem): string {
  const whose = `Node ${count(sender)}’s`;
  if (weight === 0) return `${whose} individual contribution`;
  return `${whose} aggregate of ${count(weight)}${hasIndividual ? ' and its individual contribution' : ''}`;
}

const whyReserved = 'A better aggregate that lacks this signature may later replace the current aggregate.';

/** Explains the position of an entry, based on the node's own decision. */
export function why(
  item: QueueItem,
  level: QueueLevel,
  queue: Pick<VerificationQueue, 'next' | 'levels' | 'checking'>,
): string {
  const { rank, adds, score, place } = item;
  const what = whatOf(item);
  const isPair = item.weight > 0 && item.hasIndividual;
  const claim = `${isPair ? 'They claim' : 'It claims'} to add ${counted(adds, 'signature')}`;
  switch (place) {
    case 'window':
      return `${what} ${isPair ? 'are' : 'is'} in the [[window]]. The sender has rank ${count(rank)}, and the window ends at ${lastRankWords(level)}. ${claim}. ${turnWords(item, level, queue)}`;
    case 'waits':
      return `${what} ${isPair ? 'wait' : 'waits'}. ${claim}, but the sender has rank ${count(rank)}, and the [[window]] of ${windowWords(level)} ends at ${lastRankWords(level)}.`;
    case 'pruned':
      return `${what} adds nothing: the level holds ${count(level.inWeight)} signatures and would hold ${count(score)} with it. It is [[pruning|pruned]] without a check when its turn comes.`;
    case 'aside':
      return item.weight === 0
        ? `${what} is already included on this level. When its turn comes, the node keeps it in reserve without a check. ${whyReserved}`
        : `${what} are already included on this level. When their turn comes, the node [[pruning|prunes]] the aggregate and keeps the individual contribution in reserve, without a check. ${whyReserved}`;
    case 'dormant':
      return `${what} is already included. The node keeps it in reserve. ${whyReserved}`;
  }
}

/**
 * Returns whether another contribution from an entry's sender is being verified on the same level. The result of this
 * verification decides whether the entry is still useful, so the entry is not named as next.
 */
export function isSenderChecked(
  { sender }: Pick<QueueItem, 'sender'>,
  { level }: Pick<QueueLevel, 'level'>,
  { checking }: Pick<VerificationQueue, 'checking'>,
): boolean {
  return checking.some((one) => one.sender === sender && one.level === level);
}

/** Describes which entry of the level is next, and whether the level itself is the next level. */
function turnWords(
  item: QueueItem,
  level: QueueLevel,
  { next, levels, checking }: Pick<VerificationQueue, 'next' | 'levels' | 'checking'>,
): string {
  if (isSenderChecked(item, level, { checking }))
    return `Another contribution from node ${count(item.sender)} is being verified. The result decides whether this contribution is still useful.`;
  const best = level.best!;
  if (item.sender !== best.sender) {
    const isTie = level.ties.some(({ sender }) => sender === item.sender);
    return isTie
      ? `Node ${count(best.sender)} claims the same gain and has a better rank (${count(best.rank)}).`
      : `Node ${count(best.sender)} claims to add ${counted(best.adds, 'signature')}, so its contribution goes first.`;
  }
  const tied =
    level.ties.length === 0
      ? 'No other contribution in the window claims the same gain'
      : `${listed(
          'Node',
          level.ties.map(({ sender }) => count(sender)),
        )} ${level.ties.length === 1 ? 'claims the same gain, but has a worse rank' : 'claim the same gain, but have worse ranks'}`;
  const [first] = next.next;
  const place = next.next.findIndex((one) => one.level === level.level);
  if (place === 0) return `${tied}, so this one goes next.`;
  if (place > 0)
    return `${tied}, so this one goes next, in the same batch as the contribution on level ${first!.level}.`;
  const waits = `${tied}, so this one is next on its level. Level ${first!.level} goes first.`;
  return next.rule === 'rank' ? `${waits} ${turnOrder(levels[first!.level - 1]!, [level], next.levelTies)}` : waits;
}

type Ready = Pick<ExplainedLevel, 'level' | 'turn' | 'best' | 'size'>;

/** Maximum number of levels named in a sentence. */
const maxNamed = 6;

/**
 * Compares the selected level with other levels by the rule that applies under attack: first the lowest estimate for
 * the peers that rank before; then the greatest share; then the lower level.
 *
 * @param ties levels with the same estimate and the same share as the selected level.
 */
function turnOrder(chosen: Ready, others: readonly Ready[], ties: readonly number[]): string {
  const tied = others.filter(({ turn }) => turn === chosen.turn);
  const estimate = `The estimated number of peers with a better rank, rounded down, is ${count(chosen.turn)} on ${levelsWords([chosen, ...tied])}`;
  if (tied.length === 0) {
    const least = Math.min(...others.map(({ turn }) => turn));
    return others.length === 1
      ? `${estimate} and ${count(least)} on level ${others[0]!.level}.`
      : `${estimate} and at least ${count(least)} on the other levels.`;
  }
  const equal = tied.filter(({ level }) => ties.includes(level));
  if (equal.length === 0)
    return `${estimate}. Of these levels, level ${chosen.level} claims the greatest share: ${shareWords(chosen)}.`;
  const all = [chosen, ...equal];
  return `${estimate}. Of these levels, ${levelsWords(all)} claim the greatest share (${all.slice(0, maxNamed).map(shareWords).join(', ')}), so the lower level goes first.`;
}

/**
 * Names levels in ascending order: "level 3", or "levels 2, 4 and 5"; beyond {@link maxNamed} levels, the text ends
 * with the number of remaining levels.
 */
function levelsWords(some: readonly Pick<Ready, 'level'>[]): string {
  const all = some.map(({ level }) => level).toSorted((a, b) => a - b);
  if (all.length > maxNamed) return `levels ${all.slice(0, maxNamed).join(', ')} and ${all.length - maxNamed} more`;
  return listed('level', all);
}

/** Describes the share that a contribution claims on a level. */
function shareWords({ best, size }: Ready): string {
  return `${count(best!.adds)} of ${count(size)}`;
}

/** Names one thing ("Node 3") or several ("Nodes 2, 4 and 5"). */
function listed(noun: string, names: readonly (string | number)[]): string {
  return names.length === 1 ? `${noun} ${names[0]}` : `${noun}s ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Describes the size of a window and, under attack, the part of the window that counts. */
function windowWords({ window, counted }: QueueLevel): string {
  if (!Number.isFinite(window)) return 'off';
  return counted < window ? `${count(window)}, of which ${count(counted)} count,` : count(window);
}

function lastRankWords({ lastRank }: QueueLevel): string {
  return Number.isFinite(lastRank) ? `rank ${count(lastRank)}` : 'the last rank';
}

/** Describes the contributions that are being verified. */
export function checkingWords({ checking }: VerificationQueue): string {
  const [first] = checking;
  if (first === undefined) return 'nothing';
  if (checking.length > 1)
    return `${checking.length} together, levels ${checking.map(({ level }) => level).join(', ')}`;
  const what = first.isIndividual ? 'individual contribution' : `aggregate of ${count(first.weight)}`;
  return `node ${count(first.sender)}’s ${what}, level ${first.level}`;
}

/** Explains why the contribution being verified was selected; empty if there is none. */
export function whyThisOne({ choice }: VerificationQueue): string {
  const [first] = choice?.next ?? [];
  if (choice === undefined || first === undefined) return '';
  const { level } = first;
  const chosen = choice.levels[level - 1]!;
  const ready = choice.levels.filter(({ best }) => best !== undefined);
  const within =
    chosen.ties.length === 0
      ? ''
      : ` On this level, ${listed(
          'node',
          chosen.ties.map(({ sender }) => count(sender)),
        )} claimed the same gain but ranked lower.`;
  const batch =
    choice.next.length === 1 ? '' : ' The best contributions of other levels are verified in the same batch.';
  return `${betweenLevels(chosen, ready, choice.rule === 'rank', choice.levelTies)}${within}${batch}`;
}

function betweenLevels(
  chosen: ExplainedLevel,
  ready: readonly ExplainedLevel[],
  isByRank: boolean,
  ties: readonly number[],
): string {
  const others = ready.filter(({ level }) => level !== chosen.level);
  if (others.length === 0) return `Only level ${chosen.level} had a useful contribution.`;
  if (isByRank) {
    const cause = ready.filter(({ isDistrusted }) => isDistrusted);
    return `${capital(levelsWords(cause))} received invalid contributions, so the node orders levels by rank. ${turnOrder(chosen, others, ties)}`;
  }
  const gain = (one: ExplainedLevel) => `${shareWords(one)} on level ${one.level}`;
  const equal = others.filter(({ level }) => ties.includes(level));
  if (equal.length > 0)
    return `The best contributions claim these shares of their levels: ${[chosen, ...equal].map(gain).join(', ')}. The shares are equal, so the lower level goes first.`;
  const second = others.toSorted((a, b) => b.best!.adds / b.size - a.best!.adds / a.size)[0]!;
  return `The best contributions claim these shares of their levels: ${gain(chosen)}, ${gain(second)}. The greater share goes first.`;
}

/** Returns the text of the stamp for a verified contribution. */
export function stamp({ valid, adds, windowBefore, windowAfter }: QueueVerdict): string {
  if (!valid) return `invalid: window ${count(windowBefore)} to ${count(windowAfter)}`;
  return adds === 0 ? 'valid, adds nothing' : `valid, adds ${count(adds)}`;
}
