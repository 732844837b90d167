import { requireObject } from '@tutti/core/input';

/** How often each thing happened, by its stable code. */
export class Counts<Code extends string = string> {
  readonly #counts = new Map<string, number>();

  add(code: Code, times = 1): void {
    this.#counts.set(code, (this.#counts.get(code) ?? 0) + times);
  }

  /** What another part, or another process, counted. */
  addAll(counts: Readonly<Record<string, number>>): void {
    requireObject('counts', counts);
    for (const [code, times] of Object.entries(counts)) this.add(code as Code, times);
  }

  /** Codes in alphabetical order, so that two equal counts print alike. */
  toRecord(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
