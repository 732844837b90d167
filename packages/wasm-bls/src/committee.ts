import * as kernel from '../kernel/tutti_bls.js';
import { misuse, requireBytes, requireLength, shown } from './arguments.ts';
import { startKernel } from './kernelModule.ts';
import { publicKeyPointBytes, secretKeyBytes } from './suite.ts';

/**
 * Method to sum the keys of a collection (Horn: "Verification time for collections"). `naive` adds one key at a time.
 * `batched` adds keys in pairs, whose slopes share an inversion. `subtraction` also works in batches. It adds the
 * present keys, or subtracts the absent ones from the committee's total, whichever are fewer.
 */
export type SumMethod = 'naive' | 'batched' | 'subtraction';

/** The keys of one of Horn's committees, prepared in kernel memory: 96 bytes each. */
export interface KeyCommittee {
  /** Number of keys. */
  readonly size: number;

  /**
   * Returns the sum of the keys that a bitfield names. A collection's signature is verified with it.
   *
   * @param bits - bit b, that is `bits[b >> 3]`'s bit `b & 7`, names key b; one bit per key, padded to whole bytes.
   * @returns 96 bytes, uncompressed G1; infinity if no key is named.
   * @throws RangeError for bits of another length, or set beyond the last key; TypeError after free().
   */
  sum(bits: Uint8Array, method: SumMethod): Uint8Array;

  /** Releases the memory of the keys. A second call has no effect. */
  free(): void;
}

/** Functions of the kernel for committees; noble-curves has no such functions. */
export interface CommitteeKernel {
  /**
   * Stores the keys of a committee.
   *
   * @param publicKeys - concatenated points of 96 bytes, at least one: as Bls.validatePublicKey returns them, trusted
   * to be in the subgroup.
   * @throws RangeError if there are none, or one is not a valid key.
   */
  committee(publicKeys: Uint8Array): KeyCommittee;

  /**
   * INSECURE, for tests, simulations and benchmarks only: returns the public keys of consecutive secret keys. One
   * secret reveals all others. They are the cheapest distinct keys with known secrets, since each costs one addition.
   *
   * @param secretKey - the first: 32 bytes, big-endian; all of them must be in 1..r-1.
   * @param count - number of keys, 1 or more.
   * @returns concatenated points of 96 bytes.
   * @throws RangeError if a secret key is out of that range, or `count` is less than 1.
   */
  insecureConsecutiveKeys(secretKey: Uint8Array, count: number): Uint8Array;
}

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
    const committee = this.#committee;
    if (committee === undefined) throw misuse(TypeError, 'committee', 'a live committee', 'a freed one');
    switch (method) {
      case 'naive':
        return committee.sum_naive(bits);
      case 'batched':
        return committee.sum_batched(bits);
      case 'subtraction':
        return committee.sum_by_subtraction(bits);
    }
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
    if (!Number.isSafeInteger(count) || count < 1)
      throw misuse(RangeError, 'count', 'an integer of 1 or more', shown(count));
    const keys = kernel.consecutive_keys(secretKey, count);
    if (keys.length > 0) return keys;
    throw misuse(RangeError, 'secretKey', 'a scalar in 1..r-1', 'a value out of range');
  },
};

/** Starts the kernel, and returns the functions for committees. @throws BlsLoadError if the kernel cannot be started. */
export async function startCommittees(): Promise<CommitteeKernel> {
  await startKernel();
  return committeeKernel;
}
