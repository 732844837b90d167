import type * as Library from '@chainsafe/blst';
import { misuse } from './arguments.ts';
import type { Bls } from './bls.ts';
import { type BlsEngine, checkedBls } from './checkedBls.ts';
import { passesSelfTest, rejectsInvalid } from './knownAnswer.ts';
import { BlsLoadError, otherEngines } from './loadError.ts';
import { openRound, type RoundOperations } from './pointRound.ts';
import { pointStore } from './pointStore.ts';
import { type Decoded, isFault, type PointFault, pointFaultText, type SignatureForm } from './points.ts';
import { suites } from './suite.ts';

type Key = Library.PublicKey;
type Signature = Library.Signature;
type Blst = typeof Library;

/** Codes for the library's errors about bytes that do not encode a point. */
const faults: Readonly<Record<string, PointFault>> = {
  BLST_BAD_ENCODING: 'encoding',
  BLST_POINT_NOT_ON_CURVE: 'not-on-curve',
  BLST_POINT_NOT_IN_GROUP: 'not-in-subgroup',
  BLST_PK_IS_INFINITY: 'infinity',
};

/**
 * Returns the library's result, or the fault code if the library rejects the bytes. @throws any other error of the
 * library.
 */
function pointOrFault<Point>(read: () => Point): Point | PointFault {
  try {
    return read();
  } catch (error) {
    const { code } = Object(error) as { readonly code?: unknown };
    if (typeof code === 'string' && Object.hasOwn(faults, code)) return faults[code]!;
    throw error;
  }
}

const undefinedIfNone = <Point>(read: () => Point): Point | undefined => {
  const point = pointOrFault(read);
  return isFault(point) ? undefined : point;
};

const isInfinity = (point: Key | Signature): boolean => (point.toBytes(false)[0]! & 0x40) !== 0;

/** The library supports one suite, min-pk, and one domain for signatures. */
const suite = suites['min-pk'];
const ownDomain = new TextEncoder().encode(suite.signatureDst).join();
const isOwn = (domain: Uint8Array | undefined): boolean => domain === undefined || domain.join() === ownDomain;

/** Returns operations on points that are objects of the library. The garbage collector frees these objects. */
function nativeOperations({ PublicKey, Signature, ...blst }: Blst): RoundOperations<Key, Signature> {
  const { publicKeyBytes, signatureBytes, signaturePointBytes, publicKeyPointBytes } = suite;
  const lengthOf = (form: SignatureForm): number => (form === 'compressed' ? signatureBytes : signaturePointBytes);
  return {
    readKey: (bytes) =>
      bytes.length === publicKeyBytes ? pointOrFault(() => PublicKey.fromBytes(bytes, true)) : 'length',
    readSignature: (bytes, form) =>
      bytes.length === lengthOf(form) ? pointOrFault(() => Signature.fromBytes(bytes, true, false)) : 'length',
    readTrustedKey: (bytes) =>
      bytes.length === publicKeyPointBytes ? undefinedIfNone(() => PublicKey.fromBytes(bytes)) : undefined,
    readTrustedSignature: (bytes) =>
      bytes.length === signaturePointBytes ? undefinedIfNone(() => Signature.fromBytes(bytes)) : undefined,
    encodeKey: (key) => key.toBytes(),
    encodeSignature: (signature, form) => signature.toBytes(form === 'compressed'),
    addSignatures: (a, b) => blst.aggregateSignatures([a, b]),
    sumKeys: (keys) => blst.aggregatePublicKeys([...keys]),
    sumSignatures: (signatures) => blst.aggregateSignatures([...signatures]),
    isInfinity,
    verify: (key, message, signature) => blst.verify(message, key, signature),
    // The library draws the random coefficients.
    verifyEach: (claims) =>
      blst.verifyMultipleAggregateSignatures(
        claims.map(({ key, message, signature }) => ({ pk: key, msg: message, sig: signature })),
      ),
    claimsCheck(message) {
      const own = Uint8Array.from(message);
      return (claims) => {
        const [first, second] = claims;
        if (first !== undefined && second === undefined) return blst.verify(own, first.key, first.signature);
        // The library itself rejects signatures outside the subgroup.
        const pairs = claims.map(({ key, signature }) => ({ pk: key, sig: signature.toBytes(false) }));
        const sum = undefinedIfNone(() => blst.aggregateWithRandomness(pairs));
        return sum !== undefined && blst.verify(own, sum.pk, sum.sig);
      };
    },
    releaseKey() {},
    releaseSignature() {},
  };
}

function decoded(point: Key | Signature | PointFault): Decoded {
  return isFault(point) ? { ok: false, code: point } : { ok: true, point: point.toBytes(false) };
}

/** Returns the points in a list, or throws an error that names the first item that is not a point. */
function allOf<Point>(
  label: string,
  expected: string,
  items: readonly Uint8Array[],
  read: (bytes: Uint8Array) => Point | PointFault,
): Point[] {
  return items.map((bytes, i) => {
    const point = read(bytes);
    if (isFault(point)) throw misuse(RangeError, `${label}[${i}]`, expected, pointFaultText(point));
    return point;
  });
}

/** The library, the operations on its points, and the WebAssembly kernel for all functions that the library lacks. */
interface Native {
  readonly blst: Blst;
  readonly operations: RoundOperations<Key, Signature>;
  readonly wasm: Bls;
}

/** Returns operations on single keys and signatures. */
function signing({ blst, operations, wasm }: Native) {
  const { readKey, readSignature } = operations;

  function secretKeyOf(bytes: Uint8Array): Library.SecretKey {
    const key = undefinedIfNone(() => blst.SecretKey.fromBytes(bytes));
    if (key === undefined) throw misuse(RangeError, 'secretKey', 'a scalar in 1..r-1', 'a value out of range');
    return key;
  }

  return {
    keyGen: (ikm) => blst.SecretKey.fromKeygen(ikm).toBytes(),
    publicKey: (secretKey) => secretKeyOf(secretKey).toPublicKey().toBytes(),

    sign(secretKey, message, domain) {
      const key = secretKeyOf(secretKey);
      return isOwn(domain) ? key.sign(message).toBytes() : wasm.sign(secretKey, message, domain);
    },

    verify(publicKey, message, signature, form, domain) {
      if (!isOwn(domain)) return wasm.verify(publicKey, message, signature, form, domain);
      const [key, point] = [readKey(publicKey), readSignature(signature, form)];
      return !isFault(key) && !isFault(point) && blst.verify(message, key, point);
    },
  } satisfies Partial<BlsEngine>;
}

/** Returns operations that verify and sum the signatures of several keys. */
function aggregation({ blst, operations, wasm }: Native) {
  const { readKey, readSignature } = operations;

  /** Returns the keys in a list, or undefined if any key is invalid. */
  function validKeys(publicKeys: readonly Uint8Array[]): Key[] | undefined {
    const keys = publicKeys.map(readKey);
    return keys.every((key): key is Key => !isFault(key)) ? keys : undefined;
  }

  return {
    aggregateVerify(publicKeys, messages, signature, domain) {
      if (!isOwn(domain)) return wasm.aggregateVerify(publicKeys, messages, signature, domain);
      if (publicKeys.length !== messages.length) return false;
      const [keys, point] = [validKeys(publicKeys), readSignature(signature, 'compressed')];
      return keys !== undefined && !isFault(point) && blst.aggregateVerify([...messages], keys, point);
    },

    fastAggregateVerify(publicKeys, message, signature) {
      const [keys, point] = [validKeys(publicKeys), readSignature(signature, 'compressed')];
      return keys !== undefined && !isFault(point) && blst.fastAggregateVerify(message, keys, point);
    },

    aggregateSignatures(signatures) {
      const expected = `a compressed point of ${suite.signatureGroup}`;
      const points = allOf('signatures', expected, signatures, (bytes) => readSignature(bytes, 'compressed'));
      return blst.aggregateSignatures(points).toBytes();
    },

    aggregatePublicKeys: (publicKeys) =>
      blst.aggregatePublicKeys(allOf('publicKeys', 'a valid public key', publicKeys, readKey)).toBytes(),
  } satisfies Partial<BlsEngine>;
}

/** Returns operations that convert between points and encodings. */
function encoding({ blst, operations }: Native) {
  const { readKey, readSignature } = operations;

  function requireCurvePoint(label: string, bytes: Uint8Array): Signature {
    const point = operations.readTrustedSignature(bytes);
    if (point !== undefined) return point;
    throw misuse(RangeError, label, `an uncompressed point of ${suite.signatureGroup}`, 'an invalid point');
  }

  return {
    decodePublicKey(bytes) {
      const key = readKey(bytes);
      // The library's key check also rejects infinity.
      return decoded(key === 'infinity' ? pointOrFault(() => blst.PublicKey.fromBytes(bytes)) : key);
    },

    validatePublicKey: (bytes) => decoded(readKey(bytes)),
    decodeSignature: (bytes, form) => decoded(readSignature(bytes, form)),

    encodeSignature: (point) => requireCurvePoint('point', point).toBytes(),

    addSignatures: (a, b) =>
      blst.aggregateSignatures([requireCurvePoint('a', a), requireCurvePoint('b', b)]).toBytes(false),
  } satisfies Partial<BlsEngine>;
}

/**
 * Returns BLS on native blst. `wasm` handles proofs of possession, other domains, hashing to the curve, and signatures
 * of points.
 */
function nativeBls(blst: Blst, wasm: Bls): Bls {
  const operations = nativeOperations(blst);
  const all = { blst, operations, wasm };
  const engine: BlsEngine = {
    ...wasm,
    name: 'blst-native',
    ...signing(all),
    ...aggregation(all),
    ...encoding(all),
    round: (publicKeys, message) => openRound(operations, suite, publicKeys, message),
    pointStore: (capacity) => pointStore(operations, capacity),
  };
  return checkedBls(engine, suite);
}

let loaded: Bls | undefined;

/**
 * Returns BLS on the package `@chainsafe/blst`, after a self-test with known answers. Each call loads the kernel, so
 * that an arithmetic that this thread's kernel does not have is reported.
 *
 * @param requireBlst - loads the package on the first call.
 * @param loadWasm - loads the WebAssembly kernel for the operations that the library lacks.
 * @throws BlsLoadError if the library gives wrong answers in the self-test.
 */
export async function loadNative(requireBlst: () => unknown, loadWasm: () => Promise<Bls>): Promise<Bls> {
  const wasm = await loadWasm();
  loaded ??= probed(nativeBls(requireBlst() as Blst, wasm));
  return loaded;
}

function probed(bls: Bls): Bls {
  if (passesSelfTest(bls) && rejectsInvalid(bls)) return bls;
  throw new BlsLoadError(
    'kernel-rejected',
    `engine native: expected the known answers from @chainsafe/blst 2, got other answers; ${otherEngines}`,
  );
}
