import { describe, expect, test } from 'vitest';
import {
  type Bls,
  type KeptKey,
  type KeptSignature,
  type PointStore,
  type ReadPoint,
  roundVerdicts,
  suites,
} from '../src/index.ts';
import { bitsOf, infinity, negated, signersOf } from './fixtures.ts';

const message = new TextEncoder().encode('tutti');

/** Defines the tests that the point stores of every Bls must pass. `other` is another implementation. */
export function describePointStore(bls: Bls, other: Bls): void {
  const { publicKeyBytes, signatureBytes, signaturePointBytes } = suites[bls.variant];
  const { secretKeys, publicKeys, signatures } = signersOf(bls, 5, message);
  const opened = (own: Bls = bls): { store: PointStore; keys: KeptKey[]; kept: KeptSignature[] } => {
    const store = own.pointStore(64);
    const keys = publicKeys.map((bytes) => keptOf(store.readKey(bytes)));
    const kept = signatures.map((bytes) => keptOf(store.readSignature(bytes)));
    return { store, keys, kept };
  };
  function keptOf<Kept>(read: ReadPoint<Kept>): Kept {
    if (!read.ok) throw new Error(read.code);
    return read.kept;
  }

  describe('a point store', () => {
    const { store, keys, kept } = opened();
    const [key, signature] = [keys[0]!, kept[0]!];
    const nothing = keptOf(store.readSignature(infinity(signatureBytes)));

    test('returns the points that it read, in either form', () => {
      for (const [i, bytes] of signatures.entries()) {
        expect(store.encodeKey(keys[i]!)).toEqual(publicKeys[i]);
        expect(store.encodeSignature(kept[i]!)).toEqual(bytes);
        const point = store.encodeSignature(kept[i]!, 'uncompressed');
        expect(bls.decodeSignature(bytes)).toEqual({ ok: true, point });
        const again = keptOf(store.readSignature(point, 'uncompressed'));
        expect(store.encodeSignature(again)).toEqual(bytes);
        store.release(again);
      }
    });

    test('gives the reason if it stores no point, and does not grow', () => {
      const before = store.size;
      const zeros = new Uint8Array(signaturePointBytes);
      for (const [read, code] of [
        [store.readKey(infinity(publicKeyBytes)), 'infinity'],
        [store.readKey(new Uint8Array(47)), 'length'],
        [store.readSignature(new Uint8Array(signatureBytes)), 'encoding'],
        [store.readSignature(zeros, 'uncompressed'), 'not-on-curve'],
        [store.readSignature(zeros), 'length'],
      ])
        expect(read).toEqual({ ok: false, code });
      expect(store.size).toBe(before);
    });

    test('adds points like bytes: decoded ones, sums, equal, inverse, infinity', () => {
      const inverse = keptOf(store.readSignature(negated(signatures[0]!)));
      const sum = store.addSignatures(kept[1]!, kept[2]!);
      const addends = [signature, kept[1]!, inverse, nothing, sum];
      for (const [a, b] of addends.flatMap((a) => addends.map((b) => [a, b] as const))) {
        const total = store.addSignatures(a, b);
        const bytes = [a, b].map((each) => store.encodeSignature(each));
        expect(store.encodeSignature(total)).toEqual(bls.aggregateSignatures(bytes));
        store.release(total);
      }
      for (const each of [inverse, sum]) store.release(each);
    });

    test('sums signatures and keys, and counts a repeated point twice', () => {
      const places = [0, 3, 3, 4, 1];
      const total = store.sumSignatures(places.map((i) => kept[i]!));
      const totalKey = store.sumKeys(places.map((i) => keys[i]!));
      expect(store.encodeSignature(total)).toEqual(bls.aggregateSignatures(places.map((i) => signatures[i]!)));
      expect(store.encodeKey(totalKey)).toEqual(bls.aggregatePublicKeys(places.map((i) => publicKeys[i]!)));
      expect(store.verify(totalKey, message, total)).toBe(true);
      expect(() => store.sumSignatures([])).toThrow(RangeError);
      expect(() => store.sumKeys([])).toThrow(/^keys: expected at least one item/);
      for (const each of [total, totalKey]) store.release(each);
    });

    test('verifies a signature, and refuses another and infinity', () => {
      expect(store.verify(key, message, signature)).toBe(true);
      expect(store.verify(keys[1]!, message, signature)).toBe(false);
      expect(store.verify(key, new Uint8Array(), signature)).toBe(false);
      const noKey = store.sumKeys([key, keptOf(store.readKey(negated(publicKeys[0]!)))]);
      expect(store.encodeKey(noKey)).toEqual(infinity(publicKeyBytes));
      expect(store.verify(noKey, message, nothing)).toBe(false);
    });

    test('verifies many messages at once, and refuses them if one is invalid', () => {
      const texts = secretKeys.map((_, i) => new Uint8Array(i).fill(i));
      const claims = texts.map((text, i) => ({
        key: keys[i]!,
        message: text,
        signature: keptOf(store.readSignature(bls.sign(secretKeys[i]!, text))),
      }));
      expect(store.verifyEach([])).toBe(true);
      for (const count of [1, 2, 5]) expect(store.verifyEach(claims.slice(0, count))).toBe(true);
      expect(store.verifyEach([...claims, { key, message, signature }, claims[0]!])).toBe(true);
      for (const [i, claim] of claims.entries()) {
        const lying = (lie: Partial<typeof claim>) => claims.map((own, j) => (i === j ? { ...own, ...lie } : own));
        expect(store.verifyEach(lying({ message }))).toBe(false);
        expect(store.verifyEach(lying({ signature }))).toBe(false);
      }
      // Two invalid signatures that cancel out without coefficients.
      const [first, second] = claims.map((claim) => claim.signature);
      const swapped = claims.map((claim, i) => ({ ...claim, signature: [second, first][i] ?? claim.signature }));
      expect(store.verifyEach(swapped)).toBe(false);
      expect(store.verifyEach([...claims, { ...claims[0]!, signature: nothing }])).toBe(false);
    });

    test('its signatures are accepted by a round, singly, in batches and together with bytes', () => {
      const round = bls.round(publicKeys, message);
      const sum = store.addSignatures(kept[0]!, kept[2]!);
      expect(round.verify(0, bitsOf([0, 2]), sum)).toBe(true);
      expect(round.verify(0, bitsOf([0, 1]), sum)).toBe(false);
      expect(round.verify(0, bitsOf([5]), sum)).toBe(false);
      const claims = [
        { first: 0, bits: bitsOf([0, 2]), signature: sum },
        { first: 1, bits: bitsOf([0]), signature: signatures[1]! },
        { first: 3, bits: bitsOf([0]), signature: kept[3]! },
      ];
      expect(round.verifyBatch(claims)).toBe(true);
      const lie = { first: 4, bits: bitsOf([0]), signature: kept[3]! };
      expect(round.verifyBatch([...claims, lie])).toBe(false);
      const verdicts = roundVerdicts(round, [lie, ...claims, { ...lie, signature: nothing }]);
      expect(verdicts).toEqual([false, true, true, true, false]);
      round.free();
    });

    test('refuses a released handle, a handle of another store, and other values', () => {
      const round = bls.round(publicKeys, message);
      const released = store.addSignatures(signature, signature);
      store.release(released);
      const uses = (handle: KeptSignature): (() => unknown)[] => [
        () => store.addSignatures(handle, signature),
        () => store.addSignatures(signature, handle),
        () => store.sumSignatures([signature, handle]),
        () => store.encodeSignature(handle),
        () => store.verify(key, message, handle),
        () => store.verifyEach([{ key, message, signature: handle }]),
        () => store.release(handle),
      ];
      const rounds = (handle: KeptSignature): (() => unknown)[] => [
        () => round.verify(0, bitsOf([0]), handle),
        () => round.verifyBatch([{ first: 0, bits: bitsOf([0]), signature: handle }]),
      ];
      for (const use of [...uses(released), ...rounds(released)]) expect(use).toThrow(/a released one/);
      const neighbour = opened();
      for (const use of uses(neighbour.kept[0]!)) expect(use).toThrow(RangeError);
      const foreign = opened(other).kept[0]!;
      for (const use of [...uses(foreign), ...rounds(foreign)]) expect(use).toThrow(/a point from another store/);
      for (const none of [7, null, undefined, { kind: 'signature' }, key] as unknown as KeptSignature[])
        for (const use of [...uses(none).slice(0, -1), ...rounds(none)]) expect(use).toThrow(TypeError);
      expect(() => store.sumKeys([key, signature as unknown as KeptKey])).toThrow(/^keys\[1\]: expected a kept key/);
      const holed = [signature];
      holed.length = 2;
      expect(() => store.sumSignatures(holed)).toThrow(/^signatures\[1\]: expected a kept signature, got undefined/);
      expect(() => store.verifyEach(new Array(2))).toThrow(/^claims\[0\]: expected an object, got undefined/);
      expect(() => store.release(undefined as unknown as KeptKey)).toThrow(TypeError);
      expect(store.encodeSignature(signature)).toEqual(signatures[0]);
      neighbour.store.free();
      round.free();
    });

    test('the kind of a handle cannot be changed, so that it never refers to a different point', () => {
      const kept = keptOf(store.readSignature(signatures[0]!));
      expect(() => Object.assign(kept, { kind: 'key' })).toThrow(TypeError);
      expect(kept.kind).toBe('signature');
      Object.defineProperty(kept, 'kind', { value: 'key' });
      expect(() => store.encodeKey(kept as unknown as KeptKey)).toThrow(/expected a kept key, got a kept signature/);
      expect(() => store.release(kept)).toThrow(TypeError);
      expect(store.encodeSignature(kept)).toEqual(signatures[0]);
    });

    test('reuses the place of a released point, and still refuses its handle', () => {
      const small = bls.pointStore(2);
      const [first, second] = signatures.slice(0, 2).map((bytes) => keptOf(small.readSignature(bytes)));
      expect(small.size).toBe(2);
      expect(() => small.readSignature(signatures[2]!)).toThrow(
        /^store: expected space for a point in addition to 2, got a full/,
      );
      expect(() => small.readKey(publicKeys[0]!)).toThrow(RangeError);
      expect(() => small.addSignatures(first!, second!)).toThrow(RangeError);
      expect(() => small.sumSignatures([first!])).toThrow(RangeError);
      small.release(first!);
      const third = keptOf(small.readSignature(signatures[2]!));
      expect(small.encodeSignature(third)).toEqual(signatures[2]);
      expect(small.encodeSignature(second!)).toEqual(signatures[1]);
      expect(() => small.encodeSignature(first!)).toThrow(RangeError);
      expect(small.size).toBe(2);
      small.free();
    });

    test('is empty after free(), which can be called again', () => {
      const { store: freed, keys: its, kept: gone } = opened();
      freed.free();
      freed.free();
      expect(freed.size).toBe(0);
      expect(() => freed.encodeSignature(gone[0]!)).toThrow(RangeError);
      expect(() => freed.verify(its[0]!, message, gone[0]!)).toThrow(RangeError);
      expect(() => freed.readKey(publicKeys[0]!)).toThrow(/expected a live store, got a freed one/);
      expect(() => freed.verifyEach([])).toThrow(RangeError);
      expect(() => freed.release(gone[0]!)).toThrow(RangeError);
      expect(store.encodeSignature(signature)).toEqual(signatures[0]);
    });

    test('has a capacity of 1 to 2^20', () => {
      for (const capacity of [0, -1, 1.5, 2 ** 20 + 1, Number.NaN])
        expect(() => bls.pointStore(capacity)).toThrow(/^capacity: expected an integer in 1\.\.1048576/);
      expect(bls.pointStore(2 ** 20).capacity).toBe(2 ** 20);
    });
  });
}
