import {
  type Endpoint,
  type RegistryEntry,
  type RegistryTerms,
  registryDigest,
  type WireForm,
  weightsOf,
} from '@tutti/core';
import { requireBytesIn, requireFunction, requireMethods, requireObject, toHex } from '@tutti/core/input';
import { hostCrypto } from '#host-crypto';
import { type CryptoSuite, requireSuite } from '../crypto/suite.ts';
import { type RoundPlan, roundSession } from './plan.ts';
import { type GroupKernel, Round } from './round.ts';
import { kernelVerifier, type OpenVerifier } from './verifier.ts';

/** Options of a {@link Group}. */
export interface GroupOptions extends RegistryTerms {
  /** Crypto suite. Default: `nodeCrypto`, or `nobleCrypto` outside Node. */
  readonly crypto?: CryptoSuite;
  readonly kernel: GroupKernel;
  /** Registry entries in the order common to all nodes, each verified with `verifyEntry`. */
  readonly entries: readonly Pick<RegistryEntry, 'publicKey' | 'networkKey' | 'endpoint' | 'weight'>[];
  /** Minimum weight of an output's signers, in addition to the threshold. Default: none. */
  readonly minWeight?: bigint;
  /** Opens the verifier of a round's contributions. Default: the kernel verifies them on this thread, in batches. */
  readonly openVerifier?: OpenVerifier;
  /** Encoding of signatures in messages; all nodes must use the same one. Default: compressed. */
  readonly form?: WireForm;
}

/**
 * A registry that is prepared for rounds. The peers of one process share one group, and with it the public data of each
 * round. They join a round that another peer has opened. The last one to leave a round frees it.
 */
export class Group {
  readonly crypto: CryptoSuite;
  readonly kernel: GroupKernel;
  /** Digest of the registry, 32 bytes; see `registryDigest`. */
  readonly digest: Uint8Array;
  readonly size: number;
  /** Weights by entry; undefined if all weights are equal. */
  readonly weights: readonly bigint[] | undefined;
  readonly minWeight: bigint | undefined;
  /** Address of each entry. */
  readonly endpoints: readonly Endpoint[];
  /**
   * Open peers of this process that were created for this group. They share a core, and their number determines their
   * period.
   */
  readonly peers = new Set<object>();
  /** X25519 public keys, by entry. */
  readonly networkKeys: readonly Uint8Array[];
  /** Points of the public keys by entry, decoded once for all rounds: 96 bytes of G1, or 192 of G2 (`min-sig`). */
  readonly #points: readonly Uint8Array[];
  readonly #openVerifier: OpenVerifier;
  readonly #form: WireForm | undefined;
  readonly #rounds = new Map<string, { readonly round: Round; members: number }>();

  /**
   * @throws RangeError for an invalid key, which a check of the entries would have found; TypeError for a missing
   * option or one of the wrong type.
   */
  constructor(options: GroupOptions) {
    requireObject('options', options);
    const { crypto = hostCrypto, kernel, entries, form, epoch, threshold, margin, minWeight } = options;
    requireMethods('kernel', kernel, ['decodeSignature', 'encodeSignature', 'addSignatures', 'validatePublicKey']);
    const { openVerifier = kernelVerifier(kernel) } = options;
    requireFunction('openVerifier', openVerifier);
    requireSuite(crypto);
    this.crypto = crypto;
    this.kernel = kernel;
    this.digest = registryDigest(crypto, { entries, epoch, threshold, margin });
    this.weights = weightsOf(entries);
    this.minWeight = minWeight;
    this.size = entries.length;
    this.endpoints = entries.map(({ endpoint }) => endpoint);
    this.networkKeys = entries.map(({ networkKey }) => networkKey);
    this.#points = entries.map(({ publicKey }, index) => {
      const key = kernel.validatePublicKey(publicKey);
      if (key.ok) return key.point;
      throw new RangeError(`entry ${index}: expected a valid publicKey, got ${key.code}`);
    });
    this.#openVerifier = openVerifier;
    this.#form = form;
  }

  /** Returns the weight of a member. */
  weightOf(index: number): bigint {
    return this.weights?.[index] ?? 1n;
  }

  /** Returns whether the members have enough weight for an output. */
  isQuorum(indices: Iterable<number>): boolean {
    return sumOf([...new Set(indices)].map((index) => this.weightOf(index))) >= (this.minWeight ?? 1n);
  }

  /** Maximum weight that may be missing from a quorum. */
  get faultyWeight(): bigint {
    return sumOf(this.weights ?? new Array<bigint>(this.size).fill(1n)) - (this.minWeight ?? 1n);
  }

  /** Number of rounds in which a peer of this process takes part. */
  get openRounds(): number {
    return this.#rounds.size;
  }

  /**
   * Enters a round. It stays open until all peers that entered have left it.
   *
   * @throws RangeError and WorldError as `roundSession` does.
   */
  enter(plan: RoundPlan): Round {
    const session = roundSession(this.crypto, this.digest, plan);
    const name = toHex(session);
    const open = this.#rounds.get(name) ?? {
      round: new Round({
        crypto: this.crypto,
        plan,
        session,
        kernel: this.kernel,
        points: this.#points,
        openVerifier: this.#openVerifier,
        form: this.#form,
        weights: this.weights,
        minWeight: this.minWeight,
      }),
      members: 0,
    };
    open.members++;
    this.#rounds.set(name, open);
    return open.round;
  }

  /**
   * Leaves a round. The last peer to leave frees it.
   *
   * @throws RangeError for a round that was not entered, or was left as many times as entered.
   */
  leave(round: Round): void {
    requireBytesIn('round', round, ['session']);
    const name = toHex(round.session);
    const open = this.#rounds.get(name);
    if (open?.round !== round)
      throw new RangeError(`round ${round.number}: expected a round that this peer has entered and not left`);
    if (--open.members > 0) return;
    this.#rounds.delete(name);
    round.close();
  }
}

function sumOf(weights: readonly bigint[]): bigint {
  return weights.reduce((sum, one) => sum + one, 0n);
}
