import { mix32 } from '@tutti/core/packed';

/**
 * Halving levels for proofs: position = subnet x replicas + replica, so that every half of a level is a union of whole
 * subnets, and each half has an order of owners that all of its members know. Level 0 is one subnet; a half of level l
 * has branching^l subnets, the last one what is left.
 */
export interface Half {
  readonly level: number;
  /** From 0, in the order of the subnets. */
  readonly index: number;
}

/** Subnets [from, to) of a half. */
export function subnetsOfHalf({ level, index }: Half, subnets: number, branching: number): [number, number] {
  const width = branching ** level;
  return [index * width, Math.min(subnets, (index + 1) * width)];
}

/** Levels above the leaves: the half of that level is everything. */
export function topLevel(subnets: number, branching: number): number {
  let level = 0;
  while (branching ** level < subnets) level++;
  return level;
}

/** The halves of the level below that a half is made of, without those that no subnet is in. */
export function partsOfHalf({ level, index }: Half, subnets: number, branching: number): Half[] {
  const parts: Half[] = [];
  for (let part = index * branching; part < (index + 1) * branching; part++) {
    if (part * branching ** (level - 1) < subnets) parts.push({ level: level - 1, index: part });
  }
  return parts;
}

/**
 * The turning owners of a half: its positions in an order that changes with the slot. The first merges at once; the
 * k-th begins only when k turns have passed and no earlier one's proof of the half has come. An owner exists while any
 * position of the half lives, and nothing but the order depends on the slot, so no half is ever misaligned.
 *
 * @param positions of the half's members.
 */
export function ownersOf(half: Half, positions: readonly number[], slot: number): number[] {
  const key = (position: number) => mix32(mix32(mix32(mix32(slot) ^ half.level) ^ half.index) ^ position) >>> 0;
  return [...positions].sort((a, b) => key(a) - key(b) || a - b);
}
