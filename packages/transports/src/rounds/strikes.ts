/** For how many rounds nobody hears who lied for the first time, and at most: each lie after such a time doubles it. */
const leastRounds = 2;
const mostRounds = 64;

/**
 * Whom a peer does not hear for some rounds, because a contribution of theirs did not verify. The channel says who sent
 * it and the session what it is about, and honest members send nothing that they did not verify: nobody can have
 * another one struck. Two numbers a member at most.
 */
export class Strikes {
  readonly #struck = new Map<number, { readonly until: number; readonly rounds: number }>();
  #opened = 0;

  /** @returns the round's place among those that were opened. */
  open(): number {
    return this.#opened++;
  }

  /** A member lied in a round, or beside the rounds. Lies in rounds that were open side by side are one. */
  strike(index: number, round: number = this.#opened): void {
    const { until, rounds } = this.#struck.get(index) ?? { until: 0, rounds: 0 };
    if (round < until) return;
    const isAgain = round < until + rounds;
    const next = isAgain ? Math.min(mostRounds, 2 * rounds) : leastRounds;
    this.#struck.set(index, { until: this.#opened + next, rounds: next });
  }

  isStruck(index: number, round: number = this.#opened): boolean {
    return round < (this.#struck.get(index)?.until ?? 0);
  }
}
