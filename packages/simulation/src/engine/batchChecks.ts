/**
 * What verifying together costs, in verifications of one contribution: the kernel's, from docs/benchmarks/bls-kernel.md, "Many
 * claims at a time". Reading a claim (its signature decoded and in the subgroup, its keys added up) is paid once; each
 * check of n > 1 of those that were read, two pairings and two weighted sums, costs a + b n; of one, what is left of a
 * verification. So a batch of n that holds costs 1.1 + 0.14 n.
 */
export const batchCost = { read: 0.095, checkOfOne: 0.905, check: 1.1, checkOfEach: 0.045 } as const;

/** What it takes to tell which contributions of a batch are valid. */
export interface BatchChecks {
  /** Checks of one or of many together. */
  readonly checks: number;
  /** In verifications of one contribution. */
  readonly cost: number;
}

/** A claim's share of a check when the checks of a batch are counted, for the bound on halving. */
const claimPart = 1 / 8;

/**
 * The checks by which the kernel tells the verdicts on a batch: one where all are valid; where not, by halving while
 * that is cheaper than going through the rest one by one, and so never at more than half again as much as verifying
 * each singly, and four (docs/concepts/batch-verification.md).
 */
export function batchChecks(verdicts: readonly boolean[]): BatchChecks {
  let checks = 0;
  let cost = verdicts.length * batchCost.read;
  let leeway = verdicts.length / 2 + 4;
  const guilty: (readonly [from: number, to: number])[] = [];

  const check = (from: number, to: number): boolean => {
    const count = to - from;
    const holds = !verdicts.includes(false, from) || verdicts.indexOf(false, from) >= to;
    checks++;
    cost += count === 1 ? batchCost.checkOfOne : batchCost.check + count * batchCost.checkOfEach;
    if (count > 1) leeway += (holds ? count : 0) - 1 - count * claimPart;
    return holds;
  };
  const checkPart = (from: number, to: number): boolean => {
    const holds = check(from, to);
    if (!holds && to - from > 1) guilty.push([from, to]);
    return holds;
  };

  checkPart(0, verdicts.length);
  for (const [from, to] of guilty) {
    const middle = (from + to) >> 1;
    if (to - from === 1) leeway++;
    else if (leeway < 2 + (to - from) * claimPart) for (let at = from; at < to; at++) check(at, at + 1);
    // The other half is guilty then, and needs no check of its own to be known for it.
    else if (checkPart(from, middle)) guilty.push([middle, to]);
    else checkPart(middle, to);
  }
  return { checks, cost };
}
