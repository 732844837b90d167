import { requireInteger } from '@tutti/core/input';

/** Maximum length of an array, which limits the size of a queue or a map. */
const maxSize = 2 ** 32 - 1;

/** A first-in-first-out queue with a maximum length. When the queue is full, a new entry displaces the oldest one. */
export class BoundedQueue<T> {
  readonly #ring: (T | undefined)[];
  #first = 0;
  #length = 0;

  /** @param bound maximum number of entries, at least 1. */
  constructor(bound: number) {
    requireInteger('bound', bound, 1, maxSize);
    this.#ring = new Array(bound);
  }

  get length(): number {
    return this.#length;
  }

  /** Appends an entry. Returns true if the oldest entry was dropped. */
  push(entry: T): boolean {
    const bound = this.#ring.length;
    const full = this.#length === bound;
    this.#ring[(this.#first + this.#length) % bound] = entry;
    if (full) this.#first = (this.#first + 1) % bound;
    else this.#length++;
    return full;
  }

  /** Removes and returns the oldest entry, or undefined if there is none. */
  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const entry = this.#ring[this.#first];
    this.#ring[this.#first] = undefined;
    this.#first = (this.#first + 1) % this.#ring.length;
    this.#length--;
    return entry;
  }

  clear(): void {
    this.#ring.fill(undefined);
    this.#first = 0;
    this.#length = 0;
  }
}

/** A map of limited size from names to the most recently stored values. The map removes the oldest value first. */
export class LastOf<T> {
  readonly #values = new Map<string, T>();
  readonly #max: number;

  /** @param max maximum number of values, at least 1. */
  constructor(max: number) {
    requireInteger('max', max, 1, maxSize);
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

  /** Stores a value as the newest one, replacing any previous value with the same name. */
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
