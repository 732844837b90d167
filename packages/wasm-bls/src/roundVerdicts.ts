import { requireClaimList, requireMethods } from './arguments.ts';
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

/**
 * Cost that one claim adds to a joint check, in single checks. The measured cost is 1/20 to 1/6
 * (docs/benchmarks/bls-kernel.md).
 */
const claimCost = 1 / 8;

/**
 * Returns the validity of each claim of a batch. One joint check is enough if all claims are valid. Otherwise, while
 * invalid claims are few, halving takes about 2 log2(n) more checks for each of them.
 *
 * Many invalid claims cost little more than a few. All checks together cost at most 1.5 times as much as single checks
 * of all claims, plus four (a check of n > 1 claims counts as 1 + n/8 single ones). Parts are halved as long as the
 * remaining claims could still be checked singly within that bound. Each valid part increases the remaining budget.
 *
 * @param claims - number of claims.
 * @param hold - returns whether all claims of a range are valid; the range is never empty. It must be correct, except
 * with negligible probability.
 * @returns one verdict per claim, in order.
 */
export function batchVerdicts(claims: number, hold: (from: number, to: number) => boolean): boolean[] {
  const verdicts = new Array<boolean>(claims).fill(false);
  /** Remaining budget: the bound, minus the cost so far and the cost of checking the undecided claims singly. */
  let leeway = claims / 2 + 4;
  /** Ranges of claims, [from, to), each with at least one invalid claim. */
  const guilty: [from: number, to: number][] = [];

  const check = (from: number, to: number): boolean => {
    const held = hold(from, to);
    if (held) verdicts.fill(true, from, to);
    if (to - from > 1) leeway += (held ? to - from : 0) - checkCost(to - from);
    return held;
  };
  const checkPart = (from: number, to: number): boolean => {
    const held = check(from, to);
    if (!held && to - from > 1) guilty.push([from, to]);
    return held;
  };

  if (claims > 0) checkPart(0, claims);
  for (const [from, to] of guilty) {
    const middle = (from + to) >> 1;
    // A claim known to be invalid needs no single check.
    if (to - from === 1) leeway++;
    else if (leeway < halvingCost(to - from)) for (let i = from; i < to; i++) check(i, i + 1);
    // If the first half is valid, the other half is invalid, so its own check is unnecessary.
    else if (checkPart(from, middle)) guilty.push([middle, to]);
    else checkPart(middle, to);
  }
  return verdicts;
}

const checkCost = (claims: number): number => 1 + claims * claimCost;

/** Returns the cost of checking both halves of a part. */
const halvingCost = (claims: number): number => 2 + claims * claimCost;
