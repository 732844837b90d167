import type { AggregationScheme, Contribution } from '@tutti/core';

/**
 * Verifications that were requested but need not be done yet: a verdict is needed only at the virtual time at which its
 * node gets it. When one is needed, all that have gathered meanwhile, of any nodes, are verified together. The scheme
 * verifies each request once, and the run is the same, event by event.
 */
export class Deferred {
  readonly #scheme: AggregationScheme;
  /** By place; those of the answered are free to be used again. */
  readonly #verdicts: (boolean | undefined)[] = [];
  readonly #free: number[] = [];
  #waiting: { readonly place: number; readonly contribution: Contribution; readonly tell: (valid: boolean) => void }[] =
    [];

  /** @param scheme one that has `verifyBatch`. */
  constructor(scheme: AggregationScheme) {
    this.#scheme = scheme;
  }

  /**
   * @param tell called once with the verdict, when it is known.
   * @returns the place to ask for the answer with, once.
   */
  ask(contribution: Contribution, tell: (valid: boolean) => void): number {
    this.#scheme.retain(contribution);
    const place = this.#free.pop() ?? this.#verdicts.length;
    this.#verdicts[place] = undefined;
    this.#waiting.push({ place, contribution, tell });
    return place;
  }

  answer(place: number): boolean {
    if (this.#verdicts[place] === undefined) this.settle();
    this.#free.push(place);
    return this.#verdicts[place]!;
  }

  /** Verifies all that wait. */
  settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    const verdicts = this.#scheme.verifyBatch!(waiting.map(({ contribution }) => contribution));
    for (const [at, { place, contribution, tell }] of waiting.entries()) {
      this.#verdicts[place] = verdicts[at]!;
      tell(verdicts[at]!);
      this.#scheme.release(contribution);
    }
  }
}
