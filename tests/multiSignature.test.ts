import {
  type Contribution,
  decodeMessage,
  encodeMessage,
  MultiSignatureScheme,
  messageBytes,
  noContribution,
  Tree,
} from '@tutti/core';
import { loadBls } from '@tutti/wasm-bls';
import { afterAll, describe, expect, it } from 'vitest';
import {
  compressedX,
  hexBytes,
  infinity,
  negated,
  offCurveX,
  outsideG2Point,
  outsideG2X,
  pointOf,
  signersOf,
} from '../packages/wasm-bls/test/fixtures.ts';

const bls = await loadBls({ engine: 'noble' });
const text = new TextEncoder().encode('what everybody signs');
const otherText = new TextEncoder().encode('something else');

const { secretKeys: secrets, publicKeys, signatures } = signersOf(bls, 8, text);
const round = bls.round(publicKeys, text);
afterAll(() => round.free());

/** Returns the scheme for nodes 0 to nodes - 1, with a function that creates individual contributions. */
function make(nodes: number) {
  const tree = new Tree(nodes);
  const scheme = new MultiSignatureScheme({ tree, kernel: bls, verifier: round });
  const individual = (id: number, signature = signatures[id]!): Contribution => scheme.individual(id, signature);
  const aggregateOf = (block: number, ids: readonly number[]): Contribution => {
    let made: Contribution = noContribution;
    for (const id of ids) {
      const one = individual(id);
      const wider = scheme.aggregate(block, made, one);
      scheme.release(made);
      scheme.release(one);
      made = wider;
    }
    return made;
  };
  return { tree, scheme, individual, aggregateOf };
}

/** Decodes a message of node 5 to node 2. */
function received(scheme: MultiSignatureScheme, bytes: Uint8Array) {
  const read = decodeMessage(scheme, 2, 5, bytes);
  if (!read.ok) throw new Error(read.code);
  return read;
}

/** Returns a message of node 5 to node 2 in a group of 8, with an aggregate of nodes 5 and 6. */
function message() {
  const { tree, scheme, individual, aggregateOf } = make(8);
  const aggregate = aggregateOf(tree.ownBlock(5, 3), [5, 6]);
  const own = individual(5);
  const bytes = encodeMessage(scheme, 3, aggregate, own, 0);
  expect(bytes.length).toBe(messageBytes(scheme, aggregate, own));
  scheme.release(aggregate);
  scheme.release(own);
  expect(scheme.held).toBe(0);
  return { scheme, bytes, signatureAt: bytes.length - 97 - 96, individualAt: bytes.length - 96 };
}

describe('v1.03 2.1: BLS multi-signatures as contributions', () => {
  it('an aggregate is valid for exactly its stated signers', () => {
    const { scheme, aggregateOf } = make(8);
    const some = aggregateOf(1, [0, 2, 7]);
    expect(scheme.weight(some)).toBe(3);
    expect(scheme.verify(some)).toBe(true);
    const { bits, first, signature } = scheme.claim(some);
    expect([first, ...bits]).toEqual([0, 0b10000101]);
    expect(signature).toEqual(bls.aggregateSignatures([0, 2, 7].map((id) => signatures[id]!)));
    for (const wrong of [0b101, 0b10000111, 0b10000100, 0b1000011])
      expect(round.verify(0, Uint8Array.of(wrong), signature)).toBe(false);
  });
});

describe('v1.03 3.5: messages with real signatures', () => {
  it('decode to the encoded message, and verify', () => {
    const { scheme, bytes } = message();
    const read = received(scheme, bytes);
    expect(scheme.claim(read.aggregate)).toMatchObject({ first: 4, bits: Uint8Array.of(0b110) });
    expect(scheme.verify(read.aggregate) && scheme.verify(read.individual)).toBe(true);
    expect(encodeMessage(scheme, read.level, read.aggregate, read.individual, read.flags)).toEqual(bytes);
    // Decoded contributions can be aggregated further.
    const own = scheme.individual(2, signatures[2]!);
    const wider = scheme.aggregate(1, read.aggregate, own);
    expect(scheme.verify(wider)).toBe(true);
    for (const contribution of [read.aggregate, read.individual, own, wider]) scheme.release(contribution);
    expect(scheme.held).toBe(0);
  });

  it('cost no curve arithmetic before they are verified: any 96 bytes decode', () => {
    const { scheme, bytes, signatureAt } = message();
    bytes.fill(0xab, signatureAt, signatureAt + 96);
    const read = received(scheme, bytes);
    expect(scheme.verify(read.aggregate)).toBe(false);
    expect(scheme.verify(read.individual)).toBe(true);
  });

  describe('attack: a signature that is', () => {
    /** Returns whether a message with this signature still passes verification. */
    function verdict(signature: Uint8Array): boolean {
      const { scheme, bytes, signatureAt } = message();
      bytes.set(signature, signatureAt);
      return scheme.verify(received(scheme, bytes).aggregate);
    }
    const sumOf = (...ids: number[]) => bls.aggregateSignatures(ids.map((id) => signatures[id]!));
    const good = sumOf(5, 6);

    it.each<[string, Uint8Array, boolean?]>([
      ['the genuine one, which shows that the others are refused for their own reason', good, true],
      ['zeroes', new Uint8Array(96)],
      ['all ones', new Uint8Array(96).fill(0xff)],
      ['without the compression flag', good.with(0, good[0]! & 0x7f)],
      ['not on the curve', compressedX(96, offCurveX)],
      ['on the curve but not in the subgroup', compressedX(96, outsideG2X)],
      ['the identity', infinity(96)],
      ['the negative of the genuine one', negated(good)],
      ["one signer's", signatures[5]!],
      ["other signers'", sumOf(4, 6)],
      ["the signers', one of them twice", sumOf(5, 6, 6)],
      ['on another message', bls.aggregateSignatures([5, 6].map((id) => bls.sign(secrets[id]!, otherText)))],
    ])('%s', (_, signature, isValid = false) => expect(verdict(signature)).toBe(isValid));
  });

  describe('uncompressed signatures', () => {
    const scheme = new MultiSignatureScheme({ tree: new Tree(8), kernel: bls, verifier: round, form: 'uncompressed' });
    const aggregate = () =>
      scheme.aggregate(
        scheme.tree.ownBlock(5, 3),
        scheme.individual(5, signatures[5]!),
        scheme.individual(6, signatures[6]!),
      );
    /** Returns the verdict on the aggregate of nodes 5 and 6 after a change to the 192 bytes of its signature. */
    const verdict = (change: (signature: Uint8Array) => void): boolean => {
      const bytes = encodeMessage(scheme, 3, aggregate(), scheme.individual(5, signatures[5]!), 0);
      expect(bytes.length).toBe(messageBytes(scheme, aggregate(), scheme.individual(5, signatures[5]!)));
      change(bytes.subarray(bytes.length - 193 - 192, bytes.length - 193));
      const read = received(scheme, bytes);
      expect(scheme.verify(read.individual)).toBe(true);
      return scheme.verify(read.aggregate);
    };

    it.each<[string, (signature: Uint8Array) => void, boolean?]>([
      ['the genuine signature', () => {}, true],
      ['zeroes', (signature) => signature.fill(0)],
      ['all ones', (signature) => signature.fill(0xff)],
      ['infinity', (signature) => signature.fill(0).set([0x40])],
      ['the compression flag', (signature) => signature.set([signature[0]! | 0x80])],
      ['another y', (signature) => signature.set([signature[191]! ^ 1], 191)],
      ["another's signature", (signature) => signature.set(pointOf(bls.decodeSignature(signatures[4]!)))],
      ['a point of the curve outside the subgroup', (signature) => signature.set(hexBytes(outsideG2Point))],
    ])('attack: only the genuine signature is valid, not %s', (_, change, isValid = false) => {
      expect(verdict(change)).toBe(isValid);
    });
  });

  it("attack: a swap of the aggregate's signature with the individual one makes both invalid", () => {
    const { scheme, bytes, signatureAt, individualAt } = message();
    const swapped = bytes.slice();
    swapped.set(bytes.subarray(individualAt, individualAt + 96), signatureAt);
    swapped.set(bytes.subarray(signatureAt, signatureAt + 96), individualAt);
    const read = received(scheme, swapped);
    expect(scheme.verify(read.aggregate)).toBe(false);
    expect(scheme.verify(read.individual)).toBe(false);
  });

  it("2.4, attack: two contributions that cancel each other's errors are each invalid", () => {
    // The sum of wrong signatures can be correct, but each of the signatures is refused in a separate verification.
    const { tree, scheme, individual } = make(8);
    const swapped = [individual(5, signatures[6]!), individual(6, signatures[5]!)] as const;
    expect(swapped.map((contribution) => scheme.verify(contribution))).toEqual([false, false]);
    expect(scheme.verify(scheme.aggregate(tree.ownBlock(5, 3), ...swapped))).toBe(true);
  });
});
