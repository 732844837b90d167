import { expect, it } from 'vitest';
import { insecureIdentities, ringOf } from '../../tests/rings.ts';
import { decodeRing, maxMembers } from './ring.ts';

const identities = insecureIdentities(3);
const [a, b, c] = identities.map(({ publicKey }) => publicKey) as [Uint8Array, Uint8Array, Uint8Array];

it('keys form a ring that stores their positions', () => {
  const ring = ringOf(identities.slice(0, 2));
  expect(ring.size).toBe(2);
  expect([a, b, c, Uint8Array.of(...a, 0)].map((key) => ring.indexOf(key))).toEqual([0, 1, -1, -1]);
});

it('a ring copies its keys', () => {
  const mine = Uint8Array.from(a);
  const read = decodeRing([mine]);
  mine.fill(0);
  expect(read.ok && read.ring.keys[0]).toEqual(a);
});

it('invalid keys of a ring have a code and a position', () => {
  for (const [keys, code, index] of [
    [[], 'size', 0],
    [Array.from({ length: maxMembers + 1 }, () => a), 'size', maxMembers + 1],
    [[a, b, a], 'duplicate', 2],
    [[a, b.subarray(1)], 'length', 1],
    [[new Uint8Array(32)], 'identity', 0],
    [[new Uint8Array(32).fill(0xff)], 'encoding', 0],
  ] as const)
    expect(decodeRing(keys)).toEqual({ ok: false, code, index });
  expect(() => decodeRing('keys' as unknown as Uint8Array[])).toThrow(TypeError);
});

/** RFC 9496, appendix A.2: invalid encodings, which every decoder must reject. */
it('refuses the invalid encodings of RFC 9496', () => {
  for (const hex of [
    '00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '0100000000000000000000000000000000000000000000000000000000000000',
    '01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371',
  ]) {
    const bytes = Uint8Array.from(hex.match(/../g)!, (digits) => Number.parseInt(digits, 16));
    expect(decodeRing([bytes]), hex).toEqual({ ok: false, code: 'encoding', index: 0 });
  }
});
