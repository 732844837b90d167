import type { AggregationScheme, Contribution } from '@tutti/core';

/**
 * Costs of batch verification, in verifications of one contribution, as measured for the kernel
 * (docs/benchmarks/bls-kernel.md, "Multiple claims per check"). Reading a claim (decoding its signature, checking the
 * subgroup and adding its keys) is charged once per claim. A check of n > 1 claims, with two pairings and two weighted
 * sums, costs a + b n. A check of one claim costs the remainder of a verification. A valid batch of n claims therefore
 * costs 1.1 + 0.14 n.
 */
export const batchCost = { read: 0.095, checkOfOne: 0.905, check: 1.1, checkOfEach: 0.045 } as const;

/** Checks that find the valid contributions of a batch. */
export interface BatchChecks {
  /** Number of checks, of one or of several contributions. */
  readonly checks: number;
  /** Cost, in verifications of one contribution. */
  readonly cost: number;
}

/** Share of a check that each claim contributes in the bound on halving. */
const claimPart = 1 / 8;

/**
 * Returns the checks that the kernel needs to find the verdicts of a batch. If all claims are valid, one check
 * suffices. Otherwise the kernel halves the batch as long as that costs less than single checks of the rest. All checks
 * together cost at most 1.5 times as much as single verifications, plus four (docs/concepts/batch-verification.md).
 */
export function batchChecks(verdicts: readonly boolean[]): BatchChecks {
  let checks = 0;
  let cost = verdicts.length * batchCost.read;
  let leeway = verdicts.length / 2 + 4;
  const guilty: (readonly [from: number, to: number])[] = [];

  const check = (from: number, to: number): boolean => {
    const count = to - from;
    const invalid = verdicts.indexOf(false, from);
    const holds = invalid === -1 || invalid >= to;
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
    // A claim known to be invalid needs no single check.
    if (to - from === 1) leeway++;
    else if (leeway < 2 + (to - from) * claimPart) for (let at = from; at < to; at++) check(at, at + 1);
    // If the first half is valid, the other half is invalid, so its own check is unnecessary.
    else if (checkPart(from, middle)) guilty.push([middle, to]);
    else checkPart(middle, to);
  }
  return { checks, cost };
}

/**
 * Requested verifications whose verdicts are not needed yet: a verdict is needed only at the virtual time at which its
 * node gets it. When a verdict is needed, all pending verifications, of any nodes, are done together. The scheme
 * verifies each request once, and the run remains the same, event by event.
 */
export class Deferred {
  readonly #scheme: AggregationScheme;
  /** Verdicts by index. Indices of answered requests are reused. */
  readonly #verdicts: (boolean | undefined)[] = [];
  readonly #free: number[] = [];
  #waiting: {
    readonly place: number;
    readonly contribution: Contribution;
    readonly onVerdict: (valid: boolean) => void;
  }[] = [];

  /** @param scheme a scheme that has `verifyBatch`. */
  constructor(scheme: AggregationScheme) {
    this.#scheme = scheme;
  }

  /**
   * Requests a verification. @param onVerdict called once with the verdict, when it is known.
   * @returns the index of the verdict, which can be read once.
   */
  ask(contribution: Contribution, onVerdict: (valid: boolean) => void): number {
    this.#scheme.retain(contribution);
    const place = this.#free.pop() ?? this.#verdicts.length;
    this.#verdicts[place] = undefined;
    this.#waiting.push({ place, contribution, onVerdict });
    return place;
  }

  answer(place: number): boolean {
    if (this.#verdicts[place] === undefined) this.settle();
    this.#free.push(place);
    return this.#verdicts[place]!;
  }

  /** Verifies all pending requests. */
  settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    const verdicts = this.#scheme.verifyBatch!(waiting.map(({ contribution }) => contribution));
    for (const [at, { place, contribution, onVerdict }] of waiting.entries()) {
      this.#verdicts[place] = verdicts[at]!;
      onVerdict(verdicts[at]!);
      this.#scheme.release(contribution);
    }
  }
}
