/**
 * Costs of batch verification, in verifications of one contribution, as measured for the kernel
 * (docs/benchmarks/bls-kernel.md, "Multiple claims per check"). Reading a claim (decoding its signature, checking the
 * subgroup and adding its keys) is charged once per claim. A check of n > 1 claims, with two pairings and two weighted
 * sums, costs `check` + n `checkOfEach`. A check of one claim costs the remainder of a verification. A valid batch of n
 * claims therefore costs 1.1 + 0.14 n.
 */
export const batchCost = { read: 0.095, checkOfOne: 0.905, check: 1.1, checkOfEach: 0.045 } as const;

/** Checks that find the valid contributions of a batch. */
interface BatchChecks {
  /** Number of checks, of one or of several contributions. */
  readonly checks: number;
  /** Cost, in verifications of one contribution. */
  readonly cost: number;
}

/** Cost that each claim adds to a check in the kernel's budget for halving. */
const budgetOfEach = 1 / 8;

/**
 * Returns the checks that the kernel needs to find the verdicts of a batch. If all claims are valid, one check
 * suffices. Otherwise the kernel halves the invalid parts while its budget permits, and then checks their claims one by
 * one. All checks together cost at most 1.5 times as much as single verifications, plus four verifications
 * (docs/concepts/batch-verification.md).
 */
export function batchChecks(verdicts: readonly boolean[]): BatchChecks {
  let checks = 0;
  let cost = verdicts.length * batchCost.read;
  let budget = verdicts.length / 2 + 4;
  const invalidParts: (readonly [from: number, to: number])[] = [];

  const check = (from: number, to: number): boolean => {
    const count = to - from;
    const holds = !verdicts.slice(from, to).includes(false);
    checks++;
    cost += count === 1 ? batchCost.checkOfOne : batchCost.check + count * batchCost.checkOfEach;
    if (count > 1) budget += (holds ? count : 0) - 1 - count * budgetOfEach;
    return holds;
  };
  const checkPart = (from: number, to: number): boolean => {
    const holds = check(from, to);
    if (!holds && to - from > 1) invalidParts.push([from, to]);
    return holds;
  };

  checkPart(0, verdicts.length);
  for (const [from, to] of invalidParts) {
    const middle = (from + to) >> 1;
    // A claim known to be invalid needs no single check.
    if (to - from === 1) budget++;
    else if (budget < 2 + (to - from) * budgetOfEach) for (let at = from; at < to; at++) check(at, at + 1);
    // If the first half is valid, the other half is invalid, so its own check is unnecessary.
    else if (checkPart(from, middle)) invalidParts.push([middle, to]);
    else checkPart(middle, to);
  }
  return { checks, cost };
}
