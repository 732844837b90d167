import type { VerificationPriorities } from '@tutti/core';
import type { Attack } from './attack.ts';
import { invalid } from './composedAttacks.ts';

/**
 * Attacks a round without the global shuffle (v1.0 section 4.3): the attacker chooses the ids that one victim ranks
 * first. The Byzantine nodes behave as in {@link invalid}. For the same round with the shuffle, use {@link invalid}
 * with the same share: its ids are drawn by seed.
 */
export const firstPlaces: Attack = {
  ...invalid,
  name: 'first-places',
  section: 'v1.0 4.3',
  aim: "Fills one victim's first verification places, so that the victim verifies all invalid contributions before honest ones.",
  choose(eligible, count, { priorities }) {
    const [victim, ...others] = eligible;
    if (victim === undefined) return [];
    return others.sort((a, b) => priorities.rank(victim, a) - priorities.rank(victim, b)).slice(0, count);
  },
};

/**
 * Returns, for one round, the number of Byzantine nodes that a receiver ranks before the first honest node other than
 * itself.
 */
export function byzantineBeforeHonest(
  priorities: VerificationPriorities,
  nodes: number,
  receiver: number,
  isByzantine: (id: number) => boolean,
): number {
  let firstHonest = Number.POSITIVE_INFINITY;
  const ranks: number[] = [];
  for (let id = 0; id < nodes; id++) {
    if (id === receiver) continue;
    const rank = priorities.rank(receiver, id);
    if (isByzantine(id)) ranks.push(rank);
    else firstHonest = Math.min(firstHonest, rank);
  }
  return ranks.filter((rank) => rank < firstHonest).length;
}
