import { describe, expect, test } from 'vitest';
import { bitsOf, hexBytes, infinity, negated, pointOf, toHex, uncompressedInfinity } from '../test/fixtures.ts';
import { joinBytes } from './arguments.ts';
import { loadBls, loadCommittees, type SumMethod } from './index.ts';
import { insecureSecretKey } from './insecureKeys.ts';

const [kernel, noble, committees] = await Promise.all([
  loadBls({ engine: 'wasm' }),
  loadBls({ engine: 'noble' }),
  loadCommittees(),
]);
const secretKey = insecureSecretKey(kernel, 1, 1);
const sumMethods: readonly SumMethod[] = ['naive', 'batched', 'subtraction'];

/** Returns the sum of the secret key and `by`. */
const later = (by: number): Uint8Array =>
  hexBytes((BigInt(toHex(secretKey)) + BigInt(by)).toString(16).padStart(64, '0'));

describe('insecureConsecutiveKeys', () => {
  test('are the public keys of consecutive secret keys', () => {
    const keys = committees.insecureConsecutiveKeys(secretKey, 40);
    expect(keys).toHaveLength(40 * 96);
    for (const i of [0, 1, 2, 17, 39])
      expect(pointOf(noble.validatePublicKey(noble.publicKey(later(i))))).toEqual(keys.slice(96 * i, 96 * (i + 1)));
  });

  test('refuses an invalid secret key and a count out of range', () => {
    expect(() => committees.insecureConsecutiveKeys(new Uint8Array(32), 1)).toThrow(
      /^secretKey: expected a scalar in 1..r-1/,
    );
    expect(() => committees.insecureConsecutiveKeys(new Uint8Array(31), 1)).toThrow(RangeError);
    for (const count of [0, 2 ** 20 + 1, 2 ** 32 + 1])
      expect(() => committees.insecureConsecutiveKeys(secretKey, count)).toThrow(
        `count: expected an integer from 1 to 1048576, got ${count}`,
      );
  });
});

/** Sizes around two limits: 16 keys share inversions, and a batch has at most 2048 additions. */
describe.each([1, 2, 3, 8, 13, 15, 16, 17, 33, 64, 2047, 2048, 2049, 4100])('a committee of %i keys', (size) => {
  const keys = committees.insecureConsecutiveKeys(secretKey, size);
  const committee = committees.committee(keys);
  const compressed = (i: number): Uint8Array => kernel.publicKey(later(i));

  test.each([
    ['all', (_: number) => true],
    ['all but one', (i: number) => i !== size >> 1],
    ['nine in ten', (i: number) => (i * 7919) % 10 !== 0],
    ['half', (i: number) => i % 2 === 0],
    ['a few', (i: number) => i % 97 === 0],
    ['none', () => false],
  ])('sums %s of its keys to the same key by each method', (_, isPresent) => {
    const present = Array.from({ length: size }, (_, i) => i).filter(isPresent);
    const bits = bitsOf(present, size);
    const sums = sumMethods.map((method) => committee.sum(bits, method));
    for (const sum of sums) expect(sum).toEqual(sums[0]);
    if (size > 64 && present.length > 0) return;
    const expected = present.length === 0 ? infinity(48) : noble.aggregatePublicKeys(present.map(compressed));
    expect(noble.decodePublicKey(expected)).toEqual({ ok: true, point: sums[0] });
  });
});

describe('a committee', () => {
  const keys = committees.insecureConsecutiveKeys(secretKey, 12);

  test('with equal keys, or keys that cancel out, sums them by each method', () => {
    const key = kernel.publicKey(secretKey);
    const [point, inverse] = [key, negated(key)].map((bytes) => pointOf(kernel.validatePublicKey(bytes)));
    const pairs = Array.from({ length: 20 }, () => [point!, inverse!]).flat();
    const same = Array.from({ length: 40 }, () => point!);
    const everyone = bitsOf([...same.keys()]);
    const [cancelling, copies] = [pairs, same].map((list) => committees.committee(joinBytes(list)));
    const forty = pointOf(noble.decodePublicKey(noble.aggregatePublicKeys(same.map(() => key))));
    for (const method of sumMethods) {
      expect(cancelling!.sum(everyone, method)).toEqual(uncompressedInfinity(96));
      expect(copies!.sum(everyone, method)).toEqual(forty);
    }
  });

  test('refuses bits of another length, and set beyond its keys, and an unknown method', () => {
    const committee = committees.committee(keys);
    expect(() => committee.sum(new Uint8Array(1), 'naive')).toThrow(/^bits: expected 2 bytes, got 1 bytes/);
    expect(() => committee.sum(bitsOf([12], 16), 'batched')).toThrow(/^bits: expected no set bit from index 12 on/);
    expect(() => committee.sum(bitsOf([], 12), 'fast' as SumMethod)).toThrow(
      /^method: expected one of .*, got "fast"$/,
    );
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
