import { insecureSeed, roundVerdicts } from '@tutti/wasm-bls';
import { describe, expect, test } from 'vitest';
import {
  bitsOf,
  compressedX,
  infinity,
  modulus,
  negated,
  offCurveX,
  outsideG1X,
  outsideG2X,
  pointOf,
} from '../../../packages/wasm-bls/test/fixtures.ts';
import { lastTime, type Pixel, signatureTime } from '../src/index.ts';

const message = new TextEncoder().encode('tutti');
const otherMessage = new TextEncoder().encode('soli');
const empty = new Uint8Array();

const join = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const changed = (bytes: Uint8Array, at: number, by = 1): Uint8Array =>
  Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ by : byte));

/** Tests that every curve library passes under every suite. */
export function describePixel(pixel: Pixel): void {
  const pairs = [1, 2, 3].map((fill) => pixel.keyGen(insecureSeed('signing', 1, fill)));
  const publicKeys = pairs.map(({ publicKey }) => publicKey);
  const secretKeys = pairs.map(({ secretKey }) => secretKey);
  const signatures = secretKeys.map((key) => pixel.sign(key, message));
  const [publicKey, secretKey, signature] = [publicKeys[0]!, secretKeys[0]!, signatures[0]!];
  const proof = pairs[0]!.proofOfPossession;
  const suite = publicKey[0]!;
  /** Returns the secret key for a time, updated in one step from time 1. */
  const keyAt = (time: number): Uint8Array => pixel.update(Uint8Array.from(secretKey), time, empty);
  const third = keyAt(3);

  /** Signatures that a malicious peer might send, with their error codes. */
  const header = signature.subarray(0, 5);
  const [g1, g2] = [signature.subarray(5, 53), signature.subarray(53)];
  const hostile: [name: string, bytes: Uint8Array, code: string][] = [
    ['no bytes', empty, 'length'],
    ['one byte too few', signature.subarray(1), 'length'],
    ['one byte too many', join(signature, empty, Uint8Array.of(0)), 'length'],
    ['another suite', changed(signature, 0), 'wrong-suite'],
    ['time 0', join(Uint8Array.of(suite, 0, 0, 0, 0), g1, g2), 'time-out-of-range'],
    ['zeroes in G1', join(header, new Uint8Array(48), g2), 'encoding'],
    ['a coordinate that is the modulus', join(header, compressedX(48, modulus), g2), 'encoding'],
    ['no point of the first curve', join(header, compressedX(48, offCurveX), g2), 'not-on-curve'],
    ['no point of the second curve', join(header, g1, compressedX(96, offCurveX)), 'not-on-curve'],
    ['a first point outside its subgroup', join(header, compressedX(48, outsideG1X), g2), 'not-in-subgroup'],
    ['a second point outside its subgroup', join(header, g1, compressedX(96, outsideG2X)), 'not-in-subgroup'],
    ['infinity with the sign flag', join(header, g1, changed(infinity(96), 0, 0x20)), 'encoding'],
  ];

  describe('keyGen', () => {
    test('gives a public key of 49 bytes, a proof of 97 and the secret key of time 1', () => {
      expect([publicKey.length, proof.length, secretKey.length]).toEqual([49, 97, 3287]);
      expect(pixel.timeOf(secretKey)).toBe(1);
      expect(pixel.verifySecretKey(publicKey, secretKey)).toBe(true);
    });

    test('takes 32 bytes, and throws on 31', () => {
      expect(() => pixel.keyGen(new Uint8Array(31))).toThrow(/seed: expected 32 bytes or more, got 31 bytes/);
    });
  });

  describe('proof of possession', () => {
    test("is the key's, and no other's", () => {
      expect(pixel.verifyPossession(publicKey, proof)).toBe(true);
      const infinite = [48, 96].map((length) => join(Uint8Array.of(suite), infinity(length))) as [
        Uint8Array,
        Uint8Array,
      ];
      const others: [key: Uint8Array, proof: Uint8Array][] = [
        ...[publicKeys[1]!, changed(publicKey, 0)].map((key): [Uint8Array, Uint8Array] => [key, proof]),
        ...[negatedAt(proof, 1), changed(proof, 0), proof.subarray(1)].map((bad): [Uint8Array, Uint8Array] => [
          publicKey,
          bad,
        ]),
        infinite,
      ];
      for (const [key, bytes] of others) expect(pixel.verifyPossession(key, bytes)).toBe(false);
    });
  });

  describe('sign and verify', () => {
    test('agree, on 149 bytes that name their time, on a decoded signature and on the empty message', () => {
      expect(signature).toHaveLength(149);
      expect(signatureTime(signature)).toBe(1);
      expect(pixel.verify(publicKey, 1, message, signature)).toBe(true);
      expect(pixel.sign(secretKey, message)).toEqual(signature);
      expect(pixel.verify(publicKey, 1, empty, pixel.sign(secretKey, empty))).toBe(true);
      expect(pixel.verify(publicKey, 1, message, pointOf(pixel.decodeSignature(signature)))).toBe(true);
    });

    test('another key, time, message, point or suite is false', () => {
      expect(pixel.verify(publicKeys[1]!, 1, message, signature)).toBe(false);
      expect(pixel.verify(publicKey, 2, message, signature)).toBe(false);
      expect(pixel.verify(publicKey, 1, otherMessage, signature)).toBe(false);
      expect(pixel.verify(publicKey, 1, message, negatedAt(signature, 5))).toBe(false);
      expect(pixel.verify(publicKey, 1, message, negatedAt(signature, 53))).toBe(false);
      expect(pixel.verify(changed(publicKey, 0), 1, message, signature)).toBe(false);
      // The same points in a signature with another time.
      expect(pixel.verify(publicKey, 3, message, join(Uint8Array.of(suite, 0, 0, 0, 3), g1, g2))).toBe(false);
    });

    test('infinity is no point of a signature, and no key', () => {
      const nothing = join(header, infinity(48), infinity(96));
      expect(pixel.verify(publicKey, 1, message, nothing)).toBe(false);
      expect(pixel.verify(publicKey, 1, message, join(header, infinity(48), g2))).toBe(false);
      expect(pixel.verify(publicKey, 1, message, join(header, g1, infinity(96)))).toBe(false);
      expect(pixel.verify(join(Uint8Array.of(suite), infinity(48)), 1, message, nothing)).toBe(false);
    });

    test.each(hostile)('%s is false, and refused by its code', (_, bytes, code) => {
      expect(pixel.verify(publicKey, 1, message, bytes)).toBe(false);
      expect(pixel.decodeSignature(bytes)).toEqual({ ok: false, code });
    });

    test('an invalid time throws', () => {
      expect(() => pixel.verify(publicKey, 0, message, signature)).toThrow(RangeError);
      expect(() => pixel.verify(publicKey, lastTime + 1, message, signature)).toThrow(/^time: expected/);
    });
  });

  describe('update', () => {
    test('overwrites the old key, and signs at the new time only', () => {
      const old = Uint8Array.from(secretKey);
      const updated = pixel.update(old, 2, empty);
      expect(old.every((byte) => byte === 0)).toBe(true);
      expect(pixel.timeOf(updated)).toBe(2);
      const later = pixel.sign(updated, message);
      expect(pixel.verify(publicKey, 2, message, later)).toBe(true);
      expect(pixel.verify(publicKey, 1, message, join(header, later.subarray(5)))).toBe(false);
    });

    test('jumps to a later time, and keeps a key that checks', () => {
      for (const time of [3, 2 ** 31 + 1, lastTime]) {
        const updated = keyAt(time);
        expect(pixel.timeOf(updated)).toBe(time);
        expect(pixel.verifySecretKey(publicKey, updated)).toBe(true);
        expect(pixel.verify(publicKey, time, message, pixel.sign(updated, message))).toBe(true);
      }
    });

    test('mixes fresh entropy in', () => {
      const [one, two] = [1, 2].map((fill) => pixel.update(Uint8Array.from(secretKey), 2, Uint8Array.of(fill)));
      expect(one).not.toEqual(two);
      expect(pixel.verifySecretKey(publicKey, two!)).toBe(true);
    });

    test('never goes back, or past the last time, and then leaves the key as it was', () => {
      const before = Uint8Array.from(third);
      for (const time of [0, 1, 2, 3]) expect(() => pixel.update(third, time, empty)).toThrow(/^time: expected/);
      expect(() => pixel.update(third, lastTime + 1, empty)).toThrow(RangeError);
      expect(third).toEqual(before);
    });
  });

  describe('a secret key', () => {
    test('of another public key, or changed anywhere, does not check', () => {
      expect(pixel.verifySecretKey(publicKeys[1]!, secretKey)).toBe(false);
      expect(pixel.verifySecretKey(publicKey, secretKey.subarray(1))).toBe(false);
      // The test changes the signs of g2r, of hpoly, and of the last element of hvector.
      for (const at of [71, 119, 3287 - 96])
        expect(pixel.verifySecretKey(publicKey, changed(secretKey, at, 0x20))).toBe(false);
    });

    test('an invalid one is named by its fault, and refused where one is needed', () => {
      expect(pixel.secretKeyFault(secretKey)).toBeUndefined();
      expect(pixel.secretKeyFault(secretKey.subarray(1))).not.toBeUndefined();
      expect(pixel.secretKeyFault(changed(secretKey, 0))).toBe('wrong-suite');
      expect(() => pixel.sign(changed(secretKey, 0), message)).toThrow(/^secretKey: .* got wrong-suite/);
    });
  });

  describe('aggregation', () => {
    const sum = pixel.aggregateSignatures(signatures);

    test('verifies under the aggregate key', () => {
      expect(sum).toHaveLength(149);
      expect(pixel.verify(pixel.aggregatePublicKeys(publicKeys), 1, message, sum)).toBe(true);
      expect(pixel.verify(pixel.aggregatePublicKeys(publicKeys.slice(1)), 1, message, sum)).toBe(false);
    });

    test('counts a key as often as its signature', () => {
      const twice = pixel.aggregateSignatures([signature, signature]);
      expect(pixel.verify(pixel.aggregatePublicKeys([publicKey, publicKey]), 1, message, twice)).toBe(true);
    });

    test('by two decoded ones is the same, and comes back from its bytes', () => {
      const points = signatures.map((bytes) => pointOf(pixel.decodeSignature(bytes)));
      const added = points.reduce((a, b) => pixel.addSignatures(a, b));
      expect(pixel.encodeSignature(added)).toEqual(sum);
      expect(pointOf(pixel.decodeSignature(sum))).toEqual(added);
    });

    test('of different times, of nothing and of what does not decode throws', () => {
      const other = pixel.sign(third, message);
      expect(() => pixel.aggregateSignatures([signature, other])).toThrow(
        /^b: expected a's suite \d+ and time 1, got suite \d+ and time 3/,
      );
      expect(() => pixel.aggregateSignatures([])).toThrow(RangeError);
      expect(() => pixel.aggregateSignatures([signature, empty])).toThrow(/^signatures\[1\]: .* got length/);
      expect(() => pixel.aggregatePublicKeys([publicKey, empty])).toThrow(/^publicKeys\[1\]/);
      expect(() => pixel.encodeSignature(new Uint8Array(293).fill(0xff))).toThrow(RangeError);
    });
  });

  describe('a committee, whose e(pk, h) is kept', () => {
    test('verifies as the aggregate key does, at any time', () => {
      const committee = pixel.committee(publicKeys);
      const sum = pixel.aggregateSignatures(signatures);
      expect(committee.verify(1, message, sum)).toBe(true);
      expect(committee.verify(1, otherMessage, sum)).toBe(false);
      expect(committee.verify(2, message, sum)).toBe(false);
      expect(committee.verify(1, message, signature)).toBe(false);
      for (const [, bytes] of hostile) expect(committee.verify(1, message, bytes)).toBe(false);
      committee.free();
      committee.free();
      expect(() => committee.verify(1, message, sum)).toThrow(/expected a live one/);
    });

    test('of no keys, of none that is valid, or of keys that cancel out throws', () => {
      expect(() => pixel.committee([])).toThrow(RangeError);
      expect(() => pixel.committee([publicKey, negatedAt(publicKey, 1)])).toThrow(RangeError);
      expect(() => pixel.committee([join(Uint8Array.of(suite), infinity(48))])).toThrow(RangeError);
    });
  });

  describe('round (Handel v1.03, section 2.1)', () => {
    const points = publicKeys.map((key) => pointOf(pixel.validatePublicKey(key)));
    const round = pixel.round(points, 1, message);
    const sum = pixel.aggregateSignatures(signatures.slice(1));
    const valid = [
      { first: 0, bits: bitsOf([0]), signature },
      { first: 1, bits: bitsOf([0, 1]), signature: pointOf(pixel.decodeSignature(sum)) },
    ];

    test('takes signatures of 149 and of 293 bytes', () => {
      for (const { first, bits, signature } of valid) expect(round.verify(first, bits, signature)).toBe(true);
      expect(round.verify(1, bitsOf([0]), sum)).toBe(false);
      expect(round.verify(0, bitsOf([0, 3]), signature)).toBe(false);
      expect(round.verify(0, bitsOf([]), signature)).toBe(false);
    });

    test('takes keys of 49 bytes too', () => {
      const other = pixel.round(publicKeys, 3, message);
      expect(other.verify(0, bitsOf([0]), pixel.sign(third, message))).toBe(true);
      expect(other.verify(0, bitsOf([0]), signature)).toBe(false);
      other.free();
      expect(() => other.verify(0, bitsOf([0]), signature)).toThrow(/freed/);
    });

    test('refuses hostile signatures, and throws on a caller that errs', () => {
      for (const [, bytes] of hostile) expect(round.verify(0, bitsOf([0]), bytes)).toBe(false);
      expect(() => round.verify(-1, bitsOf([0]), signature)).toThrow(/^first/);
      expect(() => pixel.round([], 1, message)).toThrow(RangeError);
      expect(() => pixel.round([publicKey, empty], 1, message)).toThrow(/^publicKeys\[1\]: .* got length/);
    });

    test('verifyBatch is true of valid claims, and false for a lie at any place', () => {
      expect(round.verifyBatch(valid)).toBe(true);
      expect(round.verifyBatch([])).toBe(true);
      expect(() => round.verifyBatch([...valid, undefined as never])).toThrow(/^claims\[\d+\]: expected/);
      for (const place of [0, 1])
        for (const lie of [signatures[2]!, empty, infinity(96), pixel.sign(third, message)]) {
          const claims = valid.map((claim, i) => (i === place ? { ...claim, signature: lie } : claim));
          expect(round.verifyBatch(claims)).toBe(false);
          expect(roundVerdicts(round, claims)).toEqual(valid.map((_, i) => i !== place));
        }
    });

    test('verifyBatch is false for forgeries that cancel each other', () => {
      const moved = (claim: Uint8Array, by: Uint8Array): Uint8Array =>
        pixel.addSignatures(pointOf(pixel.decodeSignature(claim)), pointOf(pixel.decodeSignature(by)));
      const delta = signatures[2]!;
      const pair = [
        { ...valid[0]!, signature: moved(signature, delta) },
        { ...valid[1]!, signature: moved(sum, negatedAt(negatedAt(delta, 5), 53)) },
      ];
      expect(round.verifyBatch(pair)).toBe(false);
    });
  });
}

/** Returns a copy in which the point at this byte offset is negated. */
function negatedAt(bytes: Uint8Array, at: number): Uint8Array {
  return join(bytes.subarray(0, at), negated(bytes.subarray(at)));
}
