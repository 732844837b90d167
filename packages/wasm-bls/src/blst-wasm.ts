import * as kernel from '../kernel/tutti_bls.js';
import {
  misuse,
  requireBytes,
  requireBytesList,
  requireClaimedKeys,
  requireClaimList,
  requireDomain,
  requireForm,
  requireLength,
  requireRun,
  requireSome,
  shown,
} from './arguments.ts';
import { drawCoefficients } from './batchCoefficients.ts';
import type {
  Bls,
  BlsRound,
  ContributionClaim,
  Decoded,
  KeptSignature,
  PointFault,
  ReadClaims,
  SignatureForm,
} from './bls.ts';
import { claimedBits } from './claimedBits.ts';
import { type KernelSource, startKernel } from './kernelModule.ts';
import { keptSignature, type PointOperations, pointStore } from './pointStore.ts';
import {
  minIkmBytes,
  publicKeyBytes,
  publicKeyPointBytes,
  secretKeyBytes,
  signatureBytes,
  signatureDst,
  signaturePointBytes,
} from './suite.ts';
import { inThreadVerifier } from './verifier.ts';

const signatureDomain = new TextEncoder().encode(signatureDst);

/** Names of the kernel's `Fault` numbers, which start at 1. */
const faults: readonly PointFault[] = ['length', 'encoding', 'not-on-curve', 'not-in-subgroup', 'infinity'];

/** The kernel answers with a point's bytes, or with one byte that is a fault's number. */
export function decoded(answer: Uint8Array): Decoded {
  if (answer.length !== 1) return { ok: true, point: answer };
  return { ok: false, code: faults[answer[0]! - 1]! };
}

/** The items one after the other, as the kernel takes a list; undefined if one has another length. */
export function joined(items: readonly Uint8Array[], bytes: number): Uint8Array | undefined {
  const flat = new Uint8Array(items.length * bytes);
  for (const [i, item] of items.entries()) {
    if (item.length !== bytes) return undefined;
    flat.set(item, i * bytes);
  }
  return flat;
}

/** The error for a list of which the kernel refused an item: it does not say which, so each is asked again. */
export function refusedItem(
  label: string,
  expected: string,
  items: readonly Uint8Array[],
  decode: (item: Uint8Array) => Uint8Array,
): Error {
  for (const [i, item] of items.entries()) {
    const answer = decoded(decode(item));
    if (!answer.ok) return misuse(RangeError, `${label}[${i}]`, expected, answer.code);
  }
  return misuse(RangeError, label, expected, 'one that the kernel refused');
}

/** The kernel answers a secret key that is no scalar with nothing. */
function requireScalar(answer: Uint8Array): Uint8Array {
  if (answer.length === 0) throw misuse(RangeError, 'secretKey', 'a scalar in 1..r-1', 'one out of range');
  return answer;
}

/** Whether bytes are as long as a form: the kernel tells one from the other by their length. */
const hasForm = (bytes: Uint8Array, form: SignatureForm): boolean =>
  bytes.length === (form === 'compressed' ? signatureBytes : signaturePointBytes);

/** The kernel answers with a point's number, or with a fault's below zero. */
function numberOrFault(answer: number): number | PointFault {
  return answer < 0 ? faults[-answer - 1]! : answer;
}

/** Points by the kernel's numbers. */
const keptInKernel: PointOperations<number, number> = {
  readKey: (bytes) => numberOrFault(kernel.keep_public_key(bytes)),
  readSignature: (bytes, form) =>
    hasForm(bytes, form) ? numberOrFault(kernel.keep_decoded_signature(bytes)) : 'length',
  encodeKey: kernel.encode_kept_public_key,
  encodeSignature: (signature, form) => kernel.encode_kept_signature(signature, form === 'uncompressed'),
  addSignatures: kernel.add_kept_signatures,
  sumKeys: (keys) => kernel.sum_kept_public_keys(Uint32Array.from(keys)),
  sumSignatures: (signatures) => kernel.sum_kept_signatures(Uint32Array.from(signatures)),
  verify: kernel.verify_kept,
  verifyEach: (claims, coefficients) =>
    kernel.verify_kept_each(
      Uint32Array.from(claims, ({ key }) => key),
      Uint32Array.from(claims, ({ message }) => message.length),
      concatenated(claims.map(({ message }) => message)),
      Uint32Array.from(claims, ({ signature }) => signature),
      coefficients,
    ),
  releaseKey: kernel.release_public_key,
  releaseSignature: kernel.release_signature,
};

/**
 * What read_claims takes for the length of a signature that is kept: this and its number (crate/src/batch.rs, KEPT).
 */
const keptMark = 2 ** 31;
const noBytes = new Uint8Array();

/** What the kernel keeps for a round, whatever its signatures consist of; `verify_kept` where they may be kept ones. */
type RoundInKernel = Pick<kernel.Round, 'verify' | 'free'> & {
  verify_kept?: (first: number, bits: Uint8Array, number: number) => boolean;
  read_claims(claims: Uint32Array, bytes: Uint8Array): ClaimsInKernel;
};
type ClaimsInKernel = Pick<kernel.ReadClaims, 'places' | 'hold' | 'free'>;

/** A round in kernel memory, over whatever a signature consists of. */
export class KernelRound<Signature extends Uint8Array | KeptSignature> implements BlsRound<Signature> {
  readonly #registrySize: number;
  #round: RoundInKernel | undefined;

  constructor(round: RoundInKernel, registrySize: number) {
    this.#round = round;
    this.#registrySize = registrySize;
  }

  verify(first: number, bits: Uint8Array, signature: Signature): boolean {
    requireClaimedKeys({ first, bits, signature }, '');
    const round = this.#live();
    const own = this.#signature(round, signature, '');
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
      const signature = this.#signature(round, claim.signature, `claims[${place}].`);
      const claimed = claimedBits(claim.bits, claim.first, this.#registrySize);
      if (claimed === undefined || claimed.length === 0) continue;
      const isKept = typeof signature === 'number';
      // Bytes as long as KEPT are no signature, and would be read as a kept one.
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

  /** A claim's signature as the kernel takes it: its bytes, or a kept one's number. */
  #signature(round: RoundInKernel, signature: Signature, label: string): Uint8Array | number {
    if (signature instanceof Uint8Array) return signature;
    if (round.verify_kept === undefined) throw misuse(TypeError, `${label}signature`, 'a Uint8Array', shown(signature));
    return keptSignature(keptInKernel, `${label}signature`, signature as KeptSignature);
  }

  #live(): RoundInKernel {
    if (this.#round === undefined) throw misuse(TypeError, 'round', 'a live round', 'a freed one');
    return this.#round;
  }
}

class KernelClaims implements ReadClaims {
  readonly places: readonly number[];
  #claims: ClaimsInKernel | undefined;

  /** @param places - where each of the kernel's claims was in the caller's list. */
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

/** Parts of any lengths, one after the other. */
function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** One key as the kernel's round takes it. */
function roundKey(bytes: Uint8Array, i: number): Uint8Array {
  if (bytes.length === publicKeyPointBytes) return bytes;
  const key = decoded(kernel.validate_public_key(bytes));
  if (!key.ok) throw misuse(RangeError, `publicKeys[${i}]`, 'a valid public key', key.code);
  return key.point;
}

const blstWasm: Bls = {
  name: 'blst-wasm',

  keyGen(ikm) {
    requireBytes('ikm', ikm);
    if (ikm.length < minIkmBytes) throw misuse(RangeError, 'ikm', `${minIkmBytes} bytes or more`, shown(ikm));
    return kernel.key_gen(ikm);
  },

  publicKey(secretKey) {
    requireLength('secretKey', secretKey, secretKeyBytes);
    return requireScalar(kernel.public_key(secretKey));
  },

  provePossession(secretKey) {
    requireLength('secretKey', secretKey, secretKeyBytes);
    return requireScalar(kernel.prove_possession(secretKey));
  },

  verifyPossession(publicKey, proof) {
    requireBytes('publicKey', publicKey);
    requireBytes('proof', proof);
    return kernel.verify_possession(publicKey, proof);
  },

  sign(secretKey, message) {
    requireLength('secretKey', secretKey, secretKeyBytes);
    requireBytes('message', message);
    return requireScalar(kernel.sign(secretKey, message));
  },

  verify(publicKey, message, signature, form = 'compressed') {
    requireBytes('publicKey', publicKey);
    requireBytes('message', message);
    requireBytes('signature', signature);
    requireForm(form);
    return hasForm(signature, form) && kernel.verify(publicKey, message, signature);
  },

  fastAggregateVerify(publicKeys, message, signature) {
    requireBytesList('publicKeys', publicKeys);
    requireBytes('message', message);
    requireBytes('signature', signature);
    const keys = joined(publicKeys, publicKeyBytes);
    return keys !== undefined && kernel.fast_aggregate_verify(keys, message, signature);
  },

  aggregateSignatures(signatures) {
    requireBytesList('signatures', signatures);
    requireSome('signatures', signatures);
    const points = joined(signatures, signatureBytes);
    const sum = points === undefined ? undefined : kernel.aggregate_signatures(points);
    if (sum?.length === signatureBytes) return sum;
    throw refusedItem('signatures', 'a compressed point of G2', signatures, kernel.decode_signature);
  },

  aggregatePublicKeys(publicKeys) {
    requireBytesList('publicKeys', publicKeys);
    requireSome('publicKeys', publicKeys);
    const keys = joined(publicKeys, publicKeyBytes);
    const sum = keys === undefined ? undefined : kernel.aggregate_public_keys(keys);
    if (sum?.length === publicKeyBytes) return sum;
    throw refusedItem('publicKeys', 'a valid public key', publicKeys, kernel.validate_public_key);
  },

  decodePublicKey(bytes) {
    requireBytes('bytes', bytes);
    return decoded(kernel.decode_public_key(bytes));
  },

  validatePublicKey(bytes) {
    requireBytes('bytes', bytes);
    return decoded(kernel.validate_public_key(bytes));
  },

  decodeSignature(bytes, form = 'compressed') {
    requireBytes('bytes', bytes);
    requireForm(form);
    return hasForm(bytes, form) ? decoded(kernel.decode_signature(bytes)) : { ok: false, code: 'length' };
  },

  encodeSignature(point) {
    requireLength('point', point, signaturePointBytes);
    const bytes = kernel.encode_signature(point);
    if (bytes.length === signatureBytes) return bytes;
    throw misuse(RangeError, 'point', 'an uncompressed point of G2', 'none');
  },

  addSignatures(a, b) {
    requireLength('a', a, signaturePointBytes);
    requireLength('b', b, signaturePointBytes);
    const sum = kernel.add_signatures(a, b);
    if (sum.length === signaturePointBytes) return sum;
    throw misuse(RangeError, 'a, b', 'uncompressed points of G2', 'an invalid point');
  },

  hashToG2(message, domain = signatureDomain) {
    requireBytes('message', message);
    requireDomain(domain);
    return kernel.hash_to_curve(message, domain);
  },

  round(publicKeys, message) {
    requireBytesList('publicKeys', publicKeys);
    requireSome('publicKeys', publicKeys);
    requireBytes('message', message);
    const keys = publicKeys.map(roundKey);
    const round = kernel.Round.open(joined(keys, publicKeyPointBytes)!, message);
    if (round !== undefined) return new KernelRound(round, keys.length);
    throw misuse(RangeError, 'publicKeys', 'valid public keys', 'an invalid point');
  },

  verifier(publicKeys, message) {
    return inThreadVerifier(blstWasm.round(publicKeys, message));
  },

  pointStore: (capacity) => pointStore(keptInKernel, capacity),
};

/**
 * BLS on blst, compiled to WebAssembly. Memory of the kernel is per thread: a worker loads its own.
 *
 * @param simd - as LoadOptions has it; likewise `source`.
 * @throws BlsLoadError if the kernel cannot be read or started.
 */
export async function loadBlstWasm(simd?: boolean, source?: KernelSource): Promise<Bls> {
  await startKernel(simd, source);
  return blstWasm;
}
