import { describe, expect, test, vi } from 'vitest';
import { type Bls, type ContributionClaim, roundVerdicts, suites } from '../src/index.ts';
import { insecureSecretKey } from '../src/insecureKeys.ts';
import {
  bitsOf,
  compressedX,
  groupOrder,
  hexBytes,
  infinity,
  modulus,
  negated,
  offCurveX,
  outsideG1Point,
  outsideG1X,
  outsideG2Point,
  outsideG2X,
  pointOf,
  uncompressedInfinity,
} from './fixtures.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const [message, otherMessage] = [utf8('tutti'), utf8('soli')];
const empty = new Uint8Array();

/** Returns invalid encodings of points of this length: a name, the bytes, and the code of the fault. */
function hostileEncodings(length: number): [name: string, bytes: Uint8Array, code: string][] {
  const flagged = (first: number, last = 0): Uint8Array => {
    const bytes = new Uint8Array(length);
    bytes[0] = first;
    bytes[length - 1]! |= last;
    return bytes;
  };
  return [
    ['no bytes', empty, 'length'],
    ['one byte too few', infinity(length).subarray(1), 'length'],
    ['one byte too many', new Uint8Array(length + 1), 'length'],
    ['an uncompressed encoding', new Uint8Array(2 * length), 'length'],
    ['zeroes', flagged(0), 'encoding'],
    ['no compression flag', flagged(0x20, 4), 'encoding'],
    ['infinity without the compression flag', flagged(0x40), 'encoding'],
    ['infinity with the sign flag', flagged(0xe0), 'encoding'],
    ['infinity with a coordinate', flagged(0xc0, 1), 'encoding'],
    ['a coordinate that is the modulus', compressedX(length, modulus), 'encoding'],
    ['a coordinate beyond the modulus', compressedX(length, modulus + 1n), 'encoding'],
    ['all bits', new Uint8Array(length).fill(0xff), 'encoding'],
    ['no point of the curve', compressedX(length, offCurveX), 'not-on-curve'],
    ['a point outside the subgroup', compressedX(length, outsideX(length)), 'not-in-subgroup'],
  ];
}

/** Returns the x of a point outside the subgroup, in the group whose compressed points have this length. */
const outsideX = (length: number): bigint => (length === 48 ? outsideG1X : outsideG2X);

/** Defines the tests that every implementation of Bls must pass. */
export function describeBls(bls: Bls): void {
  const { signatureDst, possessionDst, ...sizes } = suites[bls.variant];
  const { publicKeyBytes, publicKeyPointBytes, signatureBytes, signaturePointBytes } = sizes;
  const secretKeys = Array.from({ length: 9 }, (_, i) => insecureSecretKey(bls, 1, i + 1));
  const publicKeys = secretKeys.map((key) => bls.publicKey(key));
  const signatures = secretKeys.map((key) => bls.sign(key, message));
  const [secretKey, publicKey, signature] = [secretKeys[0]!, publicKeys[0]!, signatures[0]!];
  const proof = bls.provePossession(secretKey);
  const [noKey, noSignature] = [infinity(publicKeyBytes), infinity(signatureBytes)];
  const noPoint = uncompressedInfinity(signaturePointBytes);
  const decoded = (bytes: Uint8Array): Uint8Array => pointOf(bls.decodeSignature(bytes));
  const aggregateOf = (indices: readonly number[]): Uint8Array =>
    bls.aggregateSignatures(indices.map((i) => signatures[i]!));

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
    const order = hexBytes(groupOrder.toString(16));
    const beyond: [string, Uint8Array][] = [
      ['zero', new Uint8Array(32)],
      ['the group order', order],
      ['all bits', new Uint8Array(32).fill(0xff)],
      ['31 bytes', new Uint8Array(31).fill(1)],
      ['33 bytes', new Uint8Array(33).fill(1)],
    ];

    test.each(beyond)('that is %s is refused everywhere', (_, key) => {
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

    test('a Buffer is accepted like a Uint8Array, and is not changed', () => {
      const buffer = Buffer.from(signature);
      expect(bls.verify(Buffer.from(publicKey), Buffer.from(message), buffer)).toBe(true);
      expect(Uint8Array.from(buffer)).toEqual(signature);
    });
  });

  describe('proof of possession (draft, section 3.3)', () => {
    test('is as long as a signature and verifies', () => {
      expect(proof).toHaveLength(signatureBytes);
      expect(bls.verifyPossession(publicKey, proof)).toBe(true);
      expect(bls.verifyPossession(publicKeys[1]!, proof)).toBe(false);
    });

    test('a signature of the key is not a proof, and a proof is not a signature of the key', () => {
      expect(bls.verifyPossession(publicKey, bls.sign(secretKey, publicKey))).toBe(false);
      expect(bls.verify(publicKey, publicKey, proof)).toBe(false);
    });

    test('the infinity proof of the infinity key is false', () => {
      expect(bls.verifyPossession(noKey, noSignature)).toBe(false);
    });

    test('a rogue key signs for its victim, but has no valid proof', () => {
      const [victim, attackersSecret] = [publicKeys[1]!, secretKey];
      const rogue = bls.aggregatePublicKeys([publicKey, negated(victim)]);
      const forged = bls.sign(attackersSecret, message);
      expect(bls.fastAggregateVerify([victim, rogue], message, forged)).toBe(true);
      expect(bls.verifyPossession(rogue, bls.provePossession(attackersSecret))).toBe(false);
      expect(bls.verifyPossession(rogue, bls.sign(attackersSecret, rogue))).toBe(false);
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

  describe('round (Handel v1.03, section 2.1)', () => {
    const round = bls.round(publicKeys, message);
    const claims = (first: number, indices: readonly number[], signers: readonly number[]): boolean =>
      round.verify(first, bitsOf(indices), aggregateOf(signers));

    test('agrees with fastAggregateVerify', () => {
      for (const signers of [[0], [8], [1, 2], [0, 3, 8], [0, 1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 5, 6, 7]]) {
        const aggregate = aggregateOf(signers);
        const keys = signers.map((i) => publicKeys[i]!);
        expect(bls.fastAggregateVerify(keys, message, aggregate)).toBe(true);
        expect(round.verify(0, bitsOf(signers), aggregate)).toBe(true);
      }
    });

    test('reads bit b as key first + b', () => {
      expect(claims(3, [0, 2], [3, 5])).toBe(true);
      expect(claims(3, [0, 2], [0, 2])).toBe(false);
      expect(claims(7, [0, 1], [7, 8])).toBe(true);
    });

    test('takes checked signatures, and checked keys together with others', () => {
      const point = decoded(aggregateOf([0, 1]));
      const mixed = bls.round([pointOf(bls.validatePublicKey(publicKey)), publicKeys[1]!], message);
      for (const one of [round, mixed]) expect(one.verify(0, bitsOf([0, 1]), point)).toBe(true);
      expect(round.verify(0, bitsOf([0, 2]), point)).toBe(false);
      mixed.free();
    });

    test('an empty set is false, whatever the signature', () => {
      for (const bits of [empty, new Uint8Array(1), new Uint8Array(64)]) {
        expect(round.verify(0, bits, signature)).toBe(false);
        expect(round.verify(0, bits, noSignature)).toBe(false);
      }
    });

    test('a key beyond the registry is false; zeroes beyond it are ignored', () => {
      expect(round.verify(0, bitsOf([0, 9]), signature)).toBe(false);
      expect(round.verify(9, bitsOf([0]), signature)).toBe(false);
      expect(round.verify(2 ** 32, bitsOf([0]), signature)).toBe(false);
      expect(round.verify(Number.MAX_SAFE_INTEGER, bitsOf([0]), signature)).toBe(false);
      expect(round.verify(0, new Uint8Array(1000).fill(0xff), signature)).toBe(false);
      expect(round.verify(0, bitsOf([0], 800), signature)).toBe(true);
    });

    test('a set of more than 2^32 bits does not wrap round to the first keys', () => {
      const bits = new Uint8Array(2 ** 29 + 1);
      bits[2 ** 29] = 1;
      expect(round.verify(0, bits, signature)).toBe(false);
      expect(round.verifyBatch([{ first: 0, bits, signature }])).toBe(false);
    });

    test('keys that cancel out verify nothing', () => {
      const cancelling = bls.round([publicKey, negated(publicKey), publicKeys[1]!], message);
      expect(cancelling.verify(0, bitsOf([0, 1]), noSignature)).toBe(false);
      expect(cancelling.verify(0, bitsOf([0, 1, 2]), signatures[1]!)).toBe(true);
      cancelling.free();
    });

    test('an invalid first index throws', () => {
      for (const first of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
        expect(() => round.verify(first, bitsOf([0]), signature)).toThrow(/^first: expected an integer of 0 or more/);
    });

    test('a registry that is empty or has no valid key throws, and names the key', () => {
      expect(() => bls.round([], message)).toThrow(RangeError);
      expect(() => bls.round([publicKey, noKey], message)).toThrow(/^publicKeys\[1\]: .* got the point at infinity/);
      expect(() => bls.round([compressedX(publicKeyBytes, outsideX(publicKeyBytes))], message)).toThrow(
        /got a point outside the subgroup/,
      );
      expect(() => bls.round([new Uint8Array(publicKeyPointBytes)], message)).toThrow(RangeError);
      expect(() => bls.round([empty], message)).toThrow(/got a point with a different length/);
    });

    test('a freed round throws, and can be freed again', () => {
      const freed = bls.round([publicKey], message);
      freed.free();
      freed.free();
      expect(() => freed.verify(0, bitsOf([0]), signature)).toThrow(/expected a live round, got a freed one/);
      expect(() => freed.verifyBatch([])).toThrow(/expected a live round/);
    });
  });

  describe('verifyBatch of a round', () => {
    const round = bls.round(publicKeys, message);
    /** Returns the result of a check whose coefficients an attacker predicted: all bytes are equal. */
    const foreseen = (claims: readonly ContributionClaim[], byte: number): boolean => {
      const drawn = vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
        (bytes as Uint8Array).fill(byte);
        return bytes;
      });
      try {
        return round.verifyBatch(claims);
      } finally {
        drawn.mockRestore();
      }
    };
    const claimOf = (signers: readonly number[], first = 0): ContributionClaim => ({
      first,
      bits: bitsOf(signers.map((i) => i - first)),
      signature: aggregateOf(signers),
    });
    const valid = [claimOf([0]), claimOf([1, 2]), claimOf([3, 4, 6, 7], 3), claimOf([0, 1, 2, 3, 4, 5, 6, 7, 8])];
    const replaced = (place: number, changed: Partial<ContributionClaim>): ContributionClaim[] =>
      valid.map((claim, i) => (i === place ? { ...claim, ...changed } : claim));

    test('is true of no claims and of valid claims, also of the same one twice, and is verify of one', () => {
      for (const claims of [[], [valid[1]!], valid, [valid[1]!, valid[1]!], [...valid, ...valid]])
        expect(round.verifyBatch(claims)).toBe(true);
      expect(round.verifyBatch([{ ...valid[1]!, signature }])).toBe(false);
    });

    test('takes checked signatures together with others', () => {
      const point = decoded(valid[1]!.signature);
      expect(round.verifyBatch(replaced(1, { signature: point }))).toBe(true);
      expect(round.verifyBatch(replaced(2, { signature: point }))).toBe(false);
    });

    test('is false for one wrong signature or one signer more at each place', () => {
      for (const [place, { bits }] of valid.entries()) {
        expect(round.verifyBatch(replaced(place, { signature: signatures[5]! }))).toBe(false);
        const more = bitsOf([0, 1, 2, 3, 4, 5], 9).map((byte, i) => byte ^ (bits[i] ?? 0));
        expect(round.verifyBatch(replaced(place, { first: 0, bits: more }))).toBe(false);
      }
    });

    test('is false for what verify refuses, at each place, and never throws', () => {
      const hostile: Partial<ContributionClaim>[] = [
        { bits: empty },
        { bits: new Uint8Array(2) },
        { bits: bitsOf([0, 9]) },
        { first: 9 },
        { first: 2 ** 32 },
        { first: Number.MAX_SAFE_INTEGER },
        { signature: noSignature },
        { signature: noPoint },
        { signature: new Uint8Array(signaturePointBytes) },
        { signature: new Uint8Array(signaturePointBytes).fill(0xff) },
        ...hostileEncodings(signatureBytes).map(([, bytes]) => ({ signature: bytes })),
      ];
      for (const changed of hostile) {
        for (const place of [0, 1, 3]) expect(round.verifyBatch(replaced(place, changed))).toBe(false);
        const { first, bits, signature: own } = { ...valid[0]!, ...changed };
        expect(round.verify(first, bits, own)).toBe(false);
      }
    });

    test('is false for forgeries that cancel each other', () => {
      const moved = (claim: ContributionClaim, by: Uint8Array): ContributionClaim => ({
        ...claim,
        signature: bls.aggregateSignatures([claim.signature, by]),
      });
      const pair = [moved(valid[0]!, signatures[8]!), moved(valid[1]!, negated(signatures[8]!))];
      const [forged, honest] = [pair, valid.slice(0, 2)].map((claims) =>
        bls.aggregateSignatures(claims.map((claim) => claim.signature)),
      );
      expect(forged).toEqual(honest);
      expect(round.verifyBatch(pair)).toBe(false);
      expect(round.verifyBatch([...valid, ...pair])).toBe(false);
      // Native blst draws its coefficients itself, so a mock of Web Crypto does not affect them.
      expect(foreseen(pair, 0xff)).toBe(bls.name !== 'blst-native');
    });

    test('is false for an infinity signature under keys that cancel out, although their sums are equal', () => {
      const cancelling = bls.round([publicKey, negated(publicKey), publicKeys[1]!], message);
      const nothing = { first: 0, bits: bitsOf([0, 1]), signature: noSignature };
      const good = { first: 2, bits: bitsOf([0]), signature: signatures[1]! };
      expect(cancelling.verifyBatch([good, nothing])).toBe(false);
      expect(cancelling.verifyBatch([good, good])).toBe(true);
      cancelling.free();
    });

    test('checks a claim whose random coefficient is zero', () => {
      expect(foreseen([valid[0]!, valid[1]!], 0)).toBe(true);
      expect(foreseen([valid[0]!, { ...valid[1]!, signature }], 0)).toBe(false);
    });

    test("throws on a caller's mistake, and names the claim", () => {
      const of = (claim: Partial<ContributionClaim>) => () => round.verifyBatch(replaced(2, claim));
      expect(of({ first: -1 })).toThrow(/^claims\[2\]\.first: expected an integer of 0 or more/);
      expect(of({ bits: '00' as unknown as Uint8Array })).toThrow(/^claims\[2\]\.bits: expected a Uint8Array/);
      expect(of({ signature: '00' as unknown as Uint8Array })).toThrow(TypeError);
    });
  });

  describe('claims that were read', () => {
    const round = bls.round(publicKeys, message);
    const claim = (signer: number, signedBy = signer): ContributionClaim => ({
      first: 0,
      bits: bitsOf([signer]),
      signature: Uint8Array.from(signatures[signedBy]!),
    });

    test('are valid in every range without an invalid claim', () => {
      const read = round.readClaims([claim(0), claim(1), claim(2, 3), claim(3), claim(4)]);
      expect(read.places).toEqual([0, 1, 2, 3, 4]);
      for (let from = 0; from < 5; from++)
        for (let to = from + 1; to <= 5; to++) expect(read.hold(from, to), `${from}..${to}`).toBe(to <= 2 || from >= 3);
      read.free();
    });

    test('exclude claims that verify refuses without a pairing, and have their positions', () => {
      const bad: Partial<ContributionClaim>[] = [
        { bits: empty },
        { bits: bitsOf([0, 9]) },
        { first: 9 },
        { signature: noSignature },
        { signature: new Uint8Array(7) },
      ];
      const claims = bad.flatMap((changed, i) => [{ ...claim(0), ...changed }, claim(i)]);
      const read = round.readClaims(claims);
      expect(read.places).toEqual([1, 3, 5, 7, 9]);
      expect(read.hold(0, 5)).toBe(true);
      expect(roundVerdicts(round, claims)).toEqual(claims.map((_, i) => i % 2 === 1));
      expect(round.verifyBatch(claims)).toBe(false);
      read.free();
    });

    test('are summed and decoded once, and do not depend on their bytes or the round afterwards', () => {
      const [own, claims] = [bls.round(publicKeys, message), [claim(0), claim(1), claim(2, 3)]];
      const read = own.readClaims(claims);
      for (const { bits, signature } of claims) {
        bits.fill(0);
        signature.fill(0);
      }
      own.free();
      expect([read.hold(0, 2), read.hold(1, 2), read.hold(1, 3), read.hold(2, 3)]).toEqual([true, true, false, false]);
      read.free();
    });

    test('refuse an invalid range, and every range after free()', () => {
      const read = round.readClaims([claim(0), claim(1)]);
      for (const [from, to] of [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 3],
        [-1, 1],
        [0, 1.5],
      ] as const)
        expect(() => read.hold(from, to)).toThrow(RangeError);
      read.free();
      read.free();
      expect(() => read.hold(0, 1)).toThrow(/^claims: expected live claims, got freed ones/);
      expect([round.readClaims([]).places, roundVerdicts(round, [])]).toEqual([[], []]);
    });
  });
}
