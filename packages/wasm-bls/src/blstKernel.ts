/**
 * The WebAssembly kernel, for use by other schemes on BLS12-381. Call {@link startKernel} before any function in
 * {@link kernel}.
 *
 * @example
 * ```js
 * import { decoded, kernel, startKernel } from '@tutti/wasm-bls/kernel/blst';
 *
 * await startKernel();
 * console.log(decoded(kernel.validate_public_key(new Uint8Array(48))));
 * ```
 *
 * ```text
 * { ok: false, code: 'encoding' }
 * ```
 *
 * @packageDocumentation
 */
import * as kernel from '../kernel/tutti_bls.js';
import { isBytes, joinBytes, misuse, requireDomain, requireList, shown } from './arguments.ts';
import { type G1Group, infinities } from './group.ts';
import { startKernel } from './kernelModule.ts';
import { keptSignature, type PointOperations } from './pointStore.ts';
import { type Decoded, type KeptSignature, type PointFault, pointFaultText } from './points.ts';
import {
  type BlsRound,
  type ContributionClaim,
  claimedBits,
  drawCoefficients,
  type ReadClaims,
  requireClaimedKeys,
  requireRange,
} from './round.ts';
import { publicKeyPointBytes } from './suite.ts';

export { kernel, startKernel };

/** Names of the kernel's `Fault` numbers, which start at 1. */
const faults: readonly PointFault[] = ['length', 'encoding', 'not-on-curve', 'not-in-subgroup', 'infinity'];

/** Decodes a result from the kernel: a point's bytes, or a single byte with a fault number. */
export function decoded(answer: Uint8Array): Decoded {
  if (answer.length !== 1) return { ok: true, point: answer };
  return { ok: false, code: faults[answer[0]! - 1]! };
}

/**
 * Returns the concatenated items, which is the kernel's form of a list, or undefined if any item has a different
 * length.
 */
export function joined(items: readonly Uint8Array[], bytes: number): Uint8Array | undefined {
  const flat = new Uint8Array(items.length * bytes);
  for (const [i, item] of items.entries()) {
    if (item.length !== bytes) return undefined;
    flat.set(item, i * bytes);
  }
  return flat;
}

/**
 * Creates the error for a list in which the kernel rejected an item. The kernel does not report the index of the
 * invalid item, so each item is tried again.
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

/** Decodes a result of the kernel: a point's number, or a negative fault number. */
export function numberOrFault(answer: number): number | PointFault {
  return answer < 0 ? faults[-answer - 1]! : answer;
}

/**
 * Value that marks a stored signature for read_claims: its sum with the signature's number replaces the signature's
 * length (crate/src/batch.rs, KEPT).
 */
const keptMark = 2 ** 31;
const noBytes = new Uint8Array();

/** A round in the kernel, with signatures in any form. `verify_kept` verifies stored signatures. */
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

  /** @param kept - the store's operations, for a round with stored signatures. */
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
    requireList('claims', claims);
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
      // Bytes of such a length are not a signature, and the kernel would read the length as the number of a stored one.
      const bytes = isKept || signature.length >= keptMark ? noBytes : signature;
      numbers.push(claim.first, claimed.length, isKept ? keptMark + signature : bytes.length);
      parts.push(claimed, bytes);
      places.push(place);
    }
    return new KernelClaims(round.read_claims(Uint32Array.from(numbers), joinBytes(parts)), places);
  }

  free(): void {
    this.#round?.free();
    this.#round = undefined;
  }

  /** Returns a claim's signature in the kernel's form: its bytes, or the number of a stored signature. */
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

  /** @param places - position in the caller's list of each claim passed to the kernel. */
  constructor(claims: ClaimsInKernel, places: readonly number[]) {
    this.#claims = claims;
    this.places = Array.from(claims.places(), (place) => places[place]!);
  }

  hold(from: number, to: number): boolean {
    requireRange(from, to, this.places.length);
    if (this.#claims === undefined) throw misuse(TypeError, 'claims', 'live claims', 'freed ones');
    return this.#claims.hold(from, to, drawCoefficients(to - from));
  }

  free(): void {
    this.#claims?.free();
    this.#claims = undefined;
  }
}

/** Returns scalars in the kernel's form: little-endian, all with the byte length of the longest one. */
function packed(scalars: readonly bigint[]): { bytes: Uint8Array; bits: number } {
  const longest = scalars.reduce((max, scalar) => (scalar > max ? scalar : max), 1n);
  const bits = longest.toString(2).length;
  const length = Math.ceil(bits / 8);
  const bytes = new Uint8Array(scalars.length * length);
  for (const [i, scalar] of scalars.entries()) {
    let rest = scalar;
    for (let at = i * length; rest !== 0n; at += 6) {
      let low = Number(rest & 0xffff_ffff_ffffn);
      for (let j = 0; low !== 0; j++, low = Math.floor(low / 256)) bytes[at + j] = low % 256;
      rest >>= 48n;
    }
  }
  return { bytes, bits };
}

/** Checks a result of the kernel, which is empty if a point is invalid. */
function requirePoints(answer: Uint8Array): Uint8Array {
  if (answer.length === 0) throw misuse(RangeError, 'points', 'uncompressed points of G1', 'an invalid point');
  return answer;
}

const kernelG1: G1Group = {
  name: 'blst-wasm',

  decode(bytes) {
    const answer = kernel.decode_public_key(bytes);
    return answer.length === publicKeyPointBytes ? answer : undefined;
  },

  hash(message, domain) {
    requireDomain(domain);
    return kernel.hash_to_g1(message, domain);
  },

  combine(points, scalars) {
    if (scalars.length === 0) return infinities(1);
    const { bytes, bits } = packed(scalars);
    return requirePoints(kernel.combine_g1(points, bytes, bits));
  },

  fold(points, scalar) {
    const { bytes, bits } = packed([scalar]);
    return requirePoints(kernel.fold_g1(points, bytes, bits));
  },
};

/**
 * Loads G1 on blst, compiled to WebAssembly. The arguments and errors are those of {@link startKernel}.
 */
export async function loadKernelG1(...kernelOf: Parameters<typeof startKernel>): Promise<G1Group> {
  await startKernel(...kernelOf);
  return kernelG1;
}
