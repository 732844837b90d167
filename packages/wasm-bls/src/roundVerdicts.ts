import { requireClaimList, requireMethods } from './arguments.ts';
import { batchVerdicts } from './batchVerdicts.ts';
import type { BlsRound, ContributionClaim } from './round.ts';

/**
 * Returns each claim's validity in a round, in order, with the results of `verify`, by joint checks. Every claim is
 * read only once, even if several checks include it.
 *
 * @param claims - as for BlsRound.verify.
 * @throws as BlsRound.readClaims.
 */
export function roundVerdicts<Signature = Uint8Array>(
  round: BlsRound<Signature>,
  claims: readonly ContributionClaim<Signature>[],
): boolean[] {
  requireMethods('round', round, ['readClaims']);
  requireClaimList(claims);
  const verdicts = new Array<boolean>(claims.length).fill(false);
  const read = round.readClaims(claims);
  try {
    const found = batchVerdicts(read.places.length, (from, to) => read.hold(from, to));
    for (const [i, valid] of found.entries()) verdicts[read.places[i]!] = valid;
  } finally {
    read.free();
  }
  return verdicts;
}
