import { describe, expect, test, vi } from 'vitest';
import { type Bls, type ContributionClaim, roundVerdicts, suites } from '../src/index.ts';
import { bitsOf, compressedX, negated, nineSigners, pointOf } from './fixtures.ts';
import { hostileEncodings, outsideX } from './hostileEncodings.ts';

const message = new TextEncoder().encode('tutti');
const empty = new Uint8Array();

/** Defines the tests that the rounds of every implementation of Bls must pass. */
export function describeRounds(bls: Bls): void {
  const { publicKeyBytes, publicKeyPointBytes, signatureBytes, signaturePointBytes } = suites[bls.variant];
  const { publicKeys, publicKey, signatures, signature, ...of } = nineSigners(bls, message);
  const { noKey, noSignature, noPoint, decoded, aggregateOf } = of;
  const round = bls.round(publicKeys, message);
  /** Changes to a claim that cause verify to refuse it without a pairing. */
  const hostile: Partial<ContributionClaim>[] = [
    { bits: empty },
    { bits: new Uint8Array(2) },
    { bits: bitsOf([0, 9]) },
    { bits: new Uint8Array(1000).fill(0xff) },
    { first: 9 },
    { first: 2 ** 32 },
    { first: Number.MAX_SAFE_INTEGER },
    { signature: noSignature },
    { signature: noPoint },
    { signature: new Uint8Array(signaturePointBytes) },
    { signature: new Uint8Array(signaturePointBytes).fill(0xff) },
    ...hostileEncodings(signatureBytes).map(([, bytes]) => ({ signature: bytes })),
  ];

  describe('round (Handel v1.03, section 2.1)', () => {
    const claims = (first: number, indices: readonly number[], signers: readonly number[]): boolean =>
      round.verify(first, bitsOf(indices), aggregateOf(signers));

    test('agrees with fastAggregateVerify', () => {
      for (const signers of [[0], [8], [1, 2], [0, 3, 8], [0, 1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 5, 6, 7]]) {
        const [aggregate, keys] = [aggregateOf(signers), signers.map((i) => publicKeys[i]!)];
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

    test('a key beyond the registry and an invalid signature are false; zeroes beyond the registry are ignored', () => {
      for (const { first = 0, bits = bitsOf([0]), signature: own = signature } of hostile)
        expect(round.verify(first, bits, own)).toBe(false);
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
      for (const changed of hostile)
        for (const place of [0, 1, 3]) expect(round.verifyBatch(replaced(place, changed))).toBe(false);
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
      expect(() => round.readClaims([null as never])).toThrow('claims[0]: expected an object, got null');
    });
  });

  describe('claims that were read', () => {
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
      const claims = hostile.flatMap((changed, i) => [{ ...claim(0), ...changed }, claim(i % 9)]);
      const read = round.readClaims(claims);
      expect(read.places).toEqual(hostile.map((_, i) => 2 * i + 1));
      expect(read.hold(0, hostile.length)).toBe(true);
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
