import * as kernel from '../kernel/tutti_bls.js';
import { misuse, requireBytes, requireLength, shown, shownName } from './arguments.ts';
import { startKernel } from './kernelModule.ts';
import { publicKeyPointBytes, secretKeyBytes } from './suite.ts';

/**
 * Method to sum the keys of a collection (Horn: "Verification time for collections"). `naive` adds one key at a time.
 * `batched` adds keys in pairs, and the slopes of the pairs share an inversion. `subtraction` adds the present keys in
 * batches, or subtracts the absent keys from the committee's total, whichever are fewer.
 */
export type SumMethod = 'naive' | 'batched' | 'subtraction';

/** Functions of the kernel, by method. */
const sums: Readonly<Record<SumMethod, (committee: kernel.Committee, bits: Uint8Array) => Uint8Array>> = {
  naive: (committee, bits) => committee.sum_naive(bits),
  batched: (committee, bits) => committee.sum_batched(bits),
  subtraction: (committee, bits) => committee.sum_by_subtraction(bits),
};

/** Keys of one Horn committee, prepared in kernel memory at 96 bytes per key. */
export interface KeyCommittee {
  /** Number of keys in the committee. */
  readonly size: number;

  /**
   * Returns the sum of the keys selected by a bitfield. A collection's signature is verified with this sum.
   *
   * @param bits - bitfield with one bit per key, padded to whole bytes: bit `b & 7` of `bits[b >> 3]` selects key b.
   * @returns sum of 96 bytes, uncompressed G1; infinity if no key is selected.
   * @throws RangeError for a bitfield of another length, or with a bit set beyond the last key, and for an unknown
   * method; TypeError after free().
   */
  sum(bits: Uint8Array, method: SumMethod): Uint8Array;

  /** Releases the memory of the keys. A second call has no effect. */
  free(): void;
}

/** Committee functions of the kernel; noble-curves has no such functions. */
export interface CommitteeKernel {
  /**
   * Stores a committee's keys.
   *
   * @param publicKeys - concatenated points of 96 bytes, at least one, as returned by Bls.validatePublicKey and trusted
   * to be in the subgroup.
   * @throws RangeError if there are no keys, or if any key is invalid.
   */
  committee(publicKeys: Uint8Array): KeyCommittee;

  /**
   * INSECURE, for tests, simulations and benchmarks only: returns the public keys of consecutive secret keys. Anyone
   * who knows one of the secret keys knows all of them. These keys are the cheapest distinct keys with known secrets,
   * because each costs one addition.
   *
   * @param secretKey - first secret key, 32 bytes, big-endian; all secret keys must be in 1..r-1.
   * @param count - number of keys, 1 to 2^20.
   * @returns concatenated points of 96 bytes.
   * @throws RangeError if a secret key or `count` is out of range.
   */
  insecureConsecutiveKeys(secretKey: Uint8Array, count: number): Uint8Array;
}

/** Maximum number of consecutive keys: the number of entries in the largest registry. */
const maxConsecutiveKeys = 2 ** 20;

class KernelCommittee implements KeyCommittee {
  readonly size: number;
  #committee: kernel.Committee | undefined;

  constructor(committee: kernel.Committee, size: number) {
    this.#committee = committee;
    this.size = size;
  }

  sum(bits: Uint8Array, method: SumMethod): Uint8Array {
    requireLength('bits', bits, Math.ceil(this.size / 8));
    if (bits.at(-1)! >> (((this.size - 1) & 7) + 1) !== 0)
      throw misuse(RangeError, 'bits', `no set bit from index ${this.size} on`, 'one that is');
    if (!Object.hasOwn(sums, method))
      throw misuse(RangeError, 'method', `one of ${Object.keys(sums).join(', ')}`, shownName(method));
    if (this.#committee === undefined) throw misuse(TypeError, 'committee', 'a live committee', 'a freed one');
    return sums[method](this.#committee, bits);
  }

  free(): void {
    this.#committee?.free();
    this.#committee = undefined;
  }
}

const committeeKernel: CommitteeKernel = {
  committee(publicKeys) {
    requireBytes('publicKeys', publicKeys);
    const size = publicKeys.length / publicKeyPointBytes;
    if (size === 0 || !Number.isInteger(size))
      throw misuse(RangeError, 'publicKeys', `one key of ${publicKeyPointBytes} bytes or more`, shown(publicKeys));
    const committee = kernel.Committee.open(publicKeys);
    if (committee !== undefined) return new KernelCommittee(committee, size);
    throw misuse(RangeError, 'publicKeys', 'valid public keys', 'an invalid point');
  },

  insecureConsecutiveKeys(secretKey, count) {
    requireLength('secretKey', secretKey, secretKeyBytes);
    if (!Number.isInteger(count) || count < 1 || count > maxConsecutiveKeys)
      throw misuse(RangeError, 'count', `an integer from 1 to ${maxConsecutiveKeys}`, shown(count));
    const keys = kernel.consecutive_keys(secretKey, count);
    if (keys.length > 0) return keys;
    throw misuse(RangeError, 'secretKey', 'a scalar in 1..r-1', 'a value out of range');
  },
};

/**
 * Starts the kernel, and returns the functions for committees.
 *
 * @throws BlsLoadError if the kernel cannot be started.
 */
export async function startCommittees(): Promise<CommitteeKernel> {
  await startKernel();
  return committeeKernel;
}
