import { expect, it } from 'vitest';
import { size } from './curve.ts';
import type { Pixel } from './pixel.ts';
import { secretKeyHeaderBytes } from './secretKey.ts';
import { stolenKeyReport } from './stolenKey.ts';

const timeAt = (bytes: Uint8Array, at: number) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
const message = (period: number) => Uint8Array.of(period);
const stolen = new Uint8Array(secretKeyHeaderBytes + 5);
new DataView(stolen.buffer).setUint32(secretKeyHeaderBytes, 7);

/**
 * Creates a scheme in which a key has the sub-keys of its own period and of the next two. A signature contains its
 * period and, in its last byte, the period of the signing key. `holds` determines whether a verifier accepts a
 * signature.
 */
function schemeThat(holds: (named: number, made: number) => boolean) {
  const timeOf = (key: Uint8Array) => timeAt(key, secretKeyHeaderBytes);
  const scheme: Pick<Pixel, 'timeOf' | 'subkeyTimes' | 'sign' | 'update' | 'verify'> = {
    timeOf,
    subkeyTimes: (key) => [0, 1, 2].map((later) => timeOf(key) + later),
    sign(key, text) {
      // A stolen key with an overwritten period still contains the secrets of its original period.
      const signature = new Uint8Array(size.suite + size.time + 2);
      new DataView(signature.buffer).setUint32(size.suite, timeOf(key));
      signature.set([text[0]!, key[0] === 0 ? 7 : key[0]!], size.suite + size.time);
      return signature;
    },
    update(key, to) {
      if (to < timeOf(key)) throw new RangeError('time: expected a later one');
      const later = Uint8Array.from(key);
      later[0] = to;
      new DataView(later.buffer).setUint32(secretKeyHeaderBytes, to);
      return later;
    },
    verify: (_, period, text, signature) =>
      timeAt(signature, size.suite) === period &&
      (text[0] === signature.at(-2) || signature.at(-2) === 7 || signature.at(-2) === period) &&
      holds(period, signature.at(-1)!),
  };
  return scheme as Pixel;
}

const reported = (holds: (named: number, made: number) => boolean) =>
  stolenKeyReport(schemeThat(holds), new Uint8Array(49), stolen, [3, 5], message);

it('finds no earlier key if a signature verifies only at the period of its key', () => {
  expect(reported((named, made) => named === made)).toEqual({
    period: 7,
    subkeyTimes: [7, 8, 9],
    signsAtOwnPeriod: true,
    earlier: [
      // The five attempts: an update to an earlier period, an overwritten period in the key, an overwritten period in
      // the signature, and each of two later sub-keys.
      { period: 3, forged: false, attempts: 5 },
      { period: 5, forged: false, attempts: 5 },
    ],
  });
});

it('finds an earlier key if an overwritten period is trusted, by the key or by a sub-key', () => {
  expect(reported(() => true).earlier.map(({ forged }) => forged)).toEqual([true, true]);
  expect(reported((_, made) => made === 7).earlier.map(({ forged }) => forged)).toEqual([true, true]);
  expect(reported((_, made) => made === 9).earlier.map(({ forged }) => forged)).toEqual([true, true]);
});
