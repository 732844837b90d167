/** Byte arrays of another realm, as in a frame or jsdom, are not instances of this realm's Uint8Array. */
import { createContext, runInContext } from 'node:vm';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { describe, expect, it } from 'vitest';
import { sampled } from '../../../tests/sampled.ts';
import { engineVariants, pointOf } from '../test/fixtures.ts';
import { isBytes, ownBytes } from './arguments.ts';
import chainsafe from './compat/chainsafe.ts';
import { longSignatures, shortSignatures } from './compat/noble.ts';
import { loadBls } from './index.ts';

const realm = createContext({});
const foreign: (bytes: Uint8Array) => Uint8Array = runInContext('(bytes) => Uint8Array.from(bytes)', realm);
/** Returns bytes at an offset within a larger buffer, as in Node's Buffer. */
const foreignBuffer: (bytes: Uint8Array) => Uint8Array = runInContext(
  `class Buffer extends Uint8Array {}
  (bytes) => {
    const one = new Buffer(new ArrayBuffer(bytes.length + 7), 3, bytes.length);
    one.set(bytes);
    return one;
  }`,
  realm,
);
const seed = new Uint8Array(32).fill(7);
const message = new TextEncoder().encode('block 17');
const tag = new TextEncoder().encode('a tag');

it('byte arrays are recognised by their tag, and other views are refused', () => {
  expect(foreign(seed) instanceof Uint8Array).toBe(false);
  for (const bytes of [seed, foreign(seed), foreignBuffer(seed), Buffer.from(seed)]) {
    expect(isBytes(bytes)).toBe(true);
    expect(ownBytes(bytes)).toBeInstanceOf(Uint8Array);
    expect([...ownBytes(bytes)]).toEqual([...seed]);
  }
  for (const other of [
    new Int8Array(1),
    new DataView(new ArrayBuffer(1)),
    new ArrayBuffer(1),
    runInContext('new Uint8ClampedArray(1)', realm),
    ...[[1], 'a', undefined, null],
  ])
    expect(isBytes(other)).toBe(false);
});

describe.each([
  ['a Uint8Array', foreign],
  ['a Buffer', foreignBuffer],
])('%s of another realm', (_, of) => {
  it.each(sampled(engineVariants, 2))(
    'is accepted by every function of the engine %s, %s, like one of this realm',
    async (engine, variant) => {
      const bls = await loadBls({ engine, variant });
      const results = (of: (bytes: Uint8Array) => Uint8Array) => {
        const secret = bls.keyGen(of(seed));
        const key = bls.publicKey(of(secret));
        const signature = bls.sign(of(secret), of(message));
        const proof = bls.provePossession(of(secret));
        const point = pointOf(bls.decodeSignature(of(signature)));
        const round = bls.round([of(pointOf(bls.validatePublicKey(of(key))))], of(message));
        const claimed = round.verify(0, of(Uint8Array.of(1)), of(signature));
        round.free();
        return [
          ...[secret, key, signature, proof, point, bls.encodeSignature(of(point))],
          ...[bls.addSignatures(of(point), of(point)), bls.hashToCurve(of(message))],
          ...[bls.aggregateSignatures([of(signature), of(signature)]), bls.sign(of(secret), of(message), of(tag))],
          ...[bls.hashToCurve(of(message), of(tag)), bls.signPoint(of(secret), of(point))],
          claimed,
          bls.verify(of(key), of(message), of(signature)),
          bls.verify(of(key), of(message), of(proof)),
          bls.verifyPossession(of(key), of(proof)),
          bls.fastAggregateVerify([of(key)], of(message), of(signature)),
          bls.aggregateVerify([of(key)], [of(message)], of(signature)),
        ];
      };
      const own = results((bytes) => bytes);
      expect(own.filter((one) => typeof one === 'boolean')).toEqual([true, true, false, true, true, true]);
      expect(results(of)).toEqual(own);
    },
  );

  it('is accepted by the compatibility entry points', () => {
    const secretKey = chainsafe.SecretKey.fromBytes(of(seed));
    const publicKey = secretKey.toPublicKey();
    const signature = secretKey.sign(of(message));
    expect(chainsafe.verify(publicKey, of(message), signature)).toBe(true);
    expect(chainsafe.verify(of(publicKey.toBytes()), of(message), of(signature.toBytes()))).toBe(true);
    for (const signatures of [longSignatures, shortSignatures as unknown as typeof longSignatures]) {
      const hashed = signatures.hash(of(message));
      const bytes = signatures.Signature.toBytes(signatures.sign(hashed, of(seed)));
      expect(signatures.verify(of(bytes), hashed, of(signatures.getPublicKey(of(seed)).toBytes()))).toBe(true);
    }
    expect(longSignatures.hash(of(message), of(tag)).toBytes()).toEqual(
      bls12_381.longSignatures.hash(message, tag).toBytes(),
    );
  });
});
