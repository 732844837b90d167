import { requireMethods } from './arguments.ts';
import { type BlsRound, type ContributionClaim, roundVerdicts } from './round.ts';

/** Verifier of the contributions to one aggregation. A node requests a verification and gets its result later. */
export interface BlsVerifier {
  /**
   * Returns whether a signature is the sum of the claimed signers' signatures. The arguments and their trust are those
   * of BlsRound.verify. The bytes are read before the call returns, and may be reused after it.
   *
   * @throws VerifierError (as a rejection) after close(); never because of a peer's input.
   */
  verify(first: number, bits: Uint8Array, signature: Uint8Array): Promise<boolean>;

  /**
   * Returns each claim's validity, in order, with the same results as verify. The call costs one pairing check if all
   * claims are valid, and otherwise at most 1.5 times the cost of single verifications plus the cost of four single
   * verifications. An invalid claim does not affect the verdicts on other claims. Claims may come from many peers, and
   * may be for many nodes of the round.
   *
   * The bytes are read before the call returns, and may be reused after it.
   *
   * @throws VerifierError (as a rejection) after close(); never because of a peer's input.
   */
  verifyBatch(claims: readonly ContributionClaim[]): Promise<boolean[]>;

  /**
   * Frees the resources of the verifier. Later requests are rejected with the code `closed`. A second call has no
   * effect.
   */
  close(): Promise<void>;
}

/** Error of a call on a closed verifier. */
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
 * Creates a verifier on the calling thread, which may be a process's main thread or a worker. Each call blocks
 * the thread until its result is known: for two pairings if all claims are valid, and longer otherwise; see
 * {@link BlsVerifier.verifyBatch}.
 *
 * @param round - round that the verifier owns: close() frees it.
 */
export function inThreadVerifier(round: BlsRound): BlsVerifier {
  requireMethods('round', round, ['verify', 'readClaims', 'free']);
  let closed = false;
  const live = (): BlsRound => {
    if (closed) throw new VerifierError('closed', 'verifier: expected no call after close(), got a call');
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
