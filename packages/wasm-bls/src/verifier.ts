import type { BlsRound, ContributionClaim } from './bls.ts';
import { roundVerdicts } from './round-verdicts.ts';

/**
 * Verifies contributions to one aggregation, here or on other threads: a node asks for a verification and gets its result later, so
 * that two pairings never hold up its network.
 */
export interface ContributionVerifier {
  /**
   * Whether a signature is the sum of the claimed signers' signatures; arguments, and who is trusted with what, as BlsRound.verify.
   * The bytes are read before the call returns, and may be reused after it.
   *
   * @throws VerifierError (as a rejection) if no answer can be had; never because of what a peer sent.
   */
  verify(first: number, bits: Uint8Array, signature: Uint8Array): Promise<boolean>;

  /**
   * Each claim's validity, in their order: what verify would answer, at the cost of one pairing check for all if all are valid, and of
   * half as much again as verifying each singly if every one is a lie (roundVerdicts). One invalid claim does no
   * harm to the others. Claims may come from many peers, and be of many nodes of the round.
   *
   * The bytes are read before the call returns, and may be reused after it.
   *
   * @throws VerifierError (as a rejection) if no answer can be had; never because of what a peer sent.
   */
  verifyBatch(claims: readonly ContributionClaim[]): Promise<boolean[]>;

  /** Frees what verification holds; verifications still under way are rejected with the code `closed`. Doing so twice is harmless. */
  close(): Promise<void>;
}

/** A verifier cannot answer: it was closed, it is full, or one of its threads ended. */
export class VerifierError extends Error {
  override readonly name = 'VerifierError';

  /**
   * @param code - `closed`: close() was called. `queue-full`: as many wait as the pool lets wait. `worker-died`: a thread ended, and
   *   with it the pool. `worker-missing`: the worker's file is not built.
   */
  constructor(
    readonly code: 'closed' | 'queue-full' | 'worker-died' | 'worker-missing',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * A verifier on the calling thread, for a browser's worker and for tests: each call takes the two pairings' time before it returns.
 *
 * @param round - taken over: close() frees it.
 */
export function inThreadVerifier(round: BlsRound): ContributionVerifier {
  let closed = false;
  const live = (): BlsRound => {
    if (closed) throw new VerifierError('closed', 'verifier: asked after close()');
    return round;
  };
  return {
    async verify(first, bits, signature) {
      return live().verify(first, bits, signature);
    },
    async verifyBatch(claims) {
      return roundVerdicts(live(), claims);
    },
    async close() {
      closed = true;
      round.free();
    },
  };
}
