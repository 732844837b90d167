import { insecureSeed } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { identityKeyGen } from './identityKey.ts';
import { decodeRing, maxMembers } from './ring.ts';

const key = (fill: number) => identityKeyGen(insecureSeed('identity', 1, fill)).publicKey;
const [a, b, c] = [key(1), key(2), key(3)];

it('keys form a ring that stores their positions', () => {
  const read = decodeRing([a, b]);
  expect(read.ok && [read.ring.size, read.ring.indexOf(a), read.ring.indexOf(b), read.ring.indexOf(c)]).toEqual([
    2, 0, 1, -1,
  ]);
  expect(read.ok && read.ring.indexOf(new Uint8Array([...a, 0]))).toBe(-1);
});

it('a ring copies its keys', () => {
  const mine = Uint8Array.from(a);
  const read = decodeRing([mine]);
  mine.fill(0);
  expect(read.ok && read.ring.keys[0]).toEqual(a);
});

it('invalid keys of a ring have a code and a position', () => {
  expect(decodeRing([])).toEqual({ ok: false, code: 'size', index: 0 });
  const many = Array.from({ length: maxMembers + 1 }, () => a);
  expect(decodeRing(many)).toEqual({ ok: false, code: 'size', index: maxMembers + 1 });
  expect(decodeRing([a, b, a])).toEqual({ ok: false, code: 'duplicate', index: 2 });
  expect(decodeRing([a, b.subarray(1)])).toEqual({ ok: false, code: 'length', index: 1 });
  expect(decodeRing([new Uint8Array(32)])).toEqual({ ok: false, code: 'identity', index: 0 });
  expect(decodeRing([new Uint8Array(32).fill(0xff)])).toEqual({ ok: false, code: 'encoding', index: 0 });
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
