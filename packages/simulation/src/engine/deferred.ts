import type { AggregationScheme, Contribution } from '@tutti/core';

/**
 * Requested verifications whose verdicts are not needed yet: a verdict is needed only at the virtual time at which its
 * node gets it. When one is needed, all pending verifications, of any nodes, are done together. The scheme verifies
 * each request once, and the run is the same, event by event.
 */
export class Deferred {
  readonly #scheme: AggregationScheme;
  /** Verdicts by place. Places of answered requests are reused. */
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
   * @returns the place of the verdict, which can be read once.
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
