import * as kernel from '../kernel/tutti_bls.js';
import {
  misuse,
  requireBytes,
  requireBytesList,
  requireClaim,
  requireClaims,
  requireDomain,
  requireLength,
  requireRun,
  requireSome,
  shown,
} from './arguments.ts';
import { drawCoefficients } from './batch-coefficients.ts';
import type { Bls, BlsRound, ContributionClaim, Decoded, PointFault, ReadClaims } from './bls.ts';
import { claimedBits } from './claimed-bits.ts';
import { startKernel } from './kernel-module.ts';
import {
  MIN_IKM_BYTES,
  PUBLIC_KEY_BYTES,
  PUBLIC_KEY_POINT_BYTES,
  SECRET_KEY_BYTES,
  SIGNATURE_BYTES,
  SIGNATURE_DST,
  SIGNATURE_POINT_BYTES,
} from './suite.ts';

const signatureDomain = new TextEncoder().encode(SIGNATURE_DST);

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

/** What the kernel keeps for a round, whatever its signatures consist of. */
type RoundInKernel = Pick<kernel.Round, 'verify' | 'free'> & {
  read_claims(claims: Uint32Array, bytes: Uint8Array): ClaimsInKernel;
};
type ClaimsInKernel = Pick<kernel.ReadClaims, 'places' | 'hold' | 'free'>;

/** A round in kernel memory, over whatever a signature consists of. */
export class KernelRound implements BlsRound {
  readonly #registrySize: number;
  #round: RoundInKernel | undefined;

  constructor(round: RoundInKernel, registrySize: number) {
    this.#round = round;
    this.#registrySize = registrySize;
  }

  verify(first: number, bits: Uint8Array, signature: Uint8Array): boolean {
    requireClaim({ first, bits, signature });
    const round = this.#live();
    const claimed = claimedBits(bits, first, this.#registrySize);
    return claimed !== undefined && claimed.length > 0 && round.verify(first, claimed, signature);
  }

  verifyBatch(claims: readonly ContributionClaim[]): boolean {
    const read = this.readClaims(claims);
    try {
      const all = read.places.length === claims.length;
      return all && (claims.length === 0 || read.hold(0, claims.length));
    } finally {
      read.free();
    }
  }

  readClaims(claims: readonly ContributionClaim[]): ReadClaims {
    requireClaims(claims);
    const round = this.#live();
    const within: ContributionClaim[] = [];
    const places: number[] = [];
    for (const [place, { first, bits, signature }] of claims.entries()) {
      const claimed = claimedBits(bits, first, this.#registrySize);
      if (claimed === undefined || claimed.length === 0) continue;
      within.push({ first, bits: claimed, signature });
      places.push(place);
    }
    const lengths = within.flatMap(({ first, bits, signature }) => [first, bits.length, signature.length]);
    return new KernelClaims(round.read_claims(Uint32Array.from(lengths), claimBytes(within)), places);
  }

  free(): void {
    this.#round?.free();
    this.#round = undefined;
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

/** Each claim's bits and signature, one claim after the other. */
function claimBytes(claims: readonly ContributionClaim[]): Uint8Array {
  const parts = claims.flatMap(({ bits, signature }) => [bits, signature]);
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
  if (bytes.length === PUBLIC_KEY_POINT_BYTES) return bytes;
  const key = decoded(kernel.validate_public_key(bytes));
  if (!key.ok) throw misuse(RangeError, `publicKeys[${i}]`, 'a valid public key', key.code);
  return key.point;
}

const blstWasm: Bls = {
  name: 'blst-wasm',

  keyGen(ikm) {
    requireBytes('ikm', ikm);
    if (ikm.length < MIN_IKM_BYTES) throw misuse(RangeError, 'ikm', `${MIN_IKM_BYTES} bytes or more`, shown(ikm));
    return kernel.key_gen(ikm);
  },

  publicKey(secretKey) {
    requireLength('secretKey', secretKey, SECRET_KEY_BYTES);
    return requireScalar(kernel.public_key(secretKey));
  },

  provePossession(secretKey) {
    requireLength('secretKey', secretKey, SECRET_KEY_BYTES);
    return requireScalar(kernel.prove_possession(secretKey));
  },

  verifyPossession(publicKey, proof) {
    requireBytes('publicKey', publicKey);
    requireBytes('proof', proof);
    return kernel.verify_possession(publicKey, proof);
  },

  sign(secretKey, message) {
    requireLength('secretKey', secretKey, SECRET_KEY_BYTES);
    requireBytes('message', message);
    return requireScalar(kernel.sign(secretKey, message));
  },

  verify(publicKey, message, signature) {
    requireBytes('publicKey', publicKey);
    requireBytes('message', message);
    requireBytes('signature', signature);
    return kernel.verify(publicKey, message, signature);
  },

  fastAggregateVerify(publicKeys, message, signature) {
    requireBytesList('publicKeys', publicKeys);
    requireBytes('message', message);
    requireBytes('signature', signature);
    const keys = joined(publicKeys, PUBLIC_KEY_BYTES);
    return keys !== undefined && kernel.fast_aggregate_verify(keys, message, signature);
  },

  aggregateSignatures(signatures) {
    requireBytesList('signatures', signatures);
    requireSome('signatures', signatures);
    const points = joined(signatures, SIGNATURE_BYTES);
    const sum = points === undefined ? undefined : kernel.aggregate_signatures(points);
    if (sum?.length === SIGNATURE_BYTES) return sum;
    throw refusedItem('signatures', 'a compressed point of G2', signatures, kernel.decode_signature);
  },

  aggregatePublicKeys(publicKeys) {
    requireBytesList('publicKeys', publicKeys);
    requireSome('publicKeys', publicKeys);
    const keys = joined(publicKeys, PUBLIC_KEY_BYTES);
    const sum = keys === undefined ? undefined : kernel.aggregate_public_keys(keys);
    if (sum?.length === PUBLIC_KEY_BYTES) return sum;
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

  decodeSignature(bytes) {
    requireBytes('bytes', bytes);
    return decoded(kernel.decode_signature(bytes));
  },

  encodeSignature(point) {
    requireLength('point', point, SIGNATURE_POINT_BYTES);
    const bytes = kernel.encode_signature(point);
    if (bytes.length === SIGNATURE_BYTES) return bytes;
    throw misuse(RangeError, 'point', 'an uncompressed point of G2', 'none');
  },

  addSignatures(a, b) {
    requireLength('a', a, SIGNATURE_POINT_BYTES);
    requireLength('b', b, SIGNATURE_POINT_BYTES);
    const sum = kernel.add_signatures(a, b);
    if (sum.length === SIGNATURE_POINT_BYTES) return sum;
    throw misuse(RangeError, 'a, b', 'uncompressed points of G2', 'one that is none');
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
    const round = kernel.Round.open(joined(keys, PUBLIC_KEY_POINT_BYTES)!, message);
    if (round !== undefined) return new KernelRound(round, keys.length);
    throw misuse(RangeError, 'publicKeys', 'valid public keys', 'a point that is none');
  },
};

/**
 * BLS on blst, compiled to WebAssembly. Memory of the kernel is per thread: a worker loads its own.
 *
 * @throws BlsLoadError if the kernel cannot be read or started.
 */
export async function loadBlstWasm(): Promise<Bls> {
  await startKernel();
  return blstWasm;
}
