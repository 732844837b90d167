import { IndependentPriorities, invert, ShiftedPriorities, shuffleBy } from '@tutti/core';
import { toHex } from '@tutti/core/input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nobleCrypto } from '../crypto/noble.ts';
import { nodeCrypto } from '../crypto/node.ts';
import {
  beaconCommitment,
  beaconOf,
  beaconOfMembers,
  placementOf,
  prioritiesOf,
  roundSeed,
  seedBytes,
} from './seed.ts';

const digest = new Uint8Array(32).fill(7);
const seed = roundSeed(nodeCrypto, digest, 3);

describe('roundSeed (v1.0 section 4.3)', () => {
  it('has 256 bits derived from registry, round and beacon, the same in both libraries', () => {
    const beacons = [undefined, Uint8Array.of(1), Uint8Array.of(1, 0)];
    const seeds = [3, 4, 33, 3 * 2 ** 40].flatMap((round) =>
      beacons.flatMap((beacon) =>
        [digest, new Uint8Array(32)].map((of) => {
          const one = roundSeed(nodeCrypto, of, round, beacon);
          expect(one).toHaveLength(seedBytes);
          expect(one).toEqual(roundSeed(nobleCrypto, of, round, beacon));
          return toHex(one);
        }),
      ),
    );
    expect(new Set(seeds).size).toBe(24);
  });

  it.each([-1, 0.5, 2 ** 53])('refuses the round %d', (round) => {
    expect(() => roundSeed(nodeCrypto, digest, round)).toThrow(
      /^round: expected an integer from 0 to 9007199254740991/,
    );
  });

  it('refuses a digest of another length', () => {
    expect(() => roundSeed(nodeCrypto, digest.subarray(1), 0)).toThrow(
      new RangeError('digest: expected 32 bytes, got 31'),
    );
  });

  it('depends on the signers and the signature of the previous round', () => {
    const beacon = beaconOf({ bits: Uint8Array.of(7), signature: new Uint8Array(96).fill(1) });
    expect([...beacon]).toEqual([7, ...new Uint8Array(96).fill(1)]);
  });
});

describe('beaconOfMembers', () => {
  const members = [1, 2, 3].map((fill) => {
    const [publicKey, opening] = [new Uint8Array(48).fill(fill), new Uint8Array(32).fill(0x40 + fill)];
    return { publicKey, opening, commitment: beaconCommitment(nodeCrypto, publicKey, opening) };
  });
  const beacon = beaconOfMembers(nodeCrypto, members);

  it('depends on the openings of all members and on the members', () => {
    if (!beacon.ok) throw new Error('expected a beacon');
    expect(beaconOfMembers(nobleCrypto, members)).toEqual(beacon);
    const openedOtherwise = members.map(({ publicKey }, i) => {
      const opening = new Uint8Array(32).fill(i);
      return { publicKey, opening, commitment: beaconCommitment(nodeCrypto, publicKey, opening) };
    });
    for (const others of [members.slice(1), members.slice().reverse(), members.with(2, openedOtherwise[2]!)])
      expect(beaconOfMembers(nodeCrypto, others)).not.toEqual(beacon);
  });

  it('accepts only the opening that matches the commitment of its member', () => {
    const [, second, third] = members;
    const wrong = [
      { ...second!, opening: new Uint8Array(32) },
      { ...second!, opening: new Uint8Array(31) },
      { ...second!, opening: third!.opening, commitment: third!.commitment },
    ];
    for (const one of wrong)
      expect(beaconOfMembers(nodeCrypto, members.with(1, one))).toEqual({ ok: false, member: 1 });
    expect(() => beaconCommitment(nodeCrypto, second!.publicKey, new Uint8Array(31))).toThrow(
      new RangeError('opening: expected 32 bytes, got 31'),
    );
  });
});

describe('placementOf', () => {
  it.each([1, 2, 3, 13, 17, 64, 1000])('is a permutation of %i entries, the same in both libraries', (size) => {
    const placement = placementOf(nodeCrypto, size, seed);
    expect(invert(invert(placement))).toEqual(placement);
    expect([...placement].sort((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, i) => i));
    expect(placementOf(nobleCrypto, size, seed)).toEqual(placement);
  });

  it('depends on each bit of the seed', () => {
    const seen = new Set([placementOf(nodeCrypto, 64, seed).join()]);
    for (let bit = 0; bit < 256; bit++)
      seen.add(placementOf(nodeCrypto, 64, seed.with(bit >> 3, seed[bit >> 3]! ^ (1 << (bit & 7)))).join());
    expect(seen.size).toBe(257);
  });

  it('assigns each entry to each position equally often over many seeds', () => {
    const counts = Array.from({ length: 5 }, () => [0, 0, 0, 0, 0]);
    const rounds = 2000;
    for (let round = 0; round < rounds; round++)
      for (const [position, index] of placementOf(nodeCrypto, 5, roundSeed(nodeCrypto, digest, round)).entries())
        counts[position]![index]!++;
    // The standard deviation of a count is 18.
    for (const count of counts.flat()) expect(Math.abs(count - rounds / 5)).toBeLessThan(80);
  });

  it('skips only the words of the last, incomplete range', () => {
    // 2^32 - 1 is a multiple of 3. With three entries left, the largest word is therefore not used.
    const drawn = [0xffff_ffff, 0xffff_fffe, 0xffff_ffff, 0, 0, 0, 0, 0];
    const block = Uint8Array.from(drawn.flatMap((word) => [24, 16, 8, 0].map((shift) => (word >>> shift) & 0xff)));
    const given = [0xffff_fffe % 3, 0xffff_ffff % 2];
    const placement = placementOf({ ...nodeCrypto, sha256: () => block }, 3, seed);
    expect(placement).toEqual(shuffleBy(3, () => given.shift()!));
    expect(given).toEqual([]);
  });
});

describe('prioritiesOf', () => {
  const rows = (priorities: ReturnType<typeof prioritiesOf>) =>
    Array.from({ length: 16 }, (_, sender) => priorities.rank(2, sender)).join();

  it('returns rows of each kind, which depend on the seed alone', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (seed) => {
        for (const kind of ['independent', 'shifted'] as const)
          expect(rows(prioritiesOf(nodeCrypto, 16, seed, kind))).toBe(rows(prioritiesOf(nobleCrypto, 16, seed, kind)));
      }),
      { numRuns: 20 },
    );
    expect(prioritiesOf(nodeCrypto, 16, seed, 'independent')).toBeInstanceOf(IndependentPriorities);
    expect(prioritiesOf(nodeCrypto, 16, seed, 'shifted')).toBeInstanceOf(ShiftedPriorities);
  });
});
