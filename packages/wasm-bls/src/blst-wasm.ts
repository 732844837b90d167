import { joinBytes, misuse } from './arguments.ts';
import type { Arithmetic } from './arithmetic.ts';
import type { Bls } from './bls.ts';
import { decoded, joined, KernelRound, kernel, numberOrFault, refusedItem, startKernel } from './blstKernel.ts';
import { type BlsEngine, checkedBls } from './checkedBls.ts';
import type { KernelSource } from './kernelModule.ts';
import { type PointOperations, pointStore } from './pointStore.ts';
import { pointFaultText, type SignatureForm } from './points.ts';
import { type Suite, suites, type Variant } from './suite.ts';

/** Checks a result of the kernel, which is empty if a secret key is not a valid scalar. */
function requireScalar(answer: Uint8Array): Uint8Array {
  if (answer.length === 0) throw misuse(RangeError, 'secretKey', 'a scalar in 1..r-1', 'a value out of range');
  return answer;
}

/** Returns whether the uncompressed bytes of a checked point represent infinity. */
const isInfinity = (point: Uint8Array): boolean => (point[0]! & 0x40) !== 0;

/** Returns whether bytes have the length of a form, by which the kernel distinguishes the two forms. */
const hasForm = (suite: Suite, bytes: Uint8Array, form: SignatureForm): boolean =>
  bytes.length === (form === 'compressed' ? suite.signatureBytes : suite.signaturePointBytes);

/** Returns whether a suite is min-sig; every call passes this flag to the kernel. */
const isMinSig = ({ variant }: Suite): boolean => variant === 'min-sig';

/**
 * Returns operations on points that the kernel identifies by number. The kernel numbers the points of each variant
 * separately.
 */
function kernelOperations(suite: Suite): PointOperations<number, number> {
  const minSig = isMinSig(suite);
  return {
    readKey: (bytes) => numberOrFault(kernel.keep_public_key(bytes, minSig)),
    readSignature: (bytes, form) =>
      hasForm(suite, bytes, form) ? numberOrFault(kernel.keep_decoded_signature(bytes, minSig)) : 'length',
    encodeKey: (key) => kernel.encode_kept_public_key(key, minSig),
    encodeSignature: (signature, form) => kernel.encode_kept_signature(signature, form === 'uncompressed', minSig),
    addSignatures: (a, b) => kernel.add_kept_signatures(a, b, minSig),
    sumKeys: (keys) => kernel.sum_kept_public_keys(Uint32Array.from(keys), minSig),
    sumSignatures: (signatures) => kernel.sum_kept_signatures(Uint32Array.from(signatures), minSig),
    verify: (key, message, signature) => kernel.verify_kept(key, message, signature, minSig),
    verifyEach: (claims, coefficients) =>
      kernel.verify_kept_each(
        Uint32Array.from(claims, ({ key }) => key),
        Uint32Array.from(claims, ({ message }) => message.length),
        joinBytes(claims.map(({ message }) => message)),
        Uint32Array.from(claims, ({ signature }) => signature),
        coefficients,
        minSig,
      ),
    releaseKey: (key) => kernel.release_public_key(key, minSig),
    releaseSignature: (signature) => kernel.release_signature(signature, minSig),
  };
}

/** Returns one key in the form required by the kernel's round. */
function roundKey(suite: Suite, bytes: Uint8Array, i: number): Uint8Array {
  if (bytes.length === suite.publicKeyPointBytes) return bytes;
  const key = decoded(kernel.validate_public_key(bytes, isMinSig(suite)));
  if (!key.ok) throw misuse(RangeError, `publicKeys[${i}]`, 'a valid public key', pointFaultText(key.code));
  return key.point;
}

/** Returns the operations on single keys, signatures and proofs of possession. */
function signing(suite: Suite) {
  const { signatureGroup } = suite;
  const minSig = isMinSig(suite);

  return {
    publicKey: (secretKey) => requireScalar(kernel.public_key(secretKey, minSig)),
    provePossession: (secretKey) => requireScalar(kernel.prove_possession(secretKey, minSig)),
    verifyPossession: (publicKey, proof) => kernel.verify_possession(publicKey, proof, minSig),
    sign: (secretKey, message, domain) => requireScalar(kernel.sign(secretKey, message, minSig, domain)),

    signPoint(secretKey, point) {
      const checked = decoded(kernel.decode_signature(point, minSig));
      if (checked.ok && !isInfinity(point)) return requireScalar(kernel.sign_point(secretKey, point, minSig));
      const fault = pointFaultText(checked.ok ? 'infinity' : checked.code);
      throw misuse(RangeError, 'point', `a point of ${signatureGroup}`, fault);
    },

    verify: (publicKey, message, signature, form, domain) =>
      hasForm(suite, signature, form) && kernel.verify(publicKey, message, signature, minSig, domain),
  } satisfies Partial<BlsEngine>;
}

/** Returns operations that verify signatures of several keys, on one message or on several messages. */
function aggregateVerification(suite: Suite) {
  const { publicKeyBytes, publicKeyPointBytes, signaturePointBytes } = suite;
  const minSig = isMinSig(suite);

  return {
    fastAggregateVerify(publicKeys, message, signature) {
      const keys = joined(publicKeys, publicKeyBytes);
      return keys !== undefined && kernel.fast_aggregate_verify(keys, message, signature, minSig);
    },

    aggregateVerify(publicKeys, messages, signature, domain) {
      const keys = joined(publicKeys, publicKeyBytes);
      if (keys === undefined || publicKeys.length !== messages.length) return false;
      const lengths = Uint32Array.from(messages, ({ length }) => length);
      return kernel.aggregate_verify(keys, lengths, joinBytes(messages), signature, minSig, domain);
    },

    verifyPoints(publicKeys, points, signature) {
      const keys = joined(publicKeys, publicKeyPointBytes);
      const hashed = joined(points, signaturePointBytes);
      return keys !== undefined && hashed !== undefined && kernel.verify_points(keys, hashed, signature, minSig);
    },
  } satisfies Partial<BlsEngine>;
}

/** Returns operations that sum encoded keys and signatures. */
function aggregation(suite: Suite) {
  const { publicKeyBytes, signatureBytes, signatureGroup } = suite;
  const minSig = isMinSig(suite);

  return {
    aggregateSignatures(signatures) {
      const points = joined(signatures, signatureBytes);
      const sum = points === undefined ? undefined : kernel.aggregate_signatures(points, minSig);
      if (sum?.length === signatureBytes) return sum;
      throw refusedItem('signatures', `a compressed point of ${signatureGroup}`, signatures, (item) =>
        kernel.decode_signature(item, minSig),
      );
    },

    aggregatePublicKeys(publicKeys) {
      const keys = joined(publicKeys, publicKeyBytes);
      const sum = keys === undefined ? undefined : kernel.aggregate_public_keys(keys, minSig);
      if (sum?.length === publicKeyBytes) return sum;
      throw refusedItem('publicKeys', 'a valid public key', publicKeys, (item) =>
        kernel.validate_public_key(item, minSig),
      );
    },
  } satisfies Partial<BlsEngine>;
}

/** Returns operations that convert between points and encodings. */
function encoding(suite: Suite) {
  const { signatureBytes, signaturePointBytes, signatureGroup } = suite;
  const minSig = isMinSig(suite);

  return {
    decodePublicKey: (bytes) => decoded(kernel.decode_public_key(bytes, minSig)),
    validatePublicKey: (bytes) => decoded(kernel.validate_public_key(bytes, minSig)),

    decodeSignature: (bytes, form) =>
      hasForm(suite, bytes, form) ? decoded(kernel.decode_signature(bytes, minSig)) : { ok: false, code: 'length' },

    encodeSignature(point) {
      const bytes = kernel.encode_signature(point, minSig);
      if (bytes.length === signatureBytes) return bytes;
      throw misuse(RangeError, 'point', `an uncompressed point of ${signatureGroup}`, 'an invalid point');
    },

    addSignatures(a, b) {
      const sum = kernel.add_signatures(a, b, minSig);
      if (sum.length === signaturePointBytes) return sum;
      throw misuse(RangeError, 'a, b', `uncompressed points of ${signatureGroup}`, 'an invalid point');
    },

    hashToCurve: (message, domain) => kernel.hash_to_curve(message, domain, minSig),
  } satisfies Partial<BlsEngine>;
}

function blsOf(suite: Suite): Bls {
  const minSig = isMinSig(suite);
  const kept = kernelOperations(suite);
  const engine: BlsEngine = {
    name: 'blst-wasm',
    keyGen: (ikm) => kernel.key_gen(ikm),
    ...signing(suite),
    ...aggregateVerification(suite),
    ...aggregation(suite),
    ...encoding(suite),

    round(publicKeys, message) {
      const keys = publicKeys.map((bytes, i) => roundKey(suite, bytes, i));
      const round = kernel.Round.open(joined(keys, suite.publicKeyPointBytes)!, message, minSig);
      if (round !== undefined) return new KernelRound(round, keys.length, kept);
      throw misuse(RangeError, 'publicKeys', 'valid public keys', 'an invalid point');
    },

    pointStore: (capacity) => pointStore(kept, capacity),
  };
  return checkedBls(engine, suite);
}

const variants: Readonly<Record<Variant, Bls>> = {
  'min-pk': blsOf(suites['min-pk']),
  'min-sig': blsOf(suites['min-sig']),
};

/**
 * Loads BLS on blst, compiled to WebAssembly. Each thread has separate kernel memory, so each worker loads its own
 * kernel.
 *
 * @param variant - group of the keys.
 * @param arithmetic - as in LoadOptions, like `source`.
 * @throws BlsLoadError if the kernel cannot be read or started.
 */
export async function loadBlstWasm(variant: Variant, arithmetic?: Arithmetic, source?: KernelSource): Promise<Bls> {
  await startKernel(arithmetic, source);
  return variants[variant];
}
