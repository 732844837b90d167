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

/** Functions that a group requires from a signature scheme. Any BLS implementation of this project provides them. */
export interface GroupKernel extends SignatureKernel, VerifyingKernel {
  /**
   * Returns the kernel of one round, if the kernel depends on the round: one that rejects signatures of other periods.
   */
  forRound?(plan: RoundPlan): SignatureKernel;
  /**
   * Decodes a public key into a point, and checks that it is a valid key. For BLS, a key has 48 bytes and a point 96
   * (`min-sig`: 96 and 192).
   */
  validatePublicKey(
    bytes: Uint8Array,
  ): { readonly ok: true; readonly point: Uint8Array } | { readonly ok: false; readonly code: string };
}

/** Parameters of a round. */
interface RoundOptions {
  readonly crypto: CryptoSuite;
  readonly plan: RoundPlan;
  /** Identifier of the channels' session, 32 bytes. */
  readonly session: Uint8Array;
  readonly kernel: GroupKernel;
  /** Points of the public keys by entry, as `validatePublicKey` returns them. */
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
 * Maximum number of cached verdicts of a round. It exceeds the number that the nodes of one process request at a time.
 */
const maxRemembered = 1024;

/**
 * Returns a verifier that checks each contribution only once, even if several nodes of a process receive it. Whole
 * halves of the tree receive the same bytes on level after level, or the same invalid contribution of a Byzantine node.
 * A verdict depends only on the bytes, not on their sender.
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
        // If a check could not be carried out, it is repeated on the next request.
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
