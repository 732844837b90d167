import { describe, expect, test } from 'vitest';
import { bitsOf, signersOf } from '../test/fixtures.ts';
import { loadBls } from './index.ts';

const bls = await loadBls();
const message = Uint8Array.of(1, 2, 3);
const { publicKeys, signatures } = signersOf(bls, 4, message);
const aggregate = bls.aggregateSignatures(signatures);

const make = () => bls.verifier(publicKeys, message);

describe('the verifier of a Bls', () => {
  test('answers each verification with its own result', async () => {
    const verifier = make();
    const answers = await Promise.all([
      verifier.verify(0, bitsOf([0, 1, 2, 3]), aggregate),
      ...signatures.map((signature, i) => verifier.verify(i, bitsOf([0]), signature)),
      ...signatures.map((signature, i) => verifier.verify(0, bitsOf([(i + 1) % 4]), signature)),
    ]);
    expect(answers).toEqual([true, true, true, true, true, false, false, false, false]);
    await verifier.close();
  });

  test('answers a batch with a verdict for each claim', async () => {
    const verifier = make();
    const honest = signatures.map((signature, i) => ({ first: i, bits: bitsOf([0]), signature }));
    const everyone = { first: 0, bits: bitsOf([0, 1, 2, 3]), signature: aggregate };
    expect(await verifier.verifyBatch([])).toEqual([]);
    expect(await verifier.verifyBatch([...honest, everyone])).toEqual([true, true, true, true, true]);
    const liar = { first: 2, bits: bitsOf([0]), signature: signatures[3]! };
    const garbled = { first: 0, bits: new Uint8Array(), signature: new Uint8Array(7) };
    const answers = await Promise.all([
      verifier.verifyBatch([honest[0]!, liar, everyone, garbled, honest[1]!]),
      verifier.verify(0, bitsOf([0]), signatures[0]!),
      verifier.verifyBatch([liar, liar]),
    ]);
    expect(answers).toEqual([[true, false, true, false, true], true, [false, false]]);
    await verifier.close();
  });

  test('has read the bytes before it returns', async () => {
    const verifier = make();
    const [bits, signature] = [bitsOf([0, 1, 2, 3]), Uint8Array.from(aggregate)];
    const answers = [1, 2, 3].map(() => verifier.verify(0, bits, signature));
    const batch = verifier.verifyBatch([{ first: 0, bits, signature }]);
    bits.fill(0);
    signature.fill(0);
    expect(await Promise.all(answers)).toEqual([true, true, true]);
    expect(await batch).toEqual([true]);
    await verifier.close();
  });

  test('rejects a wrong argument with a RangeError', async () => {
    const verifier = make();
    const claim = { first: -1, bits: bitsOf([0]), signature: aggregate };
    await expect(verifier.verify(claim.first, claim.bits, aggregate)).rejects.toThrow(RangeError);
    await expect(verifier.verifyBatch([claim])).rejects.toThrow(RangeError);
  });

  test('rejects with the code closed after close, which may be called twice', async () => {
    const verifier = make();
    await verifier.close();
    await verifier.close();
    const closed = { name: 'VerifierError', code: 'closed' };
    await expect(verifier.verify(0, bitsOf([0]), aggregate)).rejects.toMatchObject(closed);
    await expect(verifier.verifyBatch([])).rejects.toMatchObject(closed);
  });
});
