import type { RandomStream } from '@tutti/core';
import { bitfieldBytes, setBit } from '@tutti/core/horn';
import { requireMethods } from '@tutti/core/input';

/**
 * Returns a bitfield with exactly this number of ones at random places. The places are random because the shuffle does
 * not depend on who votes.
 */
export function randomBitfield(bits: number, ones: number, random: RandomStream): Uint8Array {
  requireMethods('random', random, ['nextUnit']);
  const bitfield = new Uint8Array(bitfieldBytes(bits));
  let missing = ones;
  for (let index = 0; index < bits; index++) {
    if (random.nextUnit() * (bits - index) >= missing) continue;
    setBit(bitfield, index);
    missing--;
  }
  return bitfield;
}

/** A bitfield that a hostile aggregator might construct so that it compresses badly. */
export interface HostileBitfield {
  readonly name: string;
  make(bits: number, random: RandomStream): Uint8Array;
}

/** Bitfields that compress badly with at least one coding. */
export const hostileBitfields: readonly HostileBitfield[] = [
  { name: 'half of the votes, at random', make: (bits, random) => randomBitfield(bits, bits >>> 1, random) },
  { name: 'every other vote', make: (bits) => bitfieldWhere(bits, (index) => index % 2 === 1) },
  ...[8, 16, 20, 32].map((stretch) => ({
    name: `one vote missing from every ${stretch}, at random`,
    make: (bits: number, random: RandomStream) => {
      let missing = 0;
      return bitfieldWhere(bits, (index) => {
        if (index % stretch === 0) missing = random.nextBelow(stretch);
        return index % stretch !== missing;
      });
    },
  })),
];

/** Returns a bitfield whose bits are set where the predicate holds. It is called once per bit, in order. */
export function bitfieldWhere(bits: number, isSet: (index: number) => boolean): Uint8Array {
  const bitfield = new Uint8Array(bitfieldBytes(bits));
  for (let index = 0; index < bits; index++) if (isSet(index)) setBit(bitfield, index);
  return bitfield;
}
