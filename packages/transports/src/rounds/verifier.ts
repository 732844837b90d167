import { requireFunction, requireMethods } from '@tutti/core/input';
import type { ContributionVerifier, SignatureClaim } from '../runtime/runtime.ts';
import { inLaterTurn } from '../transport/turnQueue.ts';
import type { RoundPlan } from './plan.ts';

/**
 * Verifies the contributions of one round, and occupies memory until it is closed. `@tutti/wasm-bls` provides such
 * verifiers.
 */
export interface RoundVerifier extends ContributionVerifier {
  /** Frees the verifier's resources. Pending calls are rejected. */
  close(): Promise<void>;
}

/**
 * Opens the verifier of a round.
 *
 * @param publicKeys valid public keys by position, as uncompressed points: 96 bytes in G1, or 192 bytes in G2
 * (`min-sig`).
 * @param message message that the round's nodes sign.
 * @param plan plan of the round, for a scheme whose verification requires more than the message.
 */
export type OpenVerifier = (publicKeys: readonly Uint8Array[], message: Uint8Array, plan: RoundPlan) => RoundVerifier;

/**
 * A kernel that can open verifiers of a round's contributions on this thread. All BLS kernels of this project can do
 * this.
 */
export interface VerifyingKernel {
  /** Opens a verifier. The arguments are those of `OpenVerifier`. */
  verifier?(publicKeys: readonly Uint8Array[], message: Uint8Array, plan: RoundPlan): RoundVerifier;
}

/**
 * Returns a function that opens the default verifier of contributions, in which the kernel verifies batches on this
 * thread.
 *
 * @throws TypeError for a kernel without the function `verifier`.
 */
export function kernelVerifier(kernel: VerifyingKernel): OpenVerifier {
  requireFunction('openVerifier, or kernel.verifier instead of it', kernel.verifier);
  return (...round) => batched(kernel.verifier!(...round));
}

/**
 * Maximum number of claims in a batch that combines several calls. Checking a batch blocks the thread. A claim in a
 * full batch costs a seventh of a single check, or a fifteenth if its signature is decoded; doubling the number would
 * save little more.
 */
const maxClaims = 64;

/** A call of the verifier that waits for its batch. */
interface WaitingCall {
  readonly claims: readonly SignatureClaim[];
  readonly resolve: (verdicts: boolean[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Shares a verifier among the nodes of a process: requests that arrive while a batch is checked form the next batch.
 * Each batch begins in a separate turn of the event loop, so datagrams and timers wait for at most one batch. A batch
 * has at most 64 claims, unless a single call has more, because the claims of one call are never divided.
 */
export function batched(verifier: RoundVerifier): RoundVerifier {
  requireMethods('verifier', verifier, ['verifyBatch', 'close']);
  const waiting: WaitingCall[] = [];
  let busy = false;

  const next = (): void => {
    busy = waiting.length > 0;
    if (!busy) return;
    inLaterTurn(() => {
      const batch = waiting.splice(0, countThatFits(waiting));
      verifier
        .verifyBatch(batch.flatMap(({ claims }) => claims))
        .then(
          (verdicts) => {
            let from = 0;
            for (const { claims, resolve } of batch) {
              resolve(verdicts.slice(from, from + claims.length));
              from += claims.length;
            }
          },
          (error: Error) => {
            for (const { reject } of batch) reject(error);
          },
        )
        .finally(next);
    });
  };

  return {
    verifyBatch: (claims) =>
      new Promise((resolve, reject) => {
        waiting.push({ claims, resolve, reject });
        if (!busy) next();
      }),
    close: () => verifier.close(),
  };
}

/** Returns the number of calls at the head of the queue that form the next batch, at least 1. */
function countThatFits(calls: readonly WaitingCall[]): number {
  let count = 1;
  let claims = calls[0]!.claims.length;
  while (count < calls.length && claims + calls[count]!.claims.length <= maxClaims)
    claims += calls[count++]!.claims.length;
  return count;
}
