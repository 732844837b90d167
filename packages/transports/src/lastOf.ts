/** A map of the most recent values by name, up to a maximum number. It removes the oldest value first. */
export class LastOf<T> {
  readonly #values = new Map<string, T>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#values.size;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  get(name: string): T | undefined {
    return this.#values.get(name);
  }

  /** Returns the values, oldest first. */
  values(): IterableIterator<T> {
    return this.#values.values();
  }

  keep(name: string, value: T): void {
    this.#values.delete(name);
    this.#values.set(name, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#max) this.#values.delete(oldest!);
  }

  forget(name: string): void {
    this.#values.delete(name);
  }
}
