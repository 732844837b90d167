/**
 * Operations of BLS libraries for comparison: each kernel, noble-curves, herumi's bls-eth-wasm and native blst. The
 * last two libraries are development dependencies; a library that is not installed has no operations.
 */
import { insecureSecretKey, isNativeInstalled, loadBls, loadCommittees } from '@tutti/wasm-bls';
import { arithmetics, compressed, loadG1 } from '@tutti/wasm-bls/kernel';
import { callsFor, timed } from './sampling.mjs';

/** Columns of a row in the result. */
export const libraries = [...arithmetics, 'noble', 'herumi', 'native'];

const sumCount = [512, 4096, 32768];
const batches = [8, 32, 128];
/** Number of keys of a fast aggregate verification, and of points of a multi-scalar product. */
const manyCount = 4096;

/**
 * The operations, each with its description. Operations take bytes and return bytes or a verdict, unless the
 * description mentions a decoded value.
 */
export const operations = {
  'key-derivation': 'derive a public key',
  'hash-to-curve': 'hash a message of 32 bytes to G2',
  sign: 'sign a message',
  verify: 'decode a key and a signature, and verify',
  'verify-decoded': 'verify with a decoded key and signature',
  'decode-key': 'decode a key and check its subgroup',
  'decode-signature': 'decode a signature and check its subgroup',
  'decode-uncompressed': 'decode an uncompressed signature (192 bytes) and check its subgroup',
  add: 'add two decoded signatures',
  ...Object.fromEntries(sumCount.map((count) => [`sum-${count}`, `sum ${count} decoded keys`])),
  'fast-aggregate-verify-4096': `sum ${manyCount} decoded keys and verify one signature`,
  ...Object.fromEntries(
    batches.map((count) => [`batch-${count}`, `verify ${count} encoded signatures on one message with decoded keys`]),
  ),
  ...Object.fromEntries(
    batches.map((count) => [
      `distinct-${count}`,
      `verify ${count} encoded signatures on different messages with decoded keys`,
    ]),
  ),
  'msm-4096': `sum ${manyCount} points of G1, each multiplied by a 255-bit scalar`,
};

/** Returns a function that creates an expensive value on the first call only. */
function lazily(make) {
  let value;
  return () => {
    value ??= make();
    return value;
  };
}

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const at = (bytes, index, length) => bytes.subarray(index * length, (index + 1) * length);
const bits = (count) => new Uint8Array(Math.ceil(count / 8)).fill(0xff, 0, count >> 3);

/**
 * Creates the inputs that all libraries share. The secret keys in each sum are consecutive integers, so that a single
 * signing operation creates the aggregate signature of thousands of keys.
 */
async function inputs(arithmetic) {
  const bls = await loadBls({ arithmetic });
  const message = new Uint8Array(32).fill(7);
  const secretKeys = Array.from({ length: Math.max(...batches) }, (_, i) => insecureSecretKey(bls, 1, i));
  const messages = secretKeys.map((_, i) => new Uint8Array(32).fill(i));
  const sumKeys = (await loadCommittees()).insecureConsecutiveKeys(secretKeys[0], Math.max(...sumCount));
  let seed = 1;
  const scalars = Array.from({ length: manyCount }, () => {
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
    aggregateOfMany: bls.sign(sumOfConsecutive(secretKeys[0], manyCount), message),
  };
}

const order = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

/** Returns the sum of `count` consecutive secret keys, starting with `first`. */
function sumOfConsecutive(first, count) {
  const start = BigInt(`0x${hex(first)}`);
  const sum = (start * BigInt(count) + (BigInt(count) * BigInt(count - 1)) / 2n) % order;
  const digits = sum.toString(16).padStart(64, '0');
  return Uint8Array.from({ length: 32 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

/**
 * Operations of one of this project's engines. `sum` adds the given number of decoded keys and returns 48 bytes;
 * `group` may be undefined.
 */
function ours(bls, group, sum, given) {
  const { message, messages, secretKeys, publicKeys, signatures, distinct, sumKeys, scalars, aggregateOfMany } = given;
  const points = publicKeys.map((key) => bls.validatePublicKey(key).point);
  const store = bls.pointStore(1024);
  const keys = publicKeys.map((key) => store.readKey(key).kept);
  const [a, b] = signatures.map((signature) => store.readSignature(signature).kept);
  const uncompressed = store.encodeSignature(a, 'uncompressed');
  const round = bls.round(points, message);
  const one = Uint8Array.of(1);
  const claims = signatures.map((signature, first) => ({ first, bits: one, signature }));
  const verifyEach = (count) => {
    const read = distinct.slice(0, count).map((signature) => store.readSignature(signature).kept);
    const answer = store.verifyEach(read.map((signature, i) => ({ key: keys[i], message: messages[i], signature })));
    for (const signature of read) store.release(signature);
    return answer;
  };
  const verifyUnder = (key, signature) => {
    const single = bls.round([key], message);
    const answer = single.verify(0, one, signature);
    single.free();
    return answer;
  };
  return {
    'key-derivation': () => bls.publicKey(secretKeys[0]),
    'hash-to-curve': () => bls.hashToCurve(message),
    sign: () => bls.sign(secretKeys[0], message),
    verify: () => bls.verify(publicKeys[0], message, signatures[0]),
    'verify-decoded': () => store.verify(keys[0], message, a),
    'decode-key': () => bls.validatePublicKey(publicKeys[0]).ok,
    'decode-signature': () => bls.decodeSignature(signatures[0]).ok,
    'decode-uncompressed': () => bls.decodeSignature(uncompressed, 'uncompressed').ok,
    add: () => {
      store.release(store.addSignatures(a, b));
      return true;
    },
    ...Object.fromEntries(sumCount.map((count) => [`sum-${count}`, () => sum(count)])),
    'fast-aggregate-verify-4096': () => verifyUnder(sum(manyCount), aggregateOfMany),
    ...Object.fromEntries(
      batches.map((count) => {
        const batch = claims.slice(0, count);
        return [`batch-${count}`, () => round.verifyBatch(batch)];
      }),
    ),
    ...Object.fromEntries(batches.map((count) => [`distinct-${count}`, () => verifyEach(count)])),
    ...(group && { 'msm-4096': () => group.combine(sumKeys.subarray(0, manyCount * 96), scalars) }),
  };
}

async function kernelOperations(given, arithmetic) {
  const committees = await loadCommittees();
  const sums = new Map(
    [...sumCount, manyCount].map((count) => [
      count,
      lazily(() => committees.committee(given.sumKeys.subarray(0, count * 96))),
    ]),
  );
  const sum = (count) => compressed(sums.get(count)().sum(bits(count), 'batched'));
  return ours(await loadBls({ arithmetic }), await loadG1(), sum, given);
}

async function nobleOperations(given) {
  const { bls12_381 } = await import('@noble/curves/bls12-381.js');
  const { Point } = bls12_381.G1;
  const keys = lazily(() =>
    Array.from({ length: Math.max(...sumCount) }, (_, i) => Point.fromBytes(at(given.sumKeys, i, 96))),
  );
  const sum = (count) => {
    let total = Point.ZERO;
    for (let i = 0; i < count; i++) total = total.add(keys()[i]);
    return compressed(total.toBytes(false));
  };
  return ours(await loadBls({ engine: 'noble' }), await loadG1({ engine: 'noble' }), sum, given);
}

/**
 * Operations of bls-eth-wasm, which is mcl in WebAssembly. The deserialisers of bls-eth-wasm check the subgroup by
 * default.
 */
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
    Array.from({ length: Math.max(...sumCount) }, (_, i) => {
      const point = new herumi.PublicKey();
      point.deserializeUncompressed(at(sumKeys, i, 96));
      return point;
    }),
  );
  const [a, b] = signatures.map(signature);
  const uncompressed = a.serializeUncompressed();
  const sum = (count) => {
    const total = many()[0].clone();
    for (let i = 1; i < count; i++) total.add(many()[i]);
    return total;
  };
  const manyKeys = lazily(() => many().slice(0, manyCount));
  const batch = (count, texts, wire) => () =>
    herumi.multiVerify(keys.slice(0, count), wire.slice(0, count).map(signature), texts.slice(0, count));
  return {
    'key-derivation': () => secretKey.getPublicKey().serialize(),
    sign: () => secretKey.sign(message).serialize(),
    verify: () => key(publicKeys[0]).verify(signature(signatures[0]), message),
    'verify-decoded': () => keys[0].verify(a, message),
    'decode-key': () => key(publicKeys[0]) !== undefined,
    'decode-signature': () => signature(signatures[0]) !== undefined,
    'decode-uncompressed': () => {
      const value = new herumi.Signature();
      value.deserializeUncompressed(uncompressed);
      return true;
    },
    add: () => {
      const total = a.clone();
      total.add(b);
      return true;
    },
    ...Object.fromEntries(sumCount.map((count) => [`sum-${count}`, () => sum(count).serialize()])),
    'fast-aggregate-verify-4096': () => signature(aggregateOfMany).fastAggregateVerify(manyKeys(), message),
    ...(herumi.multiVerify && {
      ...Object.fromEntries(
        batches.map((count) => [`batch-${count}`, batch(count, Array(count).fill(message), signatures)]),
      ),
      ...Object.fromEntries(batches.map((count) => [`distinct-${count}`, batch(count, messages, distinct)])),
    }),
  };
}

/**
 * Operations of native blst, the kernel's library with blst's own assembly, as used by the engine `native`. Operations
 * that `native` delegates to the kernel are not listed. If native blst is not installed, there are no operations.
 */
async function nativeOperations(given) {
  if (!isNativeInstalled()) return {};
  const bls = await loadBls({ engine: 'native' });
  const store = bls.pointStore(Math.max(...sumCount) + 1);
  const keys = lazily(() =>
    Array.from({ length: Math.max(...sumCount) }, (_, i) => store.readKey(compressed(at(given.sumKeys, i, 96))).kept),
  );
  const lists = new Map([...sumCount, manyCount].map((count) => [count, lazily(() => keys().slice(0, count))]));
  const sum = (count) => {
    const total = store.sumKeys(lists.get(count)());
    const bytes = store.encodeKey(total);
    store.release(total);
    return bytes;
  };
  const { 'hash-to-curve': _hash, ...own } = ours(bls, undefined, sum, given);
  return own;
}

/** Returns a module, or undefined if it is not installed. */
async function optional(name) {
  try {
    const module = await import(name);
    return module.default ?? module;
  } catch {
    return undefined;
  }
}

/**
 * Operations of each library, by the library's name. If the name is that of an arithmetic, this thread's kernel is
 * loaded with that arithmetic.
 */
const contenders = {
  ...Object.fromEntries(
    arithmetics.map((arithmetic) => [arithmetic, async () => kernelOperations(await inputs(arithmetic), arithmetic)]),
  ),
  noble: async () => nobleOperations(await inputs()),
  herumi: async () => herumiOperations(await inputs()),
  native: async () => nativeOperations(await inputs()),
};

const plain = (answer) => (answer instanceof Uint8Array ? hex(answer) : answer);

/**
 * Prepares one library for measurements.
 *
 * @returns an object with `has`, the names of the library's operations; `answer`, the result of an operation; `calls`,
 * the number of calls that fill a sample; and `sample`, milliseconds per call.
 */
export async function contender(name) {
  const own = await contenders[name]();
  return {
    has: Object.keys(own),
    answer: (operation) => plain(own[operation]()),
    calls: (operation) => callsFor(own[operation]),
    sample: (operation, calls) => timed(own[operation], calls),
  };
}
