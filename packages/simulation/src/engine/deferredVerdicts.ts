import type { AggregationScheme, Contribution } from '@tutti/core';

/** A requested verification without a verdict. */
interface Pending {
  readonly index: number;
  readonly contribution: Contribution;
  readonly onVerdict: (valid: boolean) => void;
}

/**
 * Requested verifications whose verdicts are not needed yet: a verdict is needed only at the virtual time at which its
 * node gets it. When a verdict is needed, all pending verifications, of any nodes, are done together. The scheme
 * verifies each request once, and the run remains the same, event by event.
 */
export class DeferredVerdicts {
  readonly #scheme: AggregationScheme;
  /** Verdicts by index. Indices of verdicts that were taken are reused. */
  readonly #verdicts: (boolean | undefined)[] = [];
  readonly #free: number[] = [];
  #pending: Pending[] = [];

  /** @param scheme a scheme that has `verifyBatch`. */
  constructor(scheme: AggregationScheme) {
    this.#scheme = scheme;
  }

  /**
   * Requests a verification. @param onVerdict called once with the verdict, when it is known.
   * @returns the index of the verdict, for {@link take}.
   */
  request(contribution: Contribution, onVerdict: (valid: boolean) => void): number {
    this.#scheme.retain(contribution);
    const index = this.#free.pop() ?? this.#verdicts.length;
    this.#verdicts[index] = undefined;
    this.#pending.push({ index, contribution, onVerdict });
    return index;
  }

  /** Returns a verdict, which can be taken once. Verifies all pending requests if the verdict is not known yet. */
  take(index: number): boolean {
    if (this.#verdicts[index] === undefined) this.settle();
    this.#free.push(index);
    return this.#verdicts[index]!;
  }

  /** Verifies all pending requests. */
  settle(): void {
    const pending = this.#pending;
    this.#pending = [];
    if (pending.length === 0) return;
    const verdicts = this.#scheme.verifyBatch!(pending.map(({ contribution }) => contribution));
    for (const [at, { index, contribution, onVerdict }] of pending.entries()) {
      this.#verdicts[index] = verdicts[at]!;
      onVerdict(verdicts[at]!);
      this.#scheme.release(contribution);
    }
  }
}
