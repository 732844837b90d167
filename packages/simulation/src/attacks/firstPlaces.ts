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
    return victim === undefined ? [] : ranking(priorities, victim, others).slice(0, count);
  },
};

/** Returns the senders in the order in which a receiver verifies them. */
function ranking(priorities: VerificationPriorities, receiver: number, senders: readonly number[]): number[] {
  const ranked = senders.map((sender) => ({ sender, rank: priorities.rank(receiver, sender) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ sender }) => sender);
}

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

/**
 * Returns the number of receivers that can have only Byzantine senders in their first `places`, if the attacker chooses
 * `attackers` ids, the same for all receivers. A greedy search begins at each receiver in turn, and always continues
 * with the receiver that needs the fewest additional ids. The result is a lower bound for comparing two ways of drawing
 * priorities.
 */
export function maxVictims(
  priorities: VerificationPriorities,
  nodes: number,
  attackers: number,
  places: number,
): number {
  const ids = Array.from({ length: nodes }, (_, id) => id);
  const firsts = ids.map((victim) =>
    ranking(
      priorities,
      victim,
      ids.filter((id) => id !== victim),
    ).slice(0, places),
  );
  return Math.max(...ids.slice(0, searchStarts).map((first) => victimsFrom(first, firsts, attackers)));
}

/** Number of receivers at which the search of {@link maxVictims} begins. */
const searchStarts = 64;

/** @param firsts for each receiver, the senders that it ranks first. */
function victimsFrom(start: number, firsts: readonly (readonly number[])[], attackers: number): number {
  const lacking = Int32Array.from(firsts, (senders) => senders.length);
  const wanting: number[][] = firsts.map(() => []);
  for (const [receiver, senders] of firsts.entries()) for (const sender of senders) wanting[sender]!.push(receiver);
  /** Chosen ids and victims. A victim cannot be chosen. */
  const [chosen, victims] = [new Set<number>(), new Set<number>()];
  let next: number | undefined = start;
  while (next !== undefined) {
    victims.add(next);
    for (const sender of firsts[next]!) {
      if (chosen.has(sender)) continue;
      chosen.add(sender);
      for (const receiver of wanting[sender]!) lacking[receiver]!--;
    }
    let fewest = attackers - chosen.size + 1;
    next = undefined;
    for (const [receiver, count] of lacking.entries()) {
      if (count >= fewest || victims.has(receiver) || chosen.has(receiver)) continue;
      if (firsts[receiver]!.some((sender) => victims.has(sender))) continue;
      fewest = count;
      next = receiver;
    }
  }
  return victims.size;
}
