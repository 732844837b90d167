import { describe, expect, test } from 'vitest';
import { bitsOf, infinity, uncompressedInfinity } from '../test/fixtures.ts';
import { loadBls, loadCommittees, type SumMethod } from './index.ts';
import { insecureSecretKey } from './insecureKeys.ts';

const [kernel, noble, committees] = await Promise.all([
  loadBls({ engine: 'wasm' }),
  loadBls({ engine: 'noble' }),
  loadCommittees(),
]);
const secretKey = insecureSecretKey(kernel, 1, 1);
const sumMethods: readonly SumMethod[] = ['naive', 'batched', 'subtraction'];

/** Returns the sum of a secret key and `by`. */
function later(secretKey: Uint8Array, by: number): Uint8Array {
  const sum = BigInt(`0x${Buffer.from(secretKey).toString('hex')}`) + BigInt(by);
  return Uint8Array.from(Buffer.from(sum.toString(16).padStart(64, '0'), 'hex'));
}

const keyAt = (keys: Uint8Array, i: number): Uint8Array => keys.subarray(96 * i, 96 * (i + 1));

describe('insecureConsecutiveKeys', () => {
  test('are the public keys of consecutive secret keys, all distinct', () => {
    const keys = committees.insecureConsecutiveKeys(secretKey, 40);
    expect(keys).toHaveLength(40 * 96);
    for (const i of [0, 1, 2, 17, 39])
      expect(noble.validatePublicKey(noble.publicKey(later(secretKey, i)))).toEqual({
        ok: true,
        point: Uint8Array.from(keyAt(keys, i)),
      });
    expect(new Set(Array.from({ length: 40 }, (_, i) => String(keyAt(keys, i)))).size).toBe(40);
  });

  test('refuses an invalid secret key and a count of 0', () => {
    expect(() => committees.insecureConsecutiveKeys(new Uint8Array(32), 1)).toThrow(
      /^secretKey: expected a scalar in 1..r-1/,
    );
    expect(() => committees.insecureConsecutiveKeys(new Uint8Array(31), 1)).toThrow(RangeError);
    expect(() => committees.insecureConsecutiveKeys(secretKey, 0)).toThrow(
      /^count: expected an integer of 1 or more, got 0/,
    );
  });
});

/**
 * Sizes around two limits: additions share inversions from 16 keys on, and a batch of shared inversions has at most 2048
 * additions.
 */
describe.each([1, 2, 3, 8, 13, 15, 16, 17, 33, 64, 2047, 2048, 2049, 4100])('a committee of %i keys', (size) => {
  const keys = committees.insecureConsecutiveKeys(secretKey, size);
  const committee = committees.committee(keys);
  const compressed = (i: number): Uint8Array => kernel.publicKey(later(secretKey, i));

  test.each([
    ['all', (_: number) => true],
    ['all but one', (i: number) => i !== size >> 1],
    ['nine in ten', (i: number) => (i * 7919) % 10 !== 0],
    ['half', (i: number) => i % 2 === 0],
    ['a few', (i: number) => i % 97 === 0],
  ])('sums %s of its keys to the same key by each method', (_, isPresent) => {
    const present = Array.from({ length: size }, (_, i) => i).filter(isPresent);
    const bits = bitsOf(present, size);
    const sums = sumMethods.map((method) => committee.sum(bits, method));
    for (const sum of sums) expect(sum).toEqual(sums[0]);
    if (size > 64) return;
    const expected = present.length === 0 ? infinity(48) : noble.aggregatePublicKeys(present.map(compressed));
    expect(noble.decodePublicKey(expected)).toEqual({ ok: true, point: sums[0] });
  });

  test('sums no keys to infinity', () => {
    for (const method of sumMethods) {
      const sum = committee.sum(bitsOf([], size), method);
      expect([sum[0], sum.subarray(1).every((byte) => byte === 0)]).toEqual([0x40, true]);
    }
  });
});

describe('a committee', () => {
  const keys = committees.insecureConsecutiveKeys(secretKey, 12);

  test('with equal keys, or keys that cancel out, sums them by each method', () => {
    const inverse = Uint8Array.from(keyAt(keys, 0));
    const negative = kernel.publicKey(secretKey);
    negative[0]! ^= 0x20;
    const negated = kernel.validatePublicKey(negative);
    if (!negated.ok) throw new Error(negated.code);
    const pairs = Array.from({ length: 20 }, () => [inverse, negated.point]).flat();
    const same = Array.from({ length: 40 }, () => inverse);
    const join = (list: Uint8Array[]): Uint8Array => Uint8Array.from(list.flatMap((key) => [...key]));
    const everyone = bitsOf([...same.keys()]);
    const [cancelling, copies] = [committees.committee(join(pairs)), committees.committee(join(same))];
    for (const method of sumMethods) {
      expect(cancelling.sum(everyone, method)[0]).toBe(0x40);
      const forty = noble.aggregatePublicKeys(same.map(() => kernel.publicKey(secretKey)));
      expect(noble.decodePublicKey(forty)).toEqual({ ok: true, point: copies.sum(everyone, method) });
    }
  });

  test('refuses bits of another length, and set beyond its keys', () => {
    const committee = committees.committee(keys);
    expect(() => committee.sum(new Uint8Array(1), 'naive')).toThrow(/^bits: expected 2 bytes, got 1 bytes/);
    expect(() => committee.sum(bitsOf([12], 16), 'batched')).toThrow(/^bits: expected no set bit from index 12 on/);
  });

  test('refuses invalid keys and an empty list', () => {
    expect(() => committees.committee(new Uint8Array())).toThrow(/^publicKeys: expected one key/);
    expect(() => committees.committee(keys.subarray(1))).toThrow(RangeError);
    expect(() => committees.committee(new Uint8Array(96))).toThrow(/^publicKeys: expected valid public keys/);
    expect(() => committees.committee(uncompressedInfinity(96))).toThrow(RangeError);
  });

  test('throws after free, and can be freed again', () => {
    const committee = committees.committee(keys);
    committee.free();
    committee.free();
    expect(() => committee.sum(bitsOf([], 12), 'naive')).toThrow(/expected a live committee, got a freed one/);
  });
});
