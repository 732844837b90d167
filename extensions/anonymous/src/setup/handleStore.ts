import type { Contribution } from '@tutti/core';
import { expected } from '@tutti/core/settings';

/**
 * Values behind integer handles, as a scheme gives them out. References are counted: a value is dropped with its last
 * one.
 */
export class HandleStore<Value> {
  readonly #entries = new Map<Contribution, { readonly value: Value; references: number }>();
  #next: Contribution = 1;

  /** Values that somebody holds. */
  get size(): number {
    return this.#entries.size;
  }

  /** A handle never given before, retained once for the caller. */
  add(value: Value): Contribution {
    const handle = this.#next++;
    this.#entries.set(handle, { value, references: 1 });
    return handle;
  }

  /** @throws RangeError for a handle that nobody holds, as all of these do. */
  get(handle: Contribution): Value {
    return this.#entry(handle).value;
  }

  retain(handle: Contribution): void {
    this.#entry(handle).references++;
  }

  /** @returns the value if nobody holds it any more. */
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
