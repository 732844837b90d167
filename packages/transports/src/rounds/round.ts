import {
  invert,
  MultiSignatureScheme,
  Quorum,
  type SignatureKernel,
  Stakes,
  Tree,
  type VerificationPriorities,
  type WireForm,
} from '@tutti/core';
import type { CryptoSuite } from '../crypto/suite.ts';
import type { SignatureClaim } from '../runtime/verification.ts';
import type { RoundPlan } from './plan.ts';
import { placementOf, prioritiesOf } from './seed.ts';
import type { OpenVerifier, RoundVerifier, VerifyingKernel } from './verifier.ts';

/** Verdicts that are remembered of a round: more than its nodes of one process ask about at a time. */
const maxRemembered = 1024;

/**
 * Has what several nodes of a process were told checked once: level after level, whole halves of the tree are sent the
 * same bytes, and a liar its same lie. A verdict is of the bytes alone, whoever sent them.
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
        // What could not be checked is asked again.
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
  return `${first} ${bits.length} ${String.fromCharCode(...bits, ...signature)}`;
}

/** What a group needs of a signature scheme; any BLS implementation of this project is one. */
export interface GroupKernel extends SignatureKernel, VerifyingKernel {
  /**
   * What stands for it in one round, where that depends on the round: the one that refuses signatures of other periods.
   */
  forRound?(plan: RoundPlan): SignatureKernel;
  /** A public key (48 bytes of BLS) as a point (96 bytes), checked to be a valid key. */
  validatePublicKey(
    bytes: Uint8Array,
  ): { readonly ok: true; readonly point: Uint8Array } | { readonly ok: false; readonly code: string };
}

/** What a registry's rounds have in common. */
interface RoundOptions {
  readonly form?: WireForm | undefined;
  /** By entry. */
  readonly weights?: readonly bigint[] | undefined;
  readonly minWeight?: bigint | undefined;
}

/**
 * What is public in one round: who sits where in the tree, the verification priorities, and the keys and the message
 * that contributions are checked against (Pub in v1.03 section 2.1). A `Group` opens and closes them.
 */
export class Round {
  readonly number: number;
  readonly message: Uint8Array;
  readonly seed: Uint8Array;
  /** 32 bytes: names the channels' session. */
  readonly session: Uint8Array;
  /** The registry index that sits at each position. */
  readonly placement: Int32Array;
  /** The position of each registry index. */
  readonly positions: Int32Array;
  readonly scheme: MultiSignatureScheme;
  /** What an output's signers must weigh. */
  readonly quorum: Quorum | undefined;
  readonly priorities: VerificationPriorities;
  readonly verifier: RoundVerifier;

  /** @param points the registry's keys, by entry, 96 bytes each. */
  constructor(
    crypto: CryptoSuite,
    plan: RoundPlan,
    session: Uint8Array,
    kernel: GroupKernel,
    points: readonly Uint8Array[],
    openVerifier: OpenVerifier,
    { form = 'compressed', weights, minWeight }: RoundOptions = {},
  ) {
    const { number, message, seed, priorities = 'independent' } = plan;
    const size = points.length;
    this.number = number;
    this.message = message;
    this.seed = seed;
    this.session = session;
    this.placement = placementOf(crypto, size, seed);
    this.positions = invert(this.placement);
    const tree = new Tree(size);
    const stakes =
      weights &&
      new Stakes(
        tree,
        Array.from(this.placement, (index) => weights[index]!),
      );
    this.scheme = new MultiSignatureScheme({ tree, kernel: kernel.forRound?.(plan) ?? kernel, form, stakes });
    this.quorum =
      minWeight === undefined
        ? undefined
        : new Quorum([{ stakes: stakes ?? new Stakes(tree, new Array(size).fill(1n)), least: minWeight }]);
    this.priorities = prioritiesOf(crypto, size, seed, priorities, stakes);
    this.verifier = sharedVerdicts(
      openVerifier(
        Array.from(this.placement, (index) => points[index]!),
        message,
        plan,
      ),
    );
  }

  /** A set of positions as a set of registry indices, by which it can be told without the round's shuffle. */
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
