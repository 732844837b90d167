import { requireObject } from '@tutti/core/input';

/** Number of occurrences of each event, by its stable code. */
export class Counts<Code extends string = string> {
  readonly #counts = new Map<string, number>();

  add(code: Code, times = 1): void {
    this.#counts.set(code, (this.#counts.get(code) ?? 0) + times);
  }

  /** Adds the counts of another part or another process. */
  addAll(counts: Readonly<Record<string, number>>): void {
    requireObject('counts', counts);
    for (const [code, times] of Object.entries(counts)) this.add(code as Code, times);
  }

  /** Returns the counts by code in alphabetical order, so that equal counts are printed in the same way. */
  toRecord(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
