/**
 * What one claim adds to a check of many, in single checks: measured at a twentieth to a sixth (docs/benchmarks/bls-kernel.md).
 */
const claimCost = 1 / 8;

/**
 * The validity of each claim of a batch, by checks of many at once: one if all are valid; some 2 log2(n) more for each
 * invalid one, by halving, while these are few.
 *
 * Liars gain little by being many: all checks together cost no more than checking each claim singly, half as much again
 * and four (a check of n > 1 counted as 1 + n/8 single ones). Parts are halved as long as the remaining claims could
 * still be checked one by one within that bound; each part that holds gives new leeway.
 *
 * @param claims - how many there are, in a row.
 * @param hold - whether all claims from one position up to another are valid, at least one; right each time, or with
 *   negligible error.
 * @returns one verdict a claim, in their order.
 */
export function batchVerdicts(claims: number, hold: (from: number, to: number) => boolean): boolean[] {
  const verdicts = new Array<boolean>(claims).fill(false);
  /** The bound, less what was spent and what checking the undecided one by one would cost. */
  let leeway = claims / 2 + 4;
  /** Runs of claims, from one position up to another, that each hold an invalid one. */
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
    if (to - from === 1) leeway++;
    else if (leeway < halvingCost(to - from)) for (let i = from; i < to; i++) check(i, i + 1);
    else if (checkPart(from, middle)) guilty.push([middle, to]);
    else checkPart(middle, to);
  }
  return verdicts;
}

const checkCost = (claims: number): number => 1 + claims * claimCost;

/** What checking both halves of a part costs. */
const halvingCost = (claims: number): number => 2 + claims * claimCost;
