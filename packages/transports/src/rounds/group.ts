import {
  type Endpoint,
  invert,
  MultiSignatureScheme,
  Quorum,
  type RegistryEntry,
  type RegistryTerms,
  registryDigest,
  type SignatureKernel,
  Stakes,
  Tree,
  type VerificationPriorities,
  type WireForm,
  weightsOf,
} from '@tutti/core';
import { requireBytesIn, requireFunction, requireMethods, requireObject, toHex } from '@tutti/core/input';
import { hostCrypto } from '#host-crypto';
import { type CryptoSuite, requireSuite } from '../crypto/suite.ts';
import type { SignatureClaim } from '../runtime/runtime.ts';
import { type RoundPlan, roundSession } from './plan.ts';
import { placementOf, prioritiesOf } from './seed.ts';
import { kernelVerifier, type OpenVerifier, type RoundVerifier, type VerifyingKernel } from './verifier.ts';

/** Options of a {@link Group}. */
export interface GroupOptions extends RegistryTerms {
  /** Crypto suite. Default: `nodeCrypto`, or `nobleCrypto` outside Node. */
  readonly crypto?: CryptoSuite;
  readonly kernel: GroupKernel;
  /** Registry entries in the order common to all nodes, each verified with `verifyEntry`. */
  readonly entries: readonly Pick<RegistryEntry, 'publicKey' | 'networkKey' | 'endpoint' | 'weight'>[];
  /** Minimum weight of an output's signers, in addition to the threshold. Default: none. */
  readonly minWeight?: bigint;
  /** Opens the verifier of a round's contributions. Default: the kernel verifies them in batches on this thread. */
  readonly openVerifier?: OpenVerifier | undefined;
  /** Encoding of signatures in messages; all nodes must use the same one. Default: compressed. */
  readonly form?: WireForm;
}

/**
 * A registry prepared for rounds. All peers of one process share one group, and with it the public data of each round.
 * A peer joins a round that another peer has already opened. The last peer to leave a round frees its data.
 */
export class Group {
  readonly crypto: CryptoSuite;
  readonly kernel: GroupKernel;
  /** Digest of the registry, 32 bytes, from `registryDigest`. */
  readonly digest: Uint8Array;
  readonly size: number;
  /** Weights by entry; undefined if no entry has a weight. In that case each entry counts as 1. */
  readonly weights: readonly bigint[] | undefined;
  /** Minimum weight of an output's signers; undefined if there is none. */
  readonly minWeight: bigint | undefined;
  /** Address of each entry. */
  readonly endpoints: readonly Endpoint[];
  /**
   * Open peers of this process that were created for this group. These peers share a core, so their number determines
   * the dissemination period.
   */
  readonly peers = new Set<object>();
  /** X25519 public keys, by entry. */
  readonly networkKeys: readonly Uint8Array[];
  /** Options that all rounds have in common. */
  readonly #roundOptions: Omit<RoundOptions, 'plan' | 'session'>;
  readonly #rounds = new Map<string, { readonly round: Round; members: number }>();

  /**
   * @throws RangeError for an invalid key, which a check of the entries would have found; TypeError for a missing
   * option or an option of the wrong type.
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
    const points = pointsOf(kernel, entries);
    this.#roundOptions = { crypto, kernel, points, openVerifier, form, weights: this.weights, minWeight };
  }

  /** Returns the weight of a member. */
  weightOf(index: number): bigint {
    return this.weights?.[index] ?? 1n;
  }

  /** Returns whether the members have enough weight for an output. */
  isQuorum(indices: Iterable<number>): boolean {
    return sumOf([...new Set(indices)].map((index) => this.weightOf(index))) >= (this.minWeight ?? 1n);
  }

  /** Maximum total weight of the members that may be missing from a quorum. */
  get faultyWeight(): bigint {
    return sumOf(this.weights ?? new Array<bigint>(this.size).fill(1n)) - (this.minWeight ?? 1n);
  }

  /** Number of rounds in which at least one peer of this process takes part. */
  get openRounds(): number {
    return this.#rounds.size;
  }

  /**
   * Enters a round. The round stays open until every peer that entered it has left it.
   *
   * @throws RangeError and EnvironmentError, as from `roundSession`.
   */
  enter(plan: RoundPlan): Round {
    const session = roundSession(this.crypto, this.digest, plan);
    const name = toHex(session);
    const open = this.#rounds.get(name) ?? {
      round: new Round({ ...this.#roundOptions, plan, session }),
      members: 0,
    };
    open.members++;
    this.#rounds.set(name, open);
    return open.round;
  }

  /**
   * Leaves a round. The last peer to leave the round frees its data.
   *
   * @throws RangeError for a round that was not entered, or that was already left as many times as entered.
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

/**
 * Decodes the public keys of a registry.
 *
 * @returns points by entry: 96 bytes in G1, or 192 bytes in G2 (`min-sig`).
 * @throws RangeError for an invalid key.
 */
export function pointsOf(
  kernel: GroupKernel,
  entries: readonly { readonly publicKey: Uint8Array }[],
): readonly Uint8Array[] {
  return entries.map(({ publicKey }, index) => {
    const key = kernel.validatePublicKey(publicKey);
    if (key.ok) return key.point;
    throw new RangeError(`entry ${index}: expected a valid publicKey, got ${key.code}`);
  });
}

function sumOf(weights: readonly bigint[]): bigint {
  return weights.reduce((sum, one) => sum + one, 0n);
}

/** Functions that a group requires from a signature scheme. Any BLS implementation of this project provides them. */
export interface GroupKernel extends SignatureKernel, VerifyingKernel {
  /**
   * Returns the kernel for one round, if it depends on the round: for example, a kernel that rejects signatures of
   * other periods.
   */
  forRound?(plan: RoundPlan): SignatureKernel;
  /**
   * Decodes a public key into a point, and checks that the key is valid. For BLS, a key takes 48 bytes and a point
   * takes 96 bytes (`min-sig`: 96 and 192 bytes).
   */
  validatePublicKey(
    bytes: Uint8Array,
  ): { readonly ok: true; readonly point: Uint8Array } | { readonly ok: false; readonly code: string };
}

/** Options of a {@link Round}. */
interface RoundOptions {
  readonly crypto: CryptoSuite;
  readonly plan: RoundPlan;
  /** Identifier of the channels' session, 32 bytes. */
  readonly session: Uint8Array;
  readonly kernel: GroupKernel;
  /** Points of the public keys by entry, decoded once for all rounds. */
  readonly points: readonly Uint8Array[];
  readonly openVerifier: OpenVerifier;
  readonly form?: WireForm | undefined;
  /** Weights by entry. */
  readonly weights?: readonly bigint[] | undefined;
  readonly minWeight?: bigint | undefined;
}

/**
 * The public data of one round (Pub in v1.03 section 2.1): the positions in the tree, the verification priorities, and
 * the keys and the message with which contributions are verified. A `Group` opens and closes rounds.
 */
export class Round {
  readonly number: number;
  readonly message: Uint8Array;
  readonly seed: Uint8Array;
  /** Identifier of the channels' session, 32 bytes. */
  readonly session: Uint8Array;
  /** Registry index at each position. */
  readonly placement: Int32Array;
  /** Position of each registry index. */
  readonly positions: Int32Array;
  readonly scheme: MultiSignatureScheme;
  /** Minimum weight of an output's signers. */
  readonly quorum: Quorum | undefined;
  readonly priorities: VerificationPriorities;
  readonly verifier: RoundVerifier;

  constructor(options: RoundOptions) {
    const { crypto, plan, session, kernel, points, openVerifier, form = 'compressed', weights, minWeight } = options;
    const { number, message, seed, priorities = 'independent' } = plan;
    const size = points.length;
    this.number = number;
    this.message = message;
    this.seed = seed;
    this.session = session;
    this.placement = placementOf(crypto, size, seed);
    this.positions = invert(this.placement);
    const tree = new Tree(size);
    const placedWeights = weights && Array.from(this.placement, (index) => weights[index]!);
    const stakes = placedWeights && new Stakes(tree, placedWeights);
    this.scheme = new MultiSignatureScheme({ tree, kernel: kernel.forRound?.(plan) ?? kernel, form, stakes });
    this.quorum =
      minWeight === undefined
        ? undefined
        : new Quorum([{ stakes: stakes ?? new Stakes(tree, new Array(size).fill(1n)), min: minWeight }]);
    this.priorities = prioritiesOf(crypto, size, seed, priorities, stakes);
    const placedKeys = Array.from(this.placement, (index) => points[index]!);
    this.verifier = sharedVerdicts(openVerifier(placedKeys, message, plan));
  }

  /** Converts a set of positions to a set of registry indices, which does not depend on the round's shuffle. */
  inRegistryOrder(bits: Uint8Array): Uint8Array {
    const ordered = new Uint8Array(bits.length);
    for (const [position, index] of this.placement.entries())
      if ((bits[position >> 3]! >> (position & 7)) & 1) ordered[index >> 3]! |= 1 << (index & 7);
    return ordered;
  }

  close(): void {
    void this.verifier.close();
  }
}

/**
 * Maximum number of cached verdicts per round, which exceeds the number of verdicts that the nodes of one process
 * request at a time. The oldest verdict is dropped first.
 */
const maxRemembered = 1024;

/**
 * Returns a verifier that checks each contribution only once, even if several nodes of a process receive the same
 * contribution. Entire halves of the tree receive the same bytes on successive levels, or the same invalid contribution
 * from a Byzantine node. A verdict depends only on the contribution's bytes, not on their sender.
 */
export function sharedVerdicts(verifier: RoundVerifier): RoundVerifier {
  const verdicts = new Map<string, Promise<boolean>>();
  return {
    verifyBatch(claims) {
      const names = claims.map(nameOf);
      const fresh = new Map(claims.map((claim, place) => [names[place]!, claim] as const));
      for (const name of fresh.keys()) if (verdicts.has(name)) fresh.delete(name);
      const answers = fresh.size === 0 ? undefined : verifier.verifyBatch([...fresh.values()]);
      for (const [place, name] of [...fresh.keys()].entries()) {
        const verdict = answers!.then((all) => all[place]!);
        // A check that could not be carried out is repeated on the next request.
        verdict.catch(() => verdicts.delete(name));
        verdicts.set(name, verdict);
      }
      const all = Promise.all(names.map((name) => verdicts.get(name)!));
      for (const name of verdicts.keys()) {
        if (verdicts.size <= maxRemembered) break;
        verdicts.delete(name);
      }
      return all;
    },
    close: () => verifier.close(),
  };
}

function nameOf({ first, bits, signature }: SignatureClaim): string {
  return `${first} ${bits.length} ${textOf(bits)}${textOf(signature)}`;
}

/** Returns bytes as a text with one character per byte, for use as the key of a map. */
export function textOf(bytes: Uint8Array): string {
  let text = '';
  // A function call with too many arguments fails, so long bytes are converted in parts.
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return text;
}
