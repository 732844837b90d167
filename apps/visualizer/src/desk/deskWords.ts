import type { Desk, DeskItem, DeskLevel, DeskVerdict } from '@tutti/simulation';
import { figure } from '../words.ts';

/** What is kept of a sender, in words. */
function whatOf({ sender, weight, hasIndividual }: DeskItem): string {
  const whose = `Node ${figure(sender)}’s`;
  if (weight === 0) return `${whose} individual contribution`;
  return `${whose} aggregate of ${figure(weight)}${hasIndividual ? ' and its individual contribution' : ''}`;
}

/** Why something stands where it does. */
export function why(item: DeskItem, level: DeskLevel): string {
  const { rank, score, place } = item;
  const gain = figure(score - level.inWeight);
  const what = whatOf(item);
  switch (place) {
    case 'window': {
      const rivals = level.items.filter((other) => other.place === 'window' && other.score > score);
      const turn =
        rivals.length === 0
          ? `Nothing in the [[window]] has a better [[score]]: it is the level’s next.`
          : `${figure(rivals.length)} in the [[window]] ${rivals.length === 1 ? 'has' : 'have'} a better [[score]].`;
      return `${what}: rank ${figure(rank)}, and the window reaches to ${lastRankWords(level)}. It would add ${gain}. ${turn}`;
    }
    case 'waits':
      return `${what} waits: it would add ${gain}, but its rank is ${figure(rank)}, and the [[window]] of ${figure(level.window)} reaches only to ${lastRankWords(level)}.`;
    case 'useless':
      return `${what} adds nothing: the level holds ${figure(level.inWeight)}, and would hold ${figure(score)} with it. It is [[pruning|pruned]] when its turn comes, without a check.`;
    case 'dormant':
      return `${what} adds nothing now, for it is in already. It is kept aside: what the level holds may be replaced by something heavier without it.`;
  }
}

function lastRankWords({ lastRank }: DeskLevel): string {
  return Number.isFinite(lastRank) ? `rank ${figure(lastRank)}` : 'the last rank';
}

/** What is under the lens, in words. */
export function lensWords({ checking }: Desk): string {
  const [first] = checking;
  if (first === undefined) return 'nothing to check';
  if (checking.length > 1)
    return `${checking.length} together, levels ${checking.map(({ level }) => level).join(', ')}`;
  const what = first.isIndividual ? 'own contribution' : `aggregate of ${figure(first.weight)}`;
  return `node ${figure(first.sender)}’s ${what}, level ${first.level}`;
}

/** The stamp on what was checked. */
export function stamp({ valid, adds, windowBefore, windowAfter }: DeskVerdict): string {
  if (!valid) return `a lie: window ${figure(windowBefore)} to ${figure(windowAfter)}`;
  return adds === 0 ? 'true, adds nothing' : `taken, adds ${figure(adds)}`;
}
