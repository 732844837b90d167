import { requireFunction, requireMethods } from '@tutti/core/input';
import type { ContributionVerifier, SignatureClaim } from '../runtime/verification.ts';
import { inLaterTurn } from '../transport/laterTurn.ts';
import type { RoundPlan } from './plan.ts';

/**
 * Verifies the contributions of one round, and holds memory until it is closed. `@tutti/wasm-bls` has such verifiers.
 */
export interface RoundVerifier extends ContributionVerifier {
  /** Frees its resources. Calls that still wait for an answer are rejected. */
  close(): Promise<void>;
}

/**
 * Opens the verifier of a round.
 *
 * @param publicKeys by position, 96 bytes each, uncompressed G1, known to be valid.
 * @param message message of the round.
 * @param plan of the round, for a scheme that needs more than its message.
 */
export type OpenVerifier = (publicKeys: readonly Uint8Array[], message: Uint8Array, plan: RoundPlan) => RoundVerifier;

/**
 * A kernel that can open the verifier of a round's contributions on this thread; any BLS kernel of this project can.
 */
export interface VerifyingKernel {
  /** Opens a verifier; arguments as those of `OpenVerifier`. */
  verifier?(publicKeys: readonly Uint8Array[], message: Uint8Array, plan: RoundPlan): RoundVerifier;
}

/**
 * Returns the default verifier of contributions: the kernel, on this thread, in batches.
 *
 * @throws TypeError for a kernel without `verifier`.
 */
export function kernelVerifier(kernel: VerifyingKernel): OpenVerifier {
  requireFunction('openVerifier, or kernel.verifier in its place', kernel.verifier);
  return (...round) => batched(kernel.verifier!(...round));
}

/**
 * Maximum number of claims checked at a time. A batch blocks the thread while it is checked. A claim in a full one
 * costs a tenth of a single check; twice the number would save little more.
 */
const defaultMaxAtOnce = 64;

/** Claims of one call. */
interface Asked {
  readonly claims: readonly SignatureClaim[];
  readonly resolve: (verdicts: boolean[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Shares a verifier among the nodes of a process: requests that arrive while a batch is checked form the next batch.
 * Each batch begins in its own turn of the event loop, so datagrams and timers wait for at most one batch.
 *
 * @param maxAtOnce claims checked at a time, 1 or more. Default 64. The claims of one call are never divided, so a
 * single call may exceed it.
 */
export function batched(verifier: RoundVerifier, maxAtOnce = defaultMaxAtOnce): RoundVerifier {
  requireMethods('verifier', verifier, ['verifyBatch', 'close']);
  const waiting: Asked[] = [];
  let busy = false;

  const next = (): void => {
    busy = waiting.length > 0;
    if (!busy) return;
    inLaterTurn(() => {
      const batch = waiting.splice(0, countThatFits(waiting, maxAtOnce));
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

/** Returns the number of first calls with at most this number of claims together; at least one. */
function countThatFits(calls: readonly Asked[], maxClaims: number): number {
  let count = 1;
  let claims = calls[0]!.claims.length;
  while (count < calls.length && claims + calls[count]!.claims.length <= maxClaims)
    claims += calls[count++]!.claims.length;
  return count;
}
