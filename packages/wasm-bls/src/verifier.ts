import { requireMethods } from './arguments.ts';
import type { BlsRound, ContributionClaim } from './round.ts';
import { roundVerdicts } from './roundVerdicts.ts';

/** Verifies contributions to one aggregation: a node asks for a verification and gets its result later. */
export interface BlsVerifier {
  /**
   * Whether a signature is the sum of the claimed signers' signatures; arguments, and who is trusted with what, as
   * BlsRound.verify. The bytes are read before the call returns, and may be reused after it.
   *
   * @throws VerifierError (as a rejection) after close(); never because of what a peer sent.
   */
  verify(first: number, bits: Uint8Array, signature: Uint8Array): Promise<boolean>;

  /**
   * Each claim's validity, in their order: what verify would answer, at the cost of one pairing check for all if all
   * are valid, and of half as much again as verifying each singly if every one is a lie (roundVerdicts). One invalid
   * claim does no harm to the others. Claims may come from many peers, and be of many nodes of the round.
   *
   * The bytes are read before the call returns, and may be reused after it.
   *
   * @throws VerifierError (as a rejection) after close(); never because of what a peer sent.
   */
  verifyBatch(claims: readonly ContributionClaim[]): Promise<boolean[]>;

  /**
   * Frees what verification holds; what is asked later is rejected with the code `closed`. Doing so twice is harmless.
   */
  close(): Promise<void>;
}

/** A verifier cannot answer: it was closed. */
export class VerifierError extends Error {
  override readonly name = 'VerifierError';

  /** @param code - `closed`: close() was called. */
  constructor(
    readonly code: 'closed',
    message: string,
  ) {
    super(message);
  }
}

/**
 * A verifier on the calling thread, be it a process's or a browser's worker: each call takes the time of two pairings
 * before it returns.
 *
 * @param round - taken over: close() frees it.
 */
export function inThreadVerifier(round: BlsRound): BlsVerifier {
  requireMethods('round', round, ['verify', 'readClaims', 'free']);
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
