import { insecureSeed } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { digestOf, drawn, lengthsRefused, outcomeOf, refusalsOf } from '../../../../tests/digests.ts';
import { identityKeyGen, identityPublicKey } from './identityKey.ts';
import { proveIdentity, verifyIdentity } from './identityProof.ts';
import { challengeChain, linkable } from './linkable.ts';
import { decodeRing } from './ring.ts';
import { traceable } from './traceable.ts';

const keys = Array.from({ length: 4 }, (_, index) => identityKeyGen(insecureSeed('identity', 1, index + 1)));
const ringOf = (places: readonly number[]) => {
  const read = decodeRing(places.map((place) => keys[place]!.publicKey));
  if (!read.ok) throw new Error(read.code);
  return read.ring;
};

it.each([linkable, traceable])('$name: signatures, marks, verdicts and relations are what they were', (scheme) => {
  const ring = ringOf([0, 1, 2]);
  const pins = drawn(1, (draw) => {
    const [event, entropy] = [draw.bytes(3), draw.bytes(32)];
    const texts = [draw.bytes(4), draw.bytes(0)];
    const signed = [
      [0, 0],
      [0, 0],
      [0, 1],
      [2, 0],
    ].map(([member, text]) => ({
      text: texts[text!]!,
      bytes: scheme.sign(ring, keys[member!]!.secretKey, event, texts[text!]!, entropy),
    }));
    const read = signed.map(({ text, bytes }) => scheme.verify(ring, event, text, bytes));
    const marks = read.flatMap((one) => (one.ok ? [one.mark] : []));
    const { bytes, text } = signed[0]!;
    const spoilt = draw.list(5, (one) => {
      const copy = bytes.slice(0, one.chance(0.8) ? undefined : -1);
      copy[one.integer(0, copy.length - 1)]! ^= 1 << one.integer(0, 7);
      return [scheme.verify(ring, event, text, copy), scheme.claimed(ring, event, text, copy)];
    });
    const elsewhere = [
      scheme.verify(ringOf([2, 1, 0]), event, text, bytes),
      scheme.verify(ringOf([0, 1]), event, text, bytes),
    ];
    return [
      signed,
      read,
      marks.flatMap((a) => marks.map((b) => scheme.relate(a, b))),
      spoilt,
      elsewhere,
      scheme.claimed(ring, event, text, bytes),
    ];
  });
  expect(pins.map(digestOf)).toMatchSnapshot();
  const refused = [
    () => scheme.sign(ring, keys[3]!.secretKey, new Uint8Array(1), new Uint8Array(1), new Uint8Array(32)),
    () => scheme.sign(ring, keys[0]!.secretKey, new Uint8Array(1), new Uint8Array(1), new Uint8Array(31)),
    () => scheme.verify(ring, 'x' as never, new Uint8Array(1), new Uint8Array(1)),
  ];
  expect([
    [1, 2, 9].map((members) => scheme.signatureBytes(members)),
    scheme.multiplicationsPerMember,
    refused.map(outcomeOf),
  ]).toMatchSnapshot();
});

it('keys, and what is no ring of them, are what they were', () => {
  const [first, second] = keys.map(({ publicKey }) => publicKey) as [Uint8Array, Uint8Array];
  const lists = [
    [],
    [first],
    [first, first],
    [first, second],
    [first.subarray(1)],
    [new Uint8Array(32)],
    [new Uint8Array(32).fill(255)],
  ];
  expect(digestOf([keys, lists.map((list) => outcomeOf(() => decodeRing(list)))])).toMatchInlineSnapshot(
    `"de3d725e60ee"`,
  );
});

it('every argument, and bytes of every other length, are refused with the words they were', () => {
  const [{ publicKey, secretKey }] = keys as [(typeof keys)[0]];
  const [ring, event, entropy] = [ringOf([0, 1]), Uint8Array.of(1), new Uint8Array(32)];
  const schemes = [linkable, traceable].flatMap((scheme) => {
    const signature = scheme.sign(ring, secretKey, event, event, entropy);
    const read = scheme.claimed(ring, event, event, signature);
    return [
      [`${scheme.name} sign`, [scheme.sign, ring, secretKey, event, event, entropy]],
      [`${scheme.name} verify`, [scheme.verify, ring, event, event, signature]],
      [`${scheme.name} claimed`, [scheme.claimed, ring, event, event, signature]],
      [`${scheme.name} relate`, [scheme.relate, read, read]],
    ] as const;
  });
  const calls = {
    ...Object.fromEntries(schemes),
    chain: [challengeChain, ring, event, event, linkable.sign(ring, secretKey, event, event, entropy)],
    keyGen: [identityKeyGen, entropy],
    publicKey: [identityPublicKey, secretKey],
    prove: [proveIdentity, secretKey, event, entropy],
    verifyIdentity: [verifyIdentity, publicKey, event, proveIdentity(secretKey, event, entropy)],
    decodeRing: [decodeRing, [publicKey]],
  } as unknown as Parameters<typeof refusalsOf>[0];
  const [words, lengths] = [refusalsOf(calls), lengthsRefused(calls)];
  expect([words.length, digestOf(words), lengths]).toMatchSnapshot();
  // What verifies and what does not, of the right length.
  const proof = proveIdentity(secretKey, event, entropy);
  expect([event, entropy].map((holder) => verifyIdentity(publicKey, holder, proof))).toEqual([true, false]);
  expect(
    [0, 255].map((byte) => outcomeOf(() => proveIdentity(new Uint8Array(32).fill(byte), event, entropy))),
  ).toMatchSnapshot();
});
