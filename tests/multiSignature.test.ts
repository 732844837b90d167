import {
  type Contribution,
  decodeMessage,
  encodeMessage,
  MultiSignatureScheme,
  messageBytes,
  noContribution,
  Tree,
} from '@tutti/core';
import { insecureSecretKey, loadBls } from '@tutti/wasm-bls';
import { afterAll, describe, expect, it } from 'vitest';
import { outsideG2Point } from '../packages/wasm-bls/test/fixtures.ts';

const bls = await loadBls({ engine: 'noble' });
const text = new TextEncoder().encode('what everybody signs');
const otherText = new TextEncoder().encode('something else');

const secrets = Array.from({ length: 8 }, (_, id) => insecureSecretKey(bls, 1, id));
const publicKeys = secrets.map((secret) => bls.publicKey(secret));
const signatures = secrets.map((secret) => bls.sign(secret, text));
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

/** Encodes a message of a sender to a receiver in a group of 8, and decodes it. */
function message(sender: number, receiver: number, ids: readonly number[]) {
  const { tree, scheme, individual, aggregateOf } = make(8);
  const level = 32 - Math.clz32(sender ^ receiver);
  const aggregate = aggregateOf(tree.ownBlock(sender, level), ids);
  const own = individual(sender);
  const bytes = encodeMessage(scheme, level, aggregate, own, 0);
  expect(bytes.length).toBe(messageBytes(scheme, aggregate, own));
  scheme.release(aggregate);
  scheme.release(own);
  expect(scheme.held).toBe(0);
  return { scheme, bytes, setAt: 4, signatureAt: bytes.length - 97 - 96, individualAt: bytes.length - 96 };
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
    for (const wrong of [0b101, 0b10000111, 0b10000100, 0b1000011]) {
      expect(round.verify(0, Uint8Array.of(wrong), signature)).toBe(false);
    }
  });
});

describe('v1.03 3.5: messages with real signatures', () => {
  it('decode to the encoded message, and verify', () => {
    const { scheme, bytes } = message(5, 2, [5, 6]);
    const read = decodeMessage(scheme, 2, 5, bytes);
    if (!read.ok) throw new Error(read.code);
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
    const { scheme, bytes, signatureAt } = message(5, 2, [5, 6]);
    bytes.fill(0xab, signatureAt, signatureAt + 96);
    const read = decodeMessage(scheme, 2, 5, bytes);
    if (!read.ok) throw new Error(read.code);
    expect(scheme.verify(read.aggregate)).toBe(false);
    expect(scheme.verify(read.individual)).toBe(true);
  });

  describe('attack: a signature that is', () => {
    /** Returns whether a message with this signature still passes verification. */
    function verdict(signature: Uint8Array): boolean {
      const { scheme, bytes, signatureAt } = message(5, 2, [5, 6]);
      bytes.set(signature, signatureAt);
      const read = decodeMessage(scheme, 2, 5, bytes);
      if (!read.ok) throw new Error(read.code);
      return scheme.verify(read.aggregate);
    }
    const good = bls.aggregateSignatures([signatures[5]!, signatures[6]!]);

    const set = (change: (bytes: Uint8Array) => void, of = good.slice()): Uint8Array => {
      change(of);
      return of;
    };
    const sumOf = (...ids: number[]) => bls.aggregateSignatures(ids.map((id) => signatures[id]!));

    it.each<[string, () => Uint8Array, boolean?]>([
      ['the genuine one, which shows that the others are refused for their own reason', () => good, true],
      ['zeroes', () => new Uint8Array(96)],
      ['all ones', () => new Uint8Array(96).fill(0xff)],
      ['without the compression flag', () => set((bytes) => bytes.set([bytes[0]! & 0x7f]))],
      ['not on the curve', () => firstDecoding('not-on-curve')],
      ['on the curve but not in the subgroup', () => firstDecoding('not-in-subgroup')],
      ['the identity', () => set((bytes) => bytes.set([0xc0]), new Uint8Array(96))],
      ['the negative of the genuine one', () => set((bytes) => bytes.set([bytes[0]! ^ 0x20]))],
      ["one signer's", () => signatures[5]!],
      ["other signers'", () => sumOf(4, 6)],
      ["the signers', one of them twice", () => sumOf(5, 6, 6)],
      ['on another message', () => bls.aggregateSignatures([5, 6].map((id) => bls.sign(secrets[id]!, otherText)))],
    ])('%s', (_, signature, isValid = false) => expect(verdict(signature())).toBe(isValid));

    /** Returns the first small x whose compressed form fails to decode for the given reason. */
    function firstDecoding(code: string): Uint8Array {
      for (let x = 1; x < 100; x++) {
        const bytes = new Uint8Array(96);
        bytes[0] = 0x80;
        bytes[95] = x;
        const decoded = bls.decodeSignature(bytes);
        if (!decoded.ok && decoded.code === code) return bytes;
      }
      throw new Error(`nothing that is ${code}`);
    }
  });

  describe('uncompressed signatures', () => {
    const scheme = new MultiSignatureScheme({ tree: new Tree(8), kernel: bls, verifier: round, form: 'uncompressed' });
    const aggregate = () =>
      scheme.aggregate(
        scheme.tree.ownBlock(5, 3),
        scheme.individual(5, signatures[5]!),
        scheme.individual(6, signatures[6]!),
      );
    /**
     * Returns a receiver's verdict on the aggregate of nodes 5 and 6 after a change to the 192 bytes of its signature.
     */
    const verdict = (change: (signature: Uint8Array) => void): boolean => {
      const bytes = encodeMessage(scheme, 3, aggregate(), scheme.individual(5, signatures[5]!), 0);
      expect(bytes.length).toBe(messageBytes(scheme, aggregate(), scheme.individual(5, signatures[5]!)));
      change(bytes.subarray(bytes.length - 193 - 192, bytes.length - 193));
      const read = decodeMessage(scheme, 2, 5, bytes);
      if (!read.ok) throw new Error(read.code);
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
      ["another's signature", (signature) => signature.set(pointOf(signatures[4]!))],
      ['a point of the curve outside the subgroup', (signature) => signature.set(outside)],
    ])('attack: only the genuine signature is valid, not %s', (_, change, isValid = false) => {
      expect(verdict(change)).toBe(isValid);
    });

    const pointOf = (signature: Uint8Array): Uint8Array => {
      const decoded = bls.decodeSignature(signature);
      if (!decoded.ok) throw new Error(decoded.code);
      return decoded.point;
    };
    const outside = Uint8Array.from(Buffer.from(outsideG2Point, 'hex'));
  });

  it("attack: a swap of the aggregate's signature with the individual one makes both invalid", () => {
    const { scheme, bytes, signatureAt, individualAt } = message(5, 2, [5, 6]);
    const swapped = bytes.slice();
    swapped.set(bytes.subarray(individualAt, individualAt + 96), signatureAt);
    swapped.set(bytes.subarray(signatureAt, signatureAt + 96), individualAt);
    const read = decodeMessage(scheme, 2, 5, swapped);
    if (!read.ok) throw new Error(read.code);
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
