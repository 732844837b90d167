/** Cache of a bounded number of values. If it is full, a new value replaces the least recently used one. */
export class RecentlyUsed<Value> {
  readonly #max: number;
  /** Values by key, the least recently used one first. */
  readonly #values = new Map<string, Value>();

  /** @param max maximum number of values, at least 1. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Returns a value, which becomes the most recently used one, or undefined if it is not stored. */
  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#max) this.#values.delete(this.#values.keys().next().value!);
  }
}
