import { requireFunction, requireMethods } from '../arguments.ts';
import type { ContributionVerifier } from '../runtime/verification.ts';
import { inLaterTurn } from '../transport/laterTurn.ts';
import type { RoundPlan } from './plan.ts';

/** Checks the contributions of one round, and holds memory until it is closed. */
export interface RoundVerifier extends ContributionVerifier {
  /** Frees what it holds. Calls that still wait for an answer are rejected. */
  close(): Promise<void>;
}

/**
 * Opens the verifier of a round.
 *
 * @param publicKeys by position, 96 bytes each, uncompressed G1, known to be valid.
 * @param message what is signed.
 * @param plan of the round, for a scheme that asks for more than its message.
 */
export type OpenVerifier = (publicKeys: readonly Uint8Array[], message: Uint8Array, plan: RoundPlan) => RoundVerifier;

/** A kernel that can open what checks a round's contributions on this thread; any BLS kernel of this project can. */
export interface VerifyingKernel {
  /** Arguments as {@link OpenVerifier}. */
  verifier?(publicKeys: readonly Uint8Array[], message: Uint8Array, plan: RoundPlan): BatchVerifier;
}

/**
 * What checks contributions where a program does not say: the kernel, on this thread, many at a time.
 *
 * @throws TypeError for a kernel that has no `verifier`.
 */
export function kernelVerifier(kernel: VerifyingKernel): OpenVerifier {
  requireFunction('openVerifier, or kernel.verifier in its place', kernel.verifier);
  return (...round) => batched(kernel.verifier!(...round));
}

/** What a contribution claims, see `ContributionVerifier.verify`. */
export interface SignatureClaim {
  readonly first: number;
  readonly bits: Uint8Array;
  readonly signature: Uint8Array;
}

/** Checks many contributions of a round for little more than one costs; the verifiers of the BLS package do. */
export interface BatchVerifier {
  /** Each claim's validity, in their order. */
  verifyBatch(claims: readonly SignatureClaim[]): Promise<boolean[]>;
  close(): Promise<void>;
}

/**
 * Claims checked at a time. A batch holds up the thread while it is checked, and a claim in a full one costs a tenth of
 * one alone; twice as many would save little more.
 */
const defaultMostAtOnce = 64;

interface Waiting {
  readonly claim: SignatureClaim;
  readonly resolve: (valid: boolean) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Shares a verifier among the nodes of a process: what they ask for while a batch is checked is the next batch. Each
 * begins in a turn of the event loop of its own, so that datagrams and timers are never held up for longer than one.
 *
 * @param mostAtOnce claims checked at a time, 1 or more. Default 64.
 */
export function batched(verifier: BatchVerifier, mostAtOnce = defaultMostAtOnce): RoundVerifier {
  requireMethods('verifier', verifier, ['verifyBatch', 'close']);
  const waiting: Waiting[] = [];
  let busy = false;

  const next = (): void => {
    busy = waiting.length > 0;
    if (!busy) return;
    inLaterTurn(() => {
      const batch = waiting.splice(0, mostAtOnce);
      verifier
        .verifyBatch(batch.map(({ claim }) => claim))
        .then(
          (verdicts) => {
            for (const [i, { resolve }] of batch.entries()) resolve(verdicts[i]!);
          },
          (error: Error) => {
            for (const { reject } of batch) reject(error);
          },
        )
        .finally(next);
    });
  };

  return {
    verify: (first, bits, signature) =>
      new Promise((resolve, reject) => {
        waiting.push({ claim: { first, bits, signature }, resolve, reject });
        if (!busy) next();
      }),
    close: () => verifier.close(),
  };
}
