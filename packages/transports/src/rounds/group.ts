import type { WireForm } from '@tutti/core';
import { requireBytesIn, requireFunction, requireMethods, requireObject, toHex } from '@tutti/core/input';
import type { Endpoint } from '@tutti/core/registry';
import { type RegistryEntry, type RegistryTerms, registryDigest, weightsOf } from '@tutti/core/registry';
import { hostCrypto } from '#host-crypto';
import { type CryptoSuite, requireSuite } from '../crypto/suite.ts';
import { type RoundPlan, roundSession } from './plan.ts';
import { type GroupKernel, Round } from './round.ts';
import { kernelVerifier, type OpenVerifier } from './verifier.ts';

/** What a {@link Group} is made of. */
export interface GroupOptions extends RegistryTerms {
  /** Default: `nodeCrypto`, or `nobleCrypto` where there is no Node. */
  readonly crypto?: CryptoSuite;
  readonly kernel: GroupKernel;
  /** In the order that all nodes have them, each verified with `verifyEntry`. */
  readonly entries: readonly Pick<RegistryEntry, 'publicKey' | 'networkKey' | 'endpoint' | 'weight'>[];
  /** The weight that an output's signers must have, besides being as many as the threshold says. Default: any. */
  readonly minWeight?: bigint;
  /** Opens what verifies the contributions of a round. Default: the kernel verifies them, on this thread, in batches. */
  readonly openVerifier?: OpenVerifier;
  /** How signatures travel, which all nodes have to agree on; default: compressed. */
  readonly form?: WireForm;
}

/**
 * A registry, made ready for rounds. The peers of one process share one, and with it what is public in each round: they
 * join a round that another has open already, and the last to leave frees it.
 */
export class Group {
  readonly crypto: CryptoSuite;
  readonly kernel: GroupKernel;
  /** 32 bytes, see `registryDigest`. */
  readonly digest: Uint8Array;
  readonly size: number;
  /** By entry; undefined where all weigh the same. */
  readonly weights: readonly bigint[] | undefined;
  readonly minWeight: bigint | undefined;
  /** Where each entry listens. */
  readonly endpoints: readonly Endpoint[];
  /** Peers of this process that were made for it and are not closed: they share a core, and choose their period by it. */
  readonly peers = new Set<object>();
  /** X25519, by entry. */
  readonly networkKeys: readonly Uint8Array[];
  /** By entry, 96 bytes: decoded once, for each round to take. */
  readonly #points: readonly Uint8Array[];
  readonly #openVerifier: OpenVerifier;
  readonly #form: WireForm | undefined;
  readonly #rounds = new Map<string, { readonly round: Round; members: number }>();

  /**
   * @throws RangeError when a key is not valid, which checking the entries would have found; TypeError for what is
   *   missing or of another kind.
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

  /** What a member weighs. */
  weightOf(index: number): bigint {
    return this.weights?.[index] ?? 1n;
  }

  /** Whether members weigh as much as an output's signers must. */
  isQuorum(indices: Iterable<number>): boolean {
    return sumOf([...new Set(indices)].map((index) => this.weightOf(index))) >= (this.minWeight ?? 1n);
  }

  /** Largest weight that may be missing from a quorum. */
  get faultyWeight(): bigint {
    return sumOf(this.weights ?? new Array<bigint>(this.size).fill(1n)) - (this.minWeight ?? 1n);
  }

  /** Rounds that somebody of this process is in. */
  get openRounds(): number {
    return this.#rounds.size;
  }

  /**
   * Enters a round, which stays open until everybody who entered has left it.
   *
   * @throws RangeError and WorldError as `roundSession` does.
   */
  enter(plan: RoundPlan): Round {
    const session = roundSession(this.crypto, this.digest, plan);
    const name = toHex(session);
    const open = this.#rounds.get(name) ?? {
      round: new Round(this.crypto, plan, session, this.kernel, this.#points, this.#openVerifier, {
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
   * Leaves a round; the last to leave frees it.
   *
   * @throws RangeError for a round that was not entered, or left as often.
   */
  leave(round: Round): void {
    requireBytesIn('round', round, ['session']);
    const name = toHex(round.session);
    const open = this.#rounds.get(name);
    if (open?.round !== round)
      throw new RangeError(`round ${round.number}: expected one that was entered and not left`);
    if (--open.members > 0) return;
    this.#rounds.delete(name);
    round.close();
  }
}

function sumOf(weights: readonly bigint[]): bigint {
  return weights.reduce((sum, one) => sum + one, 0n);
}
