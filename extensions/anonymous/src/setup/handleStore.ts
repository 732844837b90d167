import type { Contribution } from '@tutti/core';
import { expected } from '@tutti/core/input';

/**
 * Values behind integer handles, as returned by a scheme. The values are reference-counted: a value is dropped together
 * with its last reference.
 */
export class HandleStore<Value> {
  readonly #entries = new Map<Contribution, { readonly value: Value; references: number }>();
  #next: Contribution = 1;

  /** Number of values in the store. */
  get size(): number {
    return this.#entries.size;
  }

  /** Returns a new handle, retained once for the caller. */
  add(value: Value): Contribution {
    const handle = this.#next++;
    this.#entries.set(handle, { value, references: 1 });
    return handle;
  }

  /** Returns the value of a handle. @throws RangeError for an unknown handle, as do `retain` and `release`. */
  get(handle: Contribution): Value {
    return this.#entry(handle).value;
  }

  retain(handle: Contribution): void {
    this.#entry(handle).references++;
  }

  /** Drops a reference to a value. @returns the value if the dropped reference was the last one. */
  release(handle: Contribution): Value | undefined {
    const entry = this.#entry(handle);
    if (--entry.references > 0) return undefined;
    this.#entries.delete(handle);
    return entry.value;
  }

  #entry(handle: Contribution): { readonly value: Value; references: number } {
    const entry = this.#entries.get(handle);
    if (entry === undefined) throw new RangeError(expected('handle', 'one that is held', handle));
    return entry;
  }
}
