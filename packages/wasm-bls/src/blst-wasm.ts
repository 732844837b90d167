import * as kernel from '../kernel/tutti_bls.js';
import {
  isBytes,
  misuse,
  requireBytes,
  requireBytesList,
  requireClaimedKeys,
  requireClaimList,
  requireDomain,
  requireEntropy,
  requireForm,
  requireLength,
  requireRun,
  requireSome,
  shown,
} from './arguments.ts';
import type { Arithmetic } from './arithmetic.ts';
import { drawCoefficients } from './batchCoefficients.ts';
import type { Bls } from './bls.ts';
import { claimedBits } from './claimedBits.ts';
import { type KernelSource, startKernel } from './kernelModule.ts';
import { keptSignature, type PointOperations, pointStore } from './pointStore.ts';
import { type Decoded, type KeptSignature, type PointFault, pointFaultText, type SignatureForm } from './points.ts';
import type { BlsRound, ContributionClaim, ReadClaims } from './round.ts';
import { type Suite, secretKeyBytes, suites, type Variant } from './suite.ts';
import { inThreadVerifier } from './verifier.ts';

/** Names of the kernel's `Fault` numbers, which start at 1. */
const faults: readonly PointFault[] = ['length', 'encoding', 'not-on-curve', 'not-in-subgroup', 'infinity'];

/** Decodes a result of the kernel: a point's bytes, or one byte with a fault's number. */
export function decoded(answer: Uint8Array): Decoded {
  if (answer.length !== 1) return { ok: true, point: answer };
  return { ok: false, code: faults[answer[0]! - 1]! };
}

/** Returns the concatenated items, the kernel's form of a list, or undefined if an item has another length. */
export function joined(items: readonly Uint8Array[], bytes: number): Uint8Array | undefined {
  const flat = new Uint8Array(items.length * bytes);
  for (const [i, item] of items.entries()) {
    if (item.length !== bytes) return undefined;
    flat.set(item, i * bytes);
  }
  return flat;
}

/**
 * Creates the error for a list with an item that the kernel rejected. The kernel does not say which one, so each is
 * tried again.
 */
export function refusedItem(
  label: string,
  expected: string,
  items: readonly Uint8Array[],
  decode: (item: Uint8Array) => Uint8Array,
): Error {
  for (const [i, item] of items.entries()) {
    const answer = decoded(decode(item));
    if (!answer.ok) return misuse(RangeError, `${label}[${i}]`, expected, pointFaultText(answer.code));
  }
  return misuse(RangeError, label, expected, 'a value that the kernel rejected');
}

/** Checks a result of the kernel, which is empty if a secret key is not a valid scalar. */
function requireScalar(answer: Uint8Array): Uint8Array {
  if (answer.length === 0) throw misuse(RangeError, 'secretKey', 'a scalar in 1..r-1', 'a value out of range');
  return answer;
}

/** Returns whether the uncompressed bytes of a checked point are infinity. */
const isInfinity = (point: Uint8Array): boolean => (point[0]! & 0x40) !== 0;

/** Returns whether bytes have the length of a form, by which the kernel distinguishes the two forms. */
const hasForm = (suite: Suite, bytes: Uint8Array, form: SignatureForm): boolean =>
  bytes.length === (form === 'compressed' ? suite.signatureBytes : suite.signaturePointBytes);

/** Decodes a result of the kernel: a point's number, or a negative fault number. */
function numberOrFault(answer: number): number | PointFault {
  return answer < 0 ? faults[-answer - 1]! : answer;
}

/** Returns whether a suite is min-sig; each call passes it to the kernel. */
const isMinSig = ({ variant }: Suite): boolean => variant === 'min-sig';

/** Returns operations on points that are named by the kernel's numbers. Each variant has separate numbers. */
function keptInKernel(suite: Suite): PointOperations<number, number> {
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
        concatenated(claims.map(({ message }) => message)),
        Uint32Array.from(claims, ({ signature }) => signature),
        coefficients,
        minSig,
      ),
    releaseKey: (key) => kernel.release_public_key(key, minSig),
    releaseSignature: (signature) => kernel.release_signature(signature, minSig),
  };
}

/**
 * Value that read_claims takes as the length of a stored signature; the signature's number follows (crate/src/batch.rs,
 * KEPT).
 */
const keptMark = 2 ** 31;
const noBytes = new Uint8Array();

/** A round in the kernel, for any form of signatures. `verify_kept` takes stored ones. */
type RoundInKernel = Pick<kernel.Round, 'verify' | 'free'> & {
  verify_kept?: (first: number, bits: Uint8Array, number: number) => boolean;
  read_claims(claims: Uint32Array, bytes: Uint8Array): ClaimsInKernel;
};
type ClaimsInKernel = Pick<kernel.ReadClaims, 'places' | 'hold' | 'free'>;

/** A round in kernel memory. Signatures are bytes or stored points. */
export class KernelRound<Signature extends Uint8Array | KeptSignature> implements BlsRound<Signature> {
  readonly #registrySize: number;
  readonly #kept: PointOperations<number, number> | undefined;
  #round: RoundInKernel | undefined;

  /** @param kept - the store's operations, for a round that takes stored signatures. */
  constructor(round: RoundInKernel, registrySize: number, kept?: PointOperations<number, number>) {
    this.#round = round;
    this.#registrySize = registrySize;
    this.#kept = kept;
  }

  verify(first: number, bits: Uint8Array, signature: Signature): boolean {
    requireClaimedKeys({ first, bits, signature }, '');
    const round = this.#live();
    const own = this.#signature(signature, '');
    const claimed = claimedBits(bits, first, this.#registrySize);
    if (claimed === undefined || claimed.length === 0) return false;
    return typeof own === 'number' ? round.verify_kept!(first, claimed, own) : round.verify(first, claimed, own);
  }

  verifyBatch(claims: readonly ContributionClaim<Signature>[]): boolean {
    const read = this.readClaims(claims);
    try {
      const all = read.places.length === claims.length;
      return all && (claims.length === 0 || read.hold(0, claims.length));
    } finally {
      read.free();
    }
  }

  readClaims(claims: readonly ContributionClaim<Signature>[]): ReadClaims {
    requireClaimList(claims);
    const round = this.#live();
    const numbers: number[] = [];
    const parts: Uint8Array[] = [];
    const places: number[] = [];
    for (const [place, claim] of claims.entries()) {
      requireClaimedKeys(claim, `claims[${place}].`);
      const signature = this.#signature(claim.signature, `claims[${place}].`);
      const claimed = claimedBits(claim.bits, claim.first, this.#registrySize);
      if (claimed === undefined || claimed.length === 0) continue;
      const isKept = typeof signature === 'number';
      // Bytes of such a length are not a signature, and would be read as the number of a stored one.
      const bytes = isKept || signature.length >= keptMark ? noBytes : signature;
      numbers.push(claim.first, claimed.length, isKept ? keptMark + signature : bytes.length);
      parts.push(claimed, bytes);
      places.push(place);
    }
    return new KernelClaims(round.read_claims(Uint32Array.from(numbers), concatenated(parts)), places);
  }

  free(): void {
    this.#round?.free();
    this.#round = undefined;
  }

  /** Returns a claim's signature in the kernel's form: its bytes, or the number of a stored one. */
  #signature(signature: Signature, label: string): Uint8Array | number {
    if (isBytes(signature)) return signature;
    if (this.#kept === undefined) throw misuse(TypeError, `${label}signature`, 'a Uint8Array', shown(signature));
    return keptSignature(this.#kept, `${label}signature`, signature as KeptSignature);
  }

  #live(): RoundInKernel {
    if (this.#round === undefined) throw misuse(TypeError, 'round', 'a live round', 'a freed one');
    return this.#round;
  }
}

class KernelClaims implements ReadClaims {
  readonly places: readonly number[];
  #claims: ClaimsInKernel | undefined;

  /** @param places - position of each claim of the kernel in the caller's list. */
  constructor(claims: ClaimsInKernel, places: readonly number[]) {
    this.#claims = claims;
    this.places = Array.from(claims.places(), (place) => places[place]!);
  }

  hold(from: number, to: number): boolean {
    requireRun(from, to, this.places.length);
    if (this.#claims === undefined) throw misuse(TypeError, 'claims', 'live claims', 'freed ones');
    return this.#claims.hold(from, to, drawCoefficients(to - from));
  }

  free(): void {
    this.#claims?.free();
    this.#claims = undefined;
  }
}

/** Returns the concatenation of byte arrays of any lengths. */
function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Returns one key in the form that the kernel's round takes. */
function roundKey(suite: Suite, bytes: Uint8Array, i: number): Uint8Array {
  if (bytes.length === suite.publicKeyPointBytes) return bytes;
  const key = decoded(kernel.validate_public_key(bytes, isMinSig(suite)));
  if (!key.ok) throw misuse(RangeError, `publicKeys[${i}]`, 'a valid public key', pointFaultText(key.code));
  return key.point;
}

/** Returns the operations on single keys, signatures and proofs of possession. */
function signing(
  suite: Suite,
): Pick<Bls, 'publicKey' | 'provePossession' | 'verifyPossession' | 'sign' | 'signPoint' | 'verify'> {
  const { signaturePointBytes, signatureGroup } = suite;
  const minSig = isMinSig(suite);

  return {
    publicKey(secretKey) {
      requireLength('secretKey', secretKey, secretKeyBytes);
      return requireScalar(kernel.public_key(secretKey, minSig));
    },

    provePossession(secretKey) {
      requireLength('secretKey', secretKey, secretKeyBytes);
      return requireScalar(kernel.prove_possession(secretKey, minSig));
    },

    verifyPossession(publicKey, proof) {
      requireBytes('publicKey', publicKey);
      requireBytes('proof', proof);
      return kernel.verify_possession(publicKey, proof, minSig);
    },

    sign(secretKey, message, domain) {
      requireLength('secretKey', secretKey, secretKeyBytes);
      requireBytes('message', message);
      if (domain !== undefined) requireDomain(domain);
      return requireScalar(kernel.sign(secretKey, message, minSig, domain));
    },

    signPoint(secretKey, point) {
      requireLength('secretKey', secretKey, secretKeyBytes);
      requireLength('point', point, signaturePointBytes);
      const checked = decoded(kernel.decode_signature(point, minSig));
      if (!checked.ok || isInfinity(point))
        throw misuse(
          RangeError,
          'point',
          `a point of ${signatureGroup}`,
          pointFaultText(checked.ok ? 'infinity' : checked.code),
        );
      return requireScalar(kernel.sign_point(secretKey, point, minSig));
    },

    verify(publicKey, message, signature, form = 'compressed', domain = undefined) {
      requireBytes('publicKey', publicKey);
      requireBytes('message', message);
      requireBytes('signature', signature);
      requireForm(form);
      if (domain !== undefined) requireDomain(domain);
      return hasForm(suite, signature, form) && kernel.verify(publicKey, message, signature, minSig, domain);
    },
  };
}

/** Returns the verifications of signatures of several keys, on one message or on several. */
function severalKeys(suite: Suite): Pick<Bls, 'fastAggregateVerify' | 'aggregateVerify' | 'verifyPoints'> {
  const { publicKeyBytes, publicKeyPointBytes, signaturePointBytes } = suite;
  const minSig = isMinSig(suite);

  return {
    fastAggregateVerify(publicKeys, message, signature) {
      requireBytesList('publicKeys', publicKeys);
      requireBytes('message', message);
      requireBytes('signature', signature);
      const keys = joined(publicKeys, publicKeyBytes);
      return keys !== undefined && kernel.fast_aggregate_verify(keys, message, signature, minSig);
    },

    aggregateVerify(publicKeys, messages, signature, domain) {
      requireBytesList('publicKeys', publicKeys);
      requireBytesList('messages', messages);
      requireBytes('signature', signature);
      if (domain !== undefined) requireDomain(domain);
      const keys = joined(publicKeys, publicKeyBytes);
      if (keys === undefined || publicKeys.length !== messages.length) return false;
      const lengths = Uint32Array.from(messages, ({ length }) => length);
      return kernel.aggregate_verify(keys, lengths, concatenated(messages), signature, minSig, domain);
    },

    verifyPoints(publicKeys, points, signature) {
      requireBytesList('publicKeys', publicKeys);
      requireBytesList('points', points);
      requireBytes('signature', signature);
      const keys = joined(publicKeys, publicKeyPointBytes);
      const hashed = joined(points, signaturePointBytes);
      return keys !== undefined && hashed !== undefined && kernel.verify_points(keys, hashed, signature, minSig);
    },
  };
}

/** Returns the sums of encoded keys and signatures. */
function aggregation(suite: Suite): Pick<Bls, 'aggregateSignatures' | 'aggregatePublicKeys'> {
  const { publicKeyBytes, signatureBytes, signatureGroup } = suite;
  const minSig = isMinSig(suite);

  return {
    aggregateSignatures(signatures) {
      requireBytesList('signatures', signatures);
      requireSome('signatures', signatures);
      const points = joined(signatures, signatureBytes);
      const sum = points === undefined ? undefined : kernel.aggregate_signatures(points, minSig);
      if (sum?.length === signatureBytes) return sum;
      throw refusedItem('signatures', `a compressed point of ${signatureGroup}`, signatures, (item) =>
        kernel.decode_signature(item, minSig),
      );
    },

    aggregatePublicKeys(publicKeys) {
      requireBytesList('publicKeys', publicKeys);
      requireSome('publicKeys', publicKeys);
      const keys = joined(publicKeys, publicKeyBytes);
      const sum = keys === undefined ? undefined : kernel.aggregate_public_keys(keys, minSig);
      if (sum?.length === publicKeyBytes) return sum;
      throw refusedItem('publicKeys', 'a valid public key', publicKeys, (item) =>
        kernel.validate_public_key(item, minSig),
      );
    },
  };
}

/** Returns the conversions between points and encodings. */
function encoding(
  suite: Suite,
): Pick<
  Bls,
  'decodePublicKey' | 'validatePublicKey' | 'decodeSignature' | 'encodeSignature' | 'addSignatures' | 'hashToCurve'
> {
  const { signatureBytes, signaturePointBytes, signatureGroup } = suite;
  const minSig = isMinSig(suite);
  const signatureDomain = new TextEncoder().encode(suite.signatureDst);

  return {
    decodePublicKey(bytes) {
      requireBytes('bytes', bytes);
      return decoded(kernel.decode_public_key(bytes, minSig));
    },

    validatePublicKey(bytes) {
      requireBytes('bytes', bytes);
      return decoded(kernel.validate_public_key(bytes, minSig));
    },

    decodeSignature(bytes, form = 'compressed') {
      requireBytes('bytes', bytes);
      requireForm(form);
      return hasForm(suite, bytes, form)
        ? decoded(kernel.decode_signature(bytes, minSig))
        : { ok: false, code: 'length' };
    },

    encodeSignature(point) {
      requireLength('point', point, signaturePointBytes);
      const bytes = kernel.encode_signature(point, minSig);
      if (bytes.length === signatureBytes) return bytes;
      throw misuse(RangeError, 'point', `an uncompressed point of ${signatureGroup}`, 'an invalid point');
    },

    addSignatures(a, b) {
      requireLength('a', a, signaturePointBytes);
      requireLength('b', b, signaturePointBytes);
      const sum = kernel.add_signatures(a, b, minSig);
      if (sum.length === signaturePointBytes) return sum;
      throw misuse(RangeError, 'a, b', `uncompressed points of ${signatureGroup}`, 'an invalid point');
    },

    hashToCurve(message, domain = signatureDomain) {
      requireBytes('message', message);
      requireDomain(domain);
      return kernel.hash_to_curve(message, domain, minSig);
    },
  };
}

function blsOf(suite: Suite): Bls {
  const { publicKeyPointBytes } = suite;
  const minSig = isMinSig(suite);
  const kept = keptInKernel(suite);
  const bls: Bls = {
    name: 'blst-wasm',
    variant: suite.variant,
    publicKeyBytes: suite.publicKeyBytes,
    signatureBytes: suite.signatureBytes,
    signaturePointBytes: suite.signaturePointBytes,

    keyGen(ikm) {
      requireEntropy(ikm);
      return kernel.key_gen(ikm);
    },

    ...signing(suite),
    ...severalKeys(suite),
    ...aggregation(suite),
    ...encoding(suite),

    round(publicKeys, message) {
      requireBytesList('publicKeys', publicKeys);
      requireSome('publicKeys', publicKeys);
      requireBytes('message', message);
      const keys = publicKeys.map((bytes, i) => roundKey(suite, bytes, i));
      const round = kernel.Round.open(joined(keys, publicKeyPointBytes)!, message, minSig);
      if (round !== undefined) return new KernelRound(round, keys.length, kept);
      throw misuse(RangeError, 'publicKeys', 'valid public keys', 'an invalid point');
    },

    verifier(publicKeys, message) {
      return inThreadVerifier(bls.round(publicKeys, message));
    },

    pointStore: (capacity) => pointStore(kept, capacity),
  };
  return bls;
}

const variants: Readonly<Record<Variant, Bls>> = {
  'min-pk': blsOf(suites['min-pk']),
  'min-sig': blsOf(suites['min-sig']),
};

/**
 * Loads BLS on blst, compiled to WebAssembly. The kernel's memory is per thread: each worker loads a separate kernel.
 *
 * @param variant - group of the keys.
 * @param arithmetic - as in LoadOptions; likewise `source`.
 * @throws BlsLoadError if the kernel cannot be read or started.
 */
export async function loadBlstWasm(variant: Variant, arithmetic?: Arithmetic, source?: KernelSource): Promise<Bls> {
  await startKernel(arithmetic, source);
  return variants[variant];
}
