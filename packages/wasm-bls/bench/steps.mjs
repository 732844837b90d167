import assert from 'node:assert/strict';
import { insecureSecretKey, loadBls } from '@tutti/wasm-bls';

/** Signers of an aggregate: a committee's worth, and what the house plans to sum in one verification. */
export const signerCount = 128;

/** The inputs that all share: keys from seeds, one message, their signatures. */
export function inputs(bls) {
  const message = new Uint8Array(32).fill(7);
  const secretKeys = Array.from({ length: signerCount }, (_, i) => insecureSecretKey(bls, 1, i));
  const publicKeys = secretKeys.map((key) => bls.publicKey(key));
  const signatures = secretKeys.map((key) => bls.sign(key, message));
  return { message, secretKeys, publicKeys, signatures, aggregate: bls.aggregateSignatures(signatures) };
}

/**
 * The steps of the kernel's own verification, and its door alone: a call that marshals a round's arguments and refuses
 * them at once.
 */
export async function kernelSteps() {
  const bls = await loadBls({ kernel: 'wasm' });
  const { message, publicKeys, signatures, aggregate } = inputs(bls);
  const round = bls.round(publicKeys, message);
  const everyone = new Uint8Array(signerCount / 8).fill(0xff);
  const half = new Uint8Array(signerCount / 8).fill(0x55);
  const point = bls.decodeSignature(aggregate).point;
  return {
    'round.verify, all of 128 (signature from bytes)': () => round.verify(0, everyone, aggregate),
    'round.verify, all of 128 (decoded signature)': () => round.verify(0, everyone, point),
    'round.verify, every second of 128 (decoded signature)': () => round.verify(0, half, point),
    'validate a key': () => bls.validatePublicKey(publicKeys[0]),
    'decode a signature': () => bls.decodeSignature(signatures[0]),
    'hash the message': () => bls.hashToCurve(message),
    'the door alone (marshaling of round.verify)': () => round.verify(0, new Uint8Array(signerCount / 8), point),
  };
}

/** How many claims are verified together. */
export const batchSizes = [1, 2, 4, 8, 16, 32, 64];

/**
 * One claim verified singly, and batches of several sizes: each of every second one of the signers from its own on,
 * half of all.
 */
export async function batches(signatureBytes) {
  const bls = await loadBls({ kernel: 'wasm' });
  const { message, publicKeys, signatures } = inputs(bls);
  const round = bls.round(publicKeys, message);
  const claims = Array.from({ length: Math.max(...batchSizes) }, (_, first) => {
    const signers = signatures.slice(first, first + signerCount / 2).filter((_, i) => i % 2 === 0);
    const signature = bls.aggregateSignatures(signers);
    return {
      first,
      bits: new Uint8Array(signerCount / 16).fill(0x55),
      signature: signatureBytes === 96 ? signature : bls.decodeSignature(signature).point,
    };
  });
  const [{ first, bits, signature }] = claims;
  const operations = { single: () => round.verify(first, bits, signature) };
  for (const size of batchSizes) {
    const batch = claims.slice(0, size);
    operations[size] = () => round.verifyBatch(batch);
  }
  for (const [name, operation] of Object.entries(operations)) assert.equal(operation(), true, `batch: ${name}`);
  return operations;
}
