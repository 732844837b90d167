/**
 * What BLS libraries are asked to do side by side, and their times: noble-curves, herumi's bls-eth-wasm, native blst, and the kernel.
 * The latter two of the others are development dependencies: where one is not installed, its column is empty.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { loadBls } from '@tutti/wasm-bls';
import { loadCommittees } from '@tutti/wasm-bls/committee';
import { loadG1 } from '@tutti/wasm-bls/proof';
import { callsFor, median, timed } from './sampling.mjs';

/** The columns of a row. */
export const libraries = ['scalar', 'simd', 'noble', 'herumi', 'native'];

const SUMS = [512, 4096, 32768];
const BATCHES = [8, 32, 128];
/** Keys of a fast aggregate verification, and points of a multi-scalar product. */
const MANY = 4096;

/** Every operation by name: what it is. Bytes in, bytes or an answer out, unless something is said to be decoded. */
export const operations = {
  'key-derivation': 'public key of a secret key',
  'hash-to-curve': 'hash a message of 32 bytes to G2',
  sign: 'sign',
  verify: 'verify, key and signature from bytes',
  'verify-decoded': 'verify, key and signature decoded',
  'decode-key': 'decode a key, subgroup checked',
  'decode-signature': 'decode a signature, subgroup checked',
  add: 'add two decoded signatures',
  ...Object.fromEntries(SUMS.map((count) => [`sum-${count}`, `sum of ${count} decoded keys`])),
  'fast-aggregate-verify-4096': `one signature of ${MANY} decoded keys: sum and verify`,
  ...Object.fromEntries(
    BATCHES.map((count) => [`batch-${count}`, `${count} signatures from bytes on one message, keys decoded, at once`]),
  ),
  ...Object.fromEntries(
    BATCHES.map((count) => [
      `distinct-${count}`,
      `${count} signatures from bytes on different messages, keys decoded, at once`,
    ]),
  ),
  'multiply-4096': `sum of ${MANY} points of G1, each times 255 bits`,
};

/** What is dear to make, and made only if it is asked for. */
function lazily(make) {
  let value;
  return () => {
    value ??= make();
    return value;
  };
}

const at = (bytes, index, length) => bytes.subarray(index * length, (index + 1) * length);
const bits = (count) => new Uint8Array(Math.ceil(count / 8)).fill(0xff, 0, count >> 3);

/** The inputs that all share. The secret keys of the sums are consecutive, so that the signature of thousands is one. */
async function inputs() {
  const bls = await loadBls();
  const message = new Uint8Array(32).fill(7);
  const secretKeys = Array.from({ length: Math.max(...BATCHES) }, (_, i) => bls.keyGen(new Uint8Array(32).fill(i)));
  const messages = secretKeys.map((_, i) => new Uint8Array(32).fill(i));
  const sumKeys = (await loadCommittees()).consecutiveKeys(secretKeys[0], Math.max(...SUMS));
  let seed = 1;
  const scalars = Array.from({ length: MANY }, () => {
    let scalar = 0n;
    for (let i = 0; i < 8; i++) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      scalar = (scalar << 32n) | BigInt(seed);
    }
    return scalar >> 2n;
  });
  return {
    message,
    messages,
    secretKeys,
    publicKeys: secretKeys.map((key) => bls.publicKey(key)),
    signatures: secretKeys.map((key) => bls.sign(key, message)),
    distinct: secretKeys.map((key, i) => bls.sign(key, messages[i])),
    sumKeys,
    scalars,
    aggregateOfMany: bls.sign(sumOfConsecutive(secretKeys[0], MANY), message),
  };
}

const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

/** The sum of so many consecutive secret keys from one on. */
function sumOfConsecutive(first, count) {
  const start = BigInt(`0x${Buffer.from(first).toString('hex')}`);
  const sum = (start * BigInt(count) + (BigInt(count) * BigInt(count - 1)) / 2n) % ORDER;
  return Uint8Array.from(Buffer.from(sum.toString(16).padStart(64, '0'), 'hex'));
}

/** One of our two implementations. `sum` adds so many of the keys that were decoded before, to 96 bytes. */
function ours(bls, group, sum, given) {
  const { message, secretKeys, publicKeys, signatures, sumKeys, scalars, aggregateOfMany } = given;
  const points = publicKeys.map((key) => bls.validatePublicKey(key).point);
  const [a, b] = signatures.map((signature) => bls.decodeSignature(signature).point);
  const round = bls.round(points, message);
  const one = Uint8Array.of(1);
  const claims = signatures.map((signature, first) => ({ first, bits: one, signature }));
  const verifyUnder = (key, signature) => {
    const single = bls.round([key], message);
    const answer = single.verify(0, one, signature);
    single.free();
    return answer;
  };
  return {
    'key-derivation': () => bls.publicKey(secretKeys[0]),
    'hash-to-curve': () => bls.hashToG2(message),
    sign: () => bls.sign(secretKeys[0], message),
    verify: () => bls.verify(publicKeys[0], message, signatures[0]),
    'verify-decoded': () => verifyUnder(points[0], a),
    'decode-key': () => bls.validatePublicKey(publicKeys[0]).ok,
    'decode-signature': () => bls.decodeSignature(signatures[0]).ok,
    add: () => bls.addSignatures(a, b).length > 0,
    ...Object.fromEntries(SUMS.map((count) => [`sum-${count}`, () => sum(count)])),
    'fast-aggregate-verify-4096': () => verifyUnder(sum(MANY), aggregateOfMany),
    ...Object.fromEntries(
      BATCHES.map((count) => {
        const batch = claims.slice(0, count);
        return [`batch-${count}`, () => round.verifyBatch(batch)];
      }),
    ),
    'multiply-4096': () => group.combine(sumKeys.subarray(0, MANY * 96), scalars),
  };
}

async function kernelOperations(given) {
  const committees = await loadCommittees();
  const sums = new Map(
    [...SUMS, MANY].map((count) => [count, lazily(() => committees.committee(given.sumKeys.subarray(0, count * 96)))]),
  );
  const sum = (count) => sums.get(count)().sum(bits(count), 'batched');
  return ours(await loadBls(), await loadG1(), sum, given);
}

async function nobleOperations(given) {
  const { bls12_381 } = await import('@noble/curves/bls12-381.js');
  const { Point } = bls12_381.G1;
  const keys = lazily(() =>
    Array.from({ length: Math.max(...SUMS) }, (_, i) => Point.fromBytes(at(given.sumKeys, i, 96))),
  );
  const sum = (count) => {
    let total = Point.ZERO;
    for (let i = 0; i < count; i++) total = total.add(keys()[i]);
    return total.toBytes(false);
  };
  return ours(await loadBls({ kernel: 'noble' }), await loadG1({ kernel: 'noble' }), sum, given);
}

/** bls-eth-wasm: mcl in WebAssembly. Its deserialisers check the subgroup, as they come. */
async function herumiOperations(given) {
  const herumi = await optional('bls-eth-wasm');
  if (herumi === undefined) return {};
  const { message, messages, secretKeys, publicKeys, signatures, distinct, sumKeys, aggregateOfMany } = given;
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
  const many = lazily(() =>
    Array.from({ length: Math.max(...SUMS) }, (_, i) => {
      const point = new herumi.PublicKey();
      point.deserializeUncompressed(at(sumKeys, i, 96));
      return point;
    }),
  );
  const [a, b] = signatures.map(signature);
  const sum = (count) => {
    const total = many()[0].clone();
    for (let i = 1; i < count; i++) total.add(many()[i]);
    return total;
  };
  const manyKeys = lazily(() => many().slice(0, MANY));
  const batch = (count, texts, wire) => () =>
    herumi.multiVerify(keys.slice(0, count), wire.slice(0, count).map(signature), texts.slice(0, count));
  return {
    'key-derivation': () => secretKey.getPublicKey().serialize(),
    sign: () => secretKey.sign(message).serialize(),
    verify: () => key(publicKeys[0]).verify(signature(signatures[0]), message),
    'verify-decoded': () => keys[0].verify(a, message),
    'decode-key': () => key(publicKeys[0]) !== undefined,
    'decode-signature': () => signature(signatures[0]) !== undefined,
    add: () => {
      const total = a.clone();
      total.add(b);
      return true;
    },
    ...Object.fromEntries(SUMS.map((count) => [`sum-${count}`, () => sum(count).serializeUncompressed()])),
    'fast-aggregate-verify-4096': () => signature(aggregateOfMany).fastAggregateVerify(manyKeys(), message),
    ...(herumi.multiVerify && {
      ...Object.fromEntries(
        BATCHES.map((count) => [`batch-${count}`, batch(count, Array(count).fill(message), signatures)]),
      ),
      ...Object.fromEntries(BATCHES.map((count) => [`distinct-${count}`, batch(count, messages, distinct)])),
    }),
  };
}

/** @chainsafe/blst: the same blst as the kernel's, native, with its assembly; on one thread, as all are here. */
async function nativeOperations(given) {
  const native = await optional('@chainsafe/blst');
  if (native === undefined) return {};
  const { message, messages, secretKeys, publicKeys, signatures, distinct, sumKeys, aggregateOfMany } = given;
  const key = (bytes) => native.PublicKey.fromBytes(bytes, true);
  const signature = (bytes) => native.Signature.fromBytes(bytes, true);
  const secretKey = native.SecretKey.fromBytes(secretKeys[0]);
  const keys = publicKeys.map(key);
  const many = lazily(() =>
    Array.from({ length: Math.max(...SUMS) }, (_, i) => native.PublicKey.fromBytes(at(sumKeys, i, 96), false)),
  );
  const [a, b] = signatures.map(signature);
  const lists = new Map([...SUMS, MANY].map((count) => [count, lazily(() => many().slice(0, count))]));
  const sameMessage = (count) => () => {
    const { pk, sig } = native.aggregateWithRandomness(
      signatures.slice(0, count).map((sig, i) => ({ pk: keys[i], sig })),
    );
    return native.verify(message, pk, sig);
  };
  const different = (count) => () =>
    native.verifyMultipleAggregateSignatures(
      distinct.slice(0, count).map((bytes, i) => ({ msg: messages[i], pk: keys[i], sig: signature(bytes) })),
    );
  return {
    'key-derivation': () => secretKey.toPublicKey().toBytes(),
    sign: () => secretKey.sign(message).toBytes(),
    verify: () => native.verify(message, key(publicKeys[0]), signature(signatures[0])),
    'verify-decoded': () => native.verify(message, keys[0], a),
    'decode-key': () => key(publicKeys[0]) !== undefined,
    'decode-signature': () => signature(signatures[0]) !== undefined,
    add: () => native.aggregateSignatures([a, b]) !== undefined,
    ...Object.fromEntries(
      SUMS.map((count) => [`sum-${count}`, () => native.aggregatePublicKeys(lists.get(count)()).toBytes(false)]),
    ),
    'fast-aggregate-verify-4096': () =>
      native.fastAggregateVerify(message, lists.get(MANY)(), signature(aggregateOfMany)),
    ...Object.fromEntries(BATCHES.map((count) => [`batch-${count}`, sameMessage(count)])),
    ...Object.fromEntries(BATCHES.map((count) => [`distinct-${count}`, different(count)])),
  };
}

/** A module that may not be installed; undefined then. */
async function optional(name) {
  try {
    const module = await import(name);
    return module.default ?? module;
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Every library's operations, by column; the kernel with SIMD is not built, so its column is empty. */
async function allOperations() {
  const given = await inputs();
  return {
    scalar: await kernelOperations(given),
    simd: {},
    noble: await nobleOperations(given),
    herumi: await herumiOperations(given),
    native: await nativeOperations(given),
  };
}

const plain = (answer) => (answer instanceof Uint8Array ? Buffer.from(answer).toString('hex') : answer);

/** The kernel's modules, as they are sent. */
export function moduleSizes() {
  const bytes = readFileSync(new URL('../kernel/tutti_bls_bg.wasm', import.meta.url));
  return { scalar: { bytes: bytes.length, gzipBytes: gzipSync(bytes, { level: 9 }).length } };
}

/**
 * Times of every library at every operation, interleaved: each round asks all of them for one operation in turn.
 *
 * @param rounds - samples of each, 1 or more; a cell is their median.
 * @param only - names of operations; undefined is all.
 * @param told - called with each operation's name before it is measured.
 * @returns a row an operation: `ms` of CPU for one call by column, null where a library lacks the operation; `ratio` to the scalar kernel,
 *   the median of the rounds' own ratios, over 1 where the kernel is faster.
 * @throws AssertionError if two libraries disagree on an answer.
 */
export async function measure({ rounds, only, told = () => {} }) {
  const all = await allOperations();
  const rows = [];
  for (const operation of only ?? Object.keys(operations)) {
    await told(operation);
    const names = libraries.filter((name) => all[name][operation] !== undefined);
    const calls = {};
    for (const name of names) {
      assert.deepEqual(plain(all[name][operation]()), plain(all[names[0]][operation]()), `${name}: ${operation}`);
      calls[name] = callsFor(all[name][operation]);
    }
    const samples = Object.fromEntries(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round++)
      for (let i = 0; i < names.length; i++) {
        const name = names[(i + round) % names.length];
        samples[name].push(timed(all[name][operation], calls[name]));
      }
    const cell = (f) => Object.fromEntries(libraries.map((name) => [name, samples[name] ? f(samples[name]) : null]));
    rows.push({
      operation,
      ms: cell(median),
      ratio: cell((ms) => (samples.scalar ? median(ms.map((value, round) => value / samples.scalar[round])) : null)),
    });
  }
  return rows;
}
