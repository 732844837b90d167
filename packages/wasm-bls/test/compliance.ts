import { describe, expect, test } from 'vitest';
import { type Bls, suites } from '../src/index.ts';
import {
  bitsOf,
  compressedX,
  groupOrder,
  hexBytes,
  negated,
  nineSigners,
  outsideG1Point,
  outsideG2Point,
  uncompressedInfinity,
} from './fixtures.ts';
import { hostileEncodings, outsideX } from './hostileEncodings.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const [message, otherMessage] = [utf8('tutti'), utf8('soli')];
const empty = new Uint8Array();

/** Defines the tests that every implementation of Bls must pass. */
export function describeBls(bls: Bls): void {
  const { signatureDst, possessionDst, ...sizes } = suites[bls.variant];
  const { publicKeyBytes, publicKeyPointBytes, signatureBytes, signaturePointBytes } = sizes;
  const { secretKeys, publicKeys, publicKey, signatures, signature, ...of } = nineSigners(bls, message);
  const { noKey, noSignature, noPoint, decoded, aggregateOf } = of;
  const secretKey = secretKeys[0]!;
  const proof = bls.provePossession(secretKey);

  describe('keyGen', () => {
    test('gives the master key of EIP-2333, test case 0', () => {
      const seed = hexBytes(
        'c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04',
      );
      const master = 6083874454709270928345386274498605044986640685124978867557563392430687146096n;
      expect(BigInt(`0x${Buffer.from(bls.keyGen(seed)).toString('hex')}`)).toBe(master);
    });

    test('takes 32 bytes, and throws on 31', () => {
      expect(bls.keyGen(new Uint8Array(32))).toHaveLength(32);
      expect(() => bls.keyGen(new Uint8Array(31))).toThrow(/ikm: expected 32 bytes or more, got 31 bytes/);
    });
  });

  describe('a secret key', () => {
    test.each([
      ['zero', new Uint8Array(32)],
      ['the group order', hexBytes(groupOrder.toString(16))],
      ['all bits', new Uint8Array(32).fill(0xff)],
      ['31 bytes', new Uint8Array(31).fill(1)],
      ['33 bytes', new Uint8Array(33).fill(1)],
    ])('that is %s is refused everywhere', (_, key) => {
      expect(() => bls.publicKey(key)).toThrow(RangeError);
      expect(() => bls.provePossession(key)).toThrow(RangeError);
      expect(() => bls.sign(key, message)).toThrow(/^secretKey: expected/);
    });
  });

  describe('sign and verify', () => {
    test("agree on a signature of the suite's length, and on no other message, key or signature", () => {
      expect(signature).toHaveLength(signatureBytes);
      expect(bls.verify(publicKey, message, signature)).toBe(true);
      expect(bls.verify(publicKey, empty, bls.sign(secretKey, empty))).toBe(true);
      expect(bls.verify(publicKey, otherMessage, signature)).toBe(false);
      expect(bls.verify(publicKeys[1]!, message, signature)).toBe(false);
      expect(bls.verify(publicKey, message, negated(signature))).toBe(false);
    });

    test('the infinity signature is false, also under the infinity key', () => {
      expect(bls.verify(publicKey, message, noSignature)).toBe(false);
      expect(bls.verify(noKey, message, noSignature)).toBe(false);
    });

    test('an argument that is not a Uint8Array is a TypeError with its name', () => {
      const text = '00' as unknown as Uint8Array;
      expect(() => bls.verify(text, message, signature)).toThrow(/^publicKey: expected a Uint8Array, got string/);
      expect(() => bls.verify(publicKey, message, text)).toThrow(TypeError);
      expect(() => bls.sign(secretKey, text)).toThrow(TypeError);
    });
  });

  describe('proof of possession (draft, section 3.3)', () => {
    test('is as long as a signature and verifies under its key only', () => {
      expect(proof).toHaveLength(signatureBytes);
      expect(bls.verifyPossession(publicKey, proof)).toBe(true);
      expect(bls.verifyPossession(publicKeys[1]!, proof)).toBe(false);
      expect(bls.verifyPossession(noKey, noSignature)).toBe(false);
    });

    test('a signature of the key is not a proof, and a proof is not a signature of the key', () => {
      expect(bls.verifyPossession(publicKey, bls.sign(secretKey, publicKey))).toBe(false);
      expect(bls.verify(publicKey, publicKey, proof)).toBe(false);
    });

    test('a rogue key signs for its victim, but has no valid proof', () => {
      const victim = publicKeys[1]!;
      const rogue = bls.aggregatePublicKeys([publicKey, negated(victim)]);
      expect(bls.fastAggregateVerify([victim, rogue], message, signature)).toBe(true);
      expect(bls.verifyPossession(rogue, proof)).toBe(false);
      expect(bls.verifyPossession(rogue, bls.sign(secretKey, rogue))).toBe(false);
    });
  });

  describe('aggregation', () => {
    test('is the same in any order and grouping', () => {
      const sum = aggregateOf([0, 1, 2]);
      expect(aggregateOf([2, 0, 1])).toEqual(sum);
      expect(bls.aggregateSignatures([signatures[0]!, aggregateOf([1, 2])])).toEqual(sum);
    });

    test('of a signature and its inverse is infinity, of infinities too', () => {
      expect(bls.aggregateSignatures([signature, negated(signature)])).toEqual(noSignature);
      expect(bls.aggregateSignatures([noSignature, noSignature])).toEqual(noSignature);
      expect(bls.aggregatePublicKeys([publicKey, negated(publicKey)])).toEqual(noKey);
    });

    test('of an empty list or of an invalid item throws an error that names the item', () => {
      expect(() => bls.aggregateSignatures([])).toThrow(/^signatures: expected at least one item/);
      expect(() => bls.aggregatePublicKeys([])).toThrow(RangeError);
      expect(() => bls.aggregateSignatures([signature, empty])).toThrow(
        /^signatures\[1\]: .* got a point with a different length/,
      );
      expect(() => bls.aggregateSignatures([compressedX(signatureBytes, outsideX(signatureBytes))])).toThrow(
        /got a point outside the subgroup/,
      );
      expect(() => bls.aggregatePublicKeys([publicKey, noKey])).toThrow(
        /^publicKeys\[1\]: .* got the point at infinity/,
      );
    });
  });

  describe('fastAggregateVerify', () => {
    const three = publicKeys.slice(0, 3);

    test('is true for all signers and no others', () => {
      expect(bls.fastAggregateVerify(three, message, aggregateOf([0, 1, 2]))).toBe(true);
      expect(bls.fastAggregateVerify(three, message, aggregateOf([0, 1]))).toBe(false);
      expect(bls.fastAggregateVerify(three, otherMessage, aggregateOf([0, 1, 2]))).toBe(false);
      expect(bls.fastAggregateVerify([publicKey, publicKey], message, aggregateOf([0, 0]))).toBe(true);
    });

    test('is false for no keys, keys that cancel out, and an infinity among them', () => {
      expect(bls.fastAggregateVerify([], message, noSignature)).toBe(false);
      expect(bls.fastAggregateVerify([publicKey, negated(publicKey)], message, noSignature)).toBe(false);
      expect(bls.fastAggregateVerify([publicKey, noKey], message, signature)).toBe(false);
    });
  });

  describe('decoding', () => {
    const round = bls.round(publicKeys, message);

    test.each(hostileEncodings(publicKeyBytes))('%s is no public key, for any function', (_, bytes, code) => {
      expect(bls.decodePublicKey(bytes)).toEqual({ ok: false, code });
      expect(bls.validatePublicKey(bytes)).toEqual({ ok: false, code });
      expect(bls.verify(bytes, message, signature)).toBe(false);
      expect(bls.verifyPossession(bytes, proof)).toBe(false);
      expect(bls.fastAggregateVerify([publicKey, bytes], message, signature)).toBe(false);
    });

    test.each(hostileEncodings(signatureBytes))('%s is no signature, for any function', (_, bytes, code) => {
      expect(bls.decodeSignature(bytes)).toEqual({ ok: false, code });
      expect(bls.verify(publicKey, message, bytes)).toBe(false);
      expect(bls.verifyPossession(publicKey, bytes)).toBe(false);
      expect(bls.fastAggregateVerify([publicKey], message, bytes)).toBe(false);
      expect(round.verify(0, bitsOf([0]), bytes)).toBe(false);
    });

    test('infinity decodes, and is not a valid key', () => {
      expect(bls.decodePublicKey(noKey)).toEqual({ ok: true, point: uncompressedInfinity(publicKeyPointBytes) });
      expect(bls.validatePublicKey(noKey)).toEqual({ ok: false, code: 'infinity' });
      expect(bls.decodeSignature(noSignature)).toEqual({ ok: true, point: noPoint });
    });

    test('a signature is encoded again from its uncompressed bytes', () => {
      for (const bytes of [signature, negated(signature), noSignature]) {
        const point = decoded(bytes);
        expect(point).toHaveLength(signaturePointBytes);
        expect(bls.encodeSignature(point)).toEqual(bytes);
      }
    });

    test('refuses to encode bytes that are not a point', () => {
      expect(() => bls.encodeSignature(signature)).toThrow(
        `point: expected ${signaturePointBytes} bytes, got ${signatureBytes} bytes`,
      );
      expect(() => bls.encodeSignature(new Uint8Array(signaturePointBytes))).toThrow(RangeError);
      expect(() => bls.encodeSignature(new Uint8Array(signaturePointBytes).fill(0xff))).toThrow(RangeError);
    });
  });

  describe('addSignatures', () => {
    const [a, b, minusA] = [decoded(signature), decoded(signatures[1]!), decoded(negated(signature))];

    test.each([
      ['two signatures', a, b],
      ['the same two in the other order', b, a],
      ['equal ones', a, a],
      ['inverse ones', a, minusA],
      ['infinity', a, noPoint],
      ['to infinity', noPoint, a],
      ['two infinities', noPoint, noPoint],
    ])('adds %s like aggregateSignatures', (_, x, y) => {
      const sum = bls.aggregateSignatures([x, y].map(bls.encodeSignature));
      expect(bls.addSignatures(x, y)).toEqual(decoded(sum));
    });

    test('refuses bytes that are not a point', () => {
      expect(() => bls.addSignatures(a, signature)).toThrow(`b: expected ${signaturePointBytes} bytes`);
      expect(() => bls.addSignatures(new Uint8Array(signaturePointBytes), a)).toThrow(RangeError);
    });
  });

  describe('hashToCurve (RFC 9380)', () => {
    test("gives a point of the signatures' group, under the suite's domain by default", () => {
      expect(bls.hashToCurve(message)).toHaveLength(signaturePointBytes);
      expect(bls.hashToCurve(message)).toEqual(bls.hashToCurve(message, utf8(signatureDst)));
      expect(bls.hashToCurve(message)).not.toEqual(bls.hashToCurve(message, utf8(possessionDst)));
    });

    test('takes a domain of 1 to 255 bytes', () => {
      expect(bls.hashToCurve(message, new Uint8Array(255))).toHaveLength(signaturePointBytes);
      expect(() => bls.hashToCurve(message, empty)).toThrow(/^domain: expected 1 to 255 bytes, got 0 bytes/);
      expect(() => bls.hashToCurve(message, new Uint8Array(256))).toThrow(RangeError);
      expect(() => bls.hashToCurve(message, 'd' as never)).toThrow(/^domain: expected a Uint8Array, got string/);
    });
  });

  describe('an uncompressed signature', () => {
    const point = decoded(signature);
    const outside = hexBytes(bls.variant === 'min-pk' ? outsideG2Point : outsideG1Point);
    const last = signaturePointBytes - 1;
    const hostile: [name: string, bytes: Uint8Array, code: string][] = [
      ['no bytes', empty, 'length'],
      ['a compressed one', signature, 'length'],
      ['one byte too many', new Uint8Array(signaturePointBytes + 1), 'length'],
      ['zeroes', new Uint8Array(signaturePointBytes), 'not-on-curve'],
      ['all bits', new Uint8Array(signaturePointBytes).fill(0xff), 'encoding'],
      ['the compression flag', point.with(0, point[0]! | 0x80), 'encoding'],
      ['the sign flag', point.with(0, point[0]! | 0x20), 'encoding'],
      ['infinity with a coordinate', point.with(0, point[0]! | 0x40), 'encoding'],
      ['a coordinate beyond the modulus', Uint8Array.from(point).fill(0xff, signaturePointBytes - 48), 'encoding'],
      ['another y', point.with(last, point[last]! ^ 1), 'not-on-curve'],
      ['a point outside the subgroup', outside, 'not-in-subgroup'],
    ];

    test('is decoded and verified only if that form is requested', () => {
      expect(bls.decodeSignature(point, 'uncompressed')).toEqual({ ok: true, point });
      expect(bls.verify(publicKey, message, point, 'uncompressed')).toBe(true);
      expect(bls.verify(publicKey, otherMessage, point, 'uncompressed')).toBe(false);
      expect(bls.verify(publicKey, message, point)).toBe(false);
      expect(bls.decodeSignature(point)).toEqual({ ok: false, code: 'length' });
      expect(bls.decodeSignature(noPoint, 'uncompressed')).toEqual({ ok: true, point: noPoint });
      expect(bls.verify(publicKey, message, noPoint, 'uncompressed')).toBe(false);
    });

    test.each(hostile)('is refused: %s', (_, bytes, code) => {
      expect(bls.decodeSignature(bytes, 'uncompressed')).toEqual({ ok: false, code });
      expect(bls.verify(publicKey, message, bytes, 'uncompressed')).toBe(false);
    });

    test('has one of two forms', () => {
      const form = 'hybrid' as unknown as 'compressed';
      expect(() => bls.decodeSignature(point, form)).toThrow(RangeError);
      expect(() => bls.verify(publicKey, message, point, form)).toThrow(/^form: expected/);
    });
  });
}
