/**
 * A number that the members of a group count up together. Members derive the order of waiting messages from it, so they
 * begin the same ones. A member counts up by its own timer. It also adopts a larger number that enough others have
 * reached: their weight must exceed the weight that may be faulty, so one of them at least is honest.
 */
export class Turns {
  readonly #weightOf: (index: number) => bigint;
  readonly #faulty: bigint;
  readonly #heard = new Map<number, number>();
  #now = 0;

  /** @param faulty largest weight that may be faulty while the rest still is a quorum. */
  constructor(weightOf: (index: number) => bigint, faulty: bigint) {
    this.#weightOf = weightOf;
    this.#faulty = faulty;
  }

  get now(): number {
    return this.#now;
  }

  next(): void {
    this.#now++;
  }

  /** Takes in the turn that a member says it has reached. @returns whether this member's turn changed. */
  hear(from: number, turn: number): boolean {
    if (turn <= (this.#heard.get(from) ?? 0)) return false;
    this.#heard.set(from, turn);
    if (turn <= this.#now) return false;
    const reached = [...this.#heard].filter(([, one]) => one > this.#now).sort(([, a], [, b]) => b - a);
    let weight = 0n;
    for (const [index, one] of reached) {
      weight += this.#weightOf(index);
      if (weight <= this.#faulty) continue;
      this.#now = one;
      return true;
    }
    return false;
  }
}
