import { membersOf } from '@tutti/certificates';
import { RandomStream } from '@tutti/core';
import { randomBitfield } from '@tutti/ethereum';
import {
  type Bls,
  type CommitteeKernel,
  insecureSeed,
  type KeyCommittee,
  roundVerdicts,
  type SumMethod,
} from '@tutti/wasm-bls';

/** Order r of the groups of BLS12-381; secret keys are added modulo r. */
const groupOrder = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

/** Settings for the collections that reach the global topic in a slot. The same settings yield the same collections. */
export interface SlotSettings {
  /** Number of collections, which are assigned to the committees in rotation. */
  readonly collections: number;
  readonly committees: number;
  /** Number of validators in a committee. */
  readonly committee: number;
  readonly seed: number;
}

/** Methods to sum the keys of a collection. */
export const sumMethods: readonly SumMethod[] = ['naive', 'batched', 'subtraction'];

/**
 * Methods for verifying signatures under sums of keys: one signature at a time, or all signatures of a committee
 * together.
 */
export const pairingMethods = ['singly', 'together'] as const;
/** One of {@link pairingMethods}. */
export type PairingMethod = (typeof pairingMethods)[number];

/** Content of a collector's message on the global topic, and the key for verifying that message. */
interface SignedCollection {
  /** Voters: bit `b & 7` of `bits[b >> 3]` is set if validator b of the committee voted. */
  readonly bits: Uint8Array;
  /** Sum of the voters' signatures, 96 bytes, compressed G2. */
  readonly signature: Uint8Array;
  /** Sum of the voters' keys, 96 bytes, uncompressed G1; undefined until the sum is computed. */
  key?: Uint8Array;
}

/**
 * One committee of a slot and the collections of its votes, with real keys and signatures.
 *
 * Secret keys are consecutive numbers across all committees, so the public keys are distinct points and each costs one
 * addition. A signature with the sum of the signers' secret keys equals the sum of the signers' signatures.
 */
export class CommitteeOfSlot {
  readonly #settings: SlotSettings;
  readonly #index: number;
  readonly #bls: Bls;
  readonly #keys: KeyCommittee;
  readonly #firstSecret: bigint;
  /** Message that the validators of the committee sign. */
  readonly message: Uint8Array;
  #collections: SignedCollection[] = [];

  /** @param index index of the committee, from 0. */
  constructor(settings: SlotSettings, index: number, bls: Bls, kernel: CommitteeKernel) {
    const { committee, seed } = settings;
    this.#settings = settings;
    this.#index = index;
    this.#bls = bls;
    this.message = insecureSeed('attestation', seed, index);
    const slotsFirst = BigInt(`0x${Buffer.from(bls.keyGen(insecureSeed('validators', seed, 0))).toString('hex')}`);
    this.#firstSecret = slotsFirst + BigInt(index * committee);
    this.#keys = kernel.committee(kernel.insecureConsecutiveKeys(secretKey(this.#firstSecret), committee));
  }

  /** Collections from the most recent draw. */
  get collections(): readonly SignedCollection[] {
    return this.#collections;
  }

  /** Draws the given number of votes at random for each collector, and signs the message for the voters. */
  draw(votes: number): void {
    const { collections, committees, committee, seed } = this.#settings;
    const random = new RandomStream(seed, `collections from committee ${this.#index}, ${votes} votes`);
    this.#collections = Array.from({ length: Math.ceil((collections - this.#index) / committees) }, () => {
      const bits = randomBitfield(committee, votes, random);
      return { bits, signature: this.#bls.sign(secretKey(this.#secretOf(bits)), this.message) };
    });
  }

  /**
   * Sums the keys of each collection.
   *
   * @param onSum called after each sum is computed.
   * @returns whether the sums equal those from earlier calls for the same collections.
   */
  sum(method: SumMethod, onSum: () => void): boolean {
    let same = true;
    for (const collection of this.#collections) {
      const key = this.#keys.sum(collection.bits, method);
      same &&= collection.key === undefined || Buffer.compare(key, collection.key) === 0;
      collection.key = key;
      onSum();
    }
    return same;
  }

  /**
   * Returns whether the signature of every collection, decoded from bytes, is valid under the sum of the collection's
   * keys. Requires an earlier call of {@link sum} for the current draw.
   */
  verify(method: PairingMethod): boolean {
    return this.#verdicts(this.#collections, method).every((valid) => valid);
  }

  /**
   * Adds a vote to the claim of one collection, or removes a vote from the claim. Returns whether verification rejects
   * this collection and no other collection. Requires an earlier call of {@link sum} for the current draw.
   */
  refusesCorrupted(): boolean {
    const at = this.#index % this.#collections.length;
    const { bits, signature } = this.#collections[at]!;
    const changed = Uint8Array.from(bits);
    const place = this.#index % this.#settings.committee;
    changed[place >> 3]! ^= 1 << (place & 7);
    const key = this.#keys.sum(changed, 'subtraction');
    const corrupted = this.#collections.with(at, { bits: changed, signature, key });
    return this.#verdicts(corrupted, 'together').every((valid, i) => valid === (i !== at));
  }

  /**
   * Verifies collections. The sums of keys form the registry of a round in which each collection claims its own key.
   */
  #verdicts(collections: readonly SignedCollection[], method: PairingMethod): boolean[] {
    const round = this.#bls.round(
      collections.map(({ key }) => key!),
      this.message,
    );
    const claims = collections.map(({ signature }, first) => ({ first, bits: Uint8Array.of(1), signature }));
    try {
      if (method === 'singly') return claims.map(({ first, bits, signature }) => round.verify(first, bits, signature));
      return roundVerdicts(round, claims);
    } finally {
      round.free();
    }
  }

  #secretOf(bits: Uint8Array): bigint {
    const voters = membersOf(bits);
    return BigInt(voters.length) * this.#firstSecret + BigInt(voters.reduce((sum, place) => sum + place, 0));
  }
}

/** Returns the remainder of a number modulo the order of the groups, 32 bytes, big-endian. */
function secretKey(value: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from((value % groupOrder).toString(16).padStart(64, '0'), 'hex'));
}
