import assert from 'node:assert/strict';
import * as native from '@chainsafe/blst';
import { loadBls } from '@tutti/wasm-bls';
import herumi from 'bls-eth-wasm';

/** Signers of an aggregate: a committee's worth, and what the house plans to sum in one verification. */
export const SIGNERS = 128;

/** What every contender is asked to do, from bytes on the wire to an answer, unless it says that something is decoded before. */
export const OPERATIONS = {
  sign: 'sign',
  verify: 'verify: key and signature from bytes',
  decode: 'decode a signature, subgroup checked',
  aggregate: `aggregate ${SIGNERS} signatures from bytes`,
  fastAggregateVerify: `fastAggregateVerify, ${SIGNERS} keys from bytes`,
  decodedKeys: `verify an aggregate of ${SIGNERS}, keys decoded before`,
  add: 'add two decoded signatures',
};

/** The inputs that all share: keys from seeds, one message, their signatures. */
export function inputs(bls) {
  const message = new Uint8Array(32).fill(7);
  const secretKeys = Array.from({ length: SIGNERS }, (_, i) => bls.keyGen(new Uint8Array(32).fill(i)));
  const publicKeys = secretKeys.map((key) => bls.publicKey(key));
  const signatures = secretKeys.map((key) => bls.sign(key, message));
  return { message, secretKeys, publicKeys, signatures, aggregate: bls.aggregateSignatures(signatures) };
}

/** One of our two implementations; each operation returns something to compare with the others' answer. */
function ours(bls, { message, secretKeys, publicKeys, signatures, aggregate }) {
  const round = bls.round(publicKeys, message);
  const everyone = new Uint8Array(SIGNERS / 8).fill(0xff);
  const [a, b] = [bls.decodeSignature(signatures[0]).point, bls.decodeSignature(signatures[1]).point];
  return {
    sign: () => bls.sign(secretKeys[0], message),
    verify: () => bls.verify(publicKeys[0], message, signatures[0]),
    decode: () => bls.decodeSignature(signatures[0]).ok,
    aggregate: () => bls.aggregateSignatures(signatures),
    fastAggregateVerify: () => bls.fastAggregateVerify(publicKeys, message, aggregate),
    // The others hash the message each time, and so does this row; a round that has it ready is among the kernel's steps.
    decodedKeys: () => bls.hashToG2(message) && round.verify(0, everyone, aggregate),
    add: () => bls.addSignatures(a, b),
  };
}

/** bls-eth-wasm: mcl in WebAssembly. Its deserialisers check the subgroup, as they come. */
async function herumiContender({ message, secretKeys, publicKeys, signatures, aggregate }) {
  await herumi.init(herumi.BLS12_381);
  const decoded = (type, bytes) => {
    const value = new type();
    value.deserialize(bytes);
    return value;
  };
  const key = (bytes) => decoded(herumi.PublicKey, bytes);
  const signature = (bytes) => decoded(herumi.Signature, bytes);
  const secretKey = decoded(herumi.SecretKey, secretKeys[0]);
  const keys = publicKeys.map(key);
  const [a, b] = [signature(signatures[0]), signature(signatures[1])];
  return {
    sign: () => secretKey.sign(message).serialize(),
    verify: () => key(publicKeys[0]).verify(signature(signatures[0]), message),
    decode: () => signature(signatures[0]) !== undefined,
    aggregate: () => {
      const sum = new herumi.Signature();
      sum.aggregate(signatures.map(signature));
      return sum.serialize();
    },
    fastAggregateVerify: () => signature(aggregate).fastAggregateVerify(publicKeys.map(key), message),
    decodedKeys: () => signature(aggregate).fastAggregateVerify(keys, message),
    add: () => {
      const sum = a.clone();
      sum.add(b);
      return sum;
    },
  };
}

/** @chainsafe/blst: the same blst as the kernel's, native, with its assembly; on one thread, as all are here. */
function nativeContender({ message, secretKeys, publicKeys, signatures, aggregate }) {
  const key = (bytes) => native.PublicKey.fromBytes(bytes, true);
  const signature = (bytes) => native.Signature.fromBytes(bytes, true);
  const secretKey = native.SecretKey.fromBytes(secretKeys[0]);
  const keys = publicKeys.map(key);
  const [a, b] = [signature(signatures[0]), signature(signatures[1])];
  return {
    sign: () => secretKey.sign(message).toBytes(),
    verify: () => native.verify(message, key(publicKeys[0]), signature(signatures[0])),
    decode: () => signature(signatures[0]) !== undefined,
    aggregate: () => native.aggregateSignatures(signatures.map(signature)).toBytes(),
    fastAggregateVerify: () => native.fastAggregateVerify(message, publicKeys.map(key), signature(aggregate)),
    decodedKeys: () => native.fastAggregateVerify(message, keys, signature(aggregate)),
    add: () => native.aggregateSignatures([a, b]),
  };
}

/** Every contender by name, the kernel first: each an object of operations. */
export async function contenders() {
  const [kernel, noble] = [await loadBls({ kernel: 'wasm' }), await loadBls({ kernel: 'noble' })];
  const shared = inputs(kernel);
  return {
    'kernel (blst, WASM)': ours(kernel, shared),
    'noble-curves (JS)': ours(noble, shared),
    'bls-eth-wasm (herumi)': await herumiContender(shared),
    '@chainsafe/blst (native)': nativeContender(shared),
  };
}

/** The steps of the kernel's own verification, and its door alone: a call that marshals a round's arguments and refuses them at once. */
export async function kernelSteps() {
  const bls = await loadBls({ kernel: 'wasm' });
  const { message, publicKeys, signatures, aggregate } = inputs(bls);
  const round = bls.round(publicKeys, message);
  const everyone = new Uint8Array(SIGNERS / 8).fill(0xff);
  const half = new Uint8Array(SIGNERS / 8).fill(0x55);
  const point = bls.decodeSignature(aggregate).point;
  return {
    'round.verify, all of 128 (signature from bytes)': () => round.verify(0, everyone, aggregate),
    'round.verify, all of 128 (decoded signature)': () => round.verify(0, everyone, point),
    'round.verify, every second of 128 (decoded signature)': () => round.verify(0, half, point),
    'validate a key': () => bls.validatePublicKey(publicKeys[0]),
    'decode a signature': () => bls.decodeSignature(signatures[0]),
    'hash the message': () => bls.hashToG2(message),
    'the door alone (marshaling of round.verify)': () => round.verify(0, new Uint8Array(SIGNERS / 8), point),
  };
}

/** How many claims are verified together. */
export const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64];

/** One claim verified singly, and batches of several sizes: each of every second one of the signers from its own on, half of all. */
export async function batches(signatureBytes) {
  const bls = await loadBls({ kernel: 'wasm' });
  const { message, publicKeys, signatures } = inputs(bls);
  const round = bls.round(publicKeys, message);
  const claims = Array.from({ length: Math.max(...BATCH_SIZES) }, (_, first) => {
    const signers = signatures.slice(first, first + SIGNERS / 2).filter((_, i) => i % 2 === 0);
    const signature = bls.aggregateSignatures(signers);
    return {
      first,
      bits: new Uint8Array(SIGNERS / 16).fill(0x55),
      signature: signatureBytes === 96 ? signature : bls.decodeSignature(signature).point,
    };
  });
  const [{ first, bits, signature }] = claims;
  const operations = { single: () => round.verify(first, bits, signature) };
  for (const size of BATCH_SIZES) {
    const batch = claims.slice(0, size);
    operations[size] = () => round.verifyBatch(batch);
  }
  for (const [name, operation] of Object.entries(operations)) assert.equal(operation(), true, `batch: ${name}`);
  return operations;
}
