import { randomCoefficients } from './batch-coefficients.ts';
import { batchVerdicts } from './batch-verdicts.ts';
import type { BlsRound, ContributionClaim } from './bls.ts';

/** Each claim's validity against a round, by batches under fresh coefficients; arguments and errors as BlsRound.verifyBatch. */
export function roundVerdicts(round: BlsRound, claims: readonly ContributionClaim[]): boolean[] {
  return batchVerdicts(claims, (part) => round.verifyBatch(part, randomCoefficients(part.length)));
}
