import type { BlsRound } from './bls.ts';

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
  return {
    async verify(first, bits, signature) {
      if (closed) throw new VerifierError('closed', 'verifier: verify() after close()');
      return round.verify(first, bits, signature);
    },
    async close() {
      closed = true;
      round.free();
    },
  };
}
