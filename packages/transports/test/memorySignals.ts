import { WorldError } from '@tutti/core/input';
import type { PeerSignals } from '../src/signalling/signalling.ts';

/** Carries signals within a test. `tamper` may change or drop a signal in transit. */
export class MemorySignals {
  readonly #listeners = new Map<string, ((from: string, text: string) => void) | undefined>();
  tamper: (from: string, to: string, text: string) => string | undefined = (_from, _to, text) => text;

  /** @throws WorldError `address-in-use`. */
  join(name: string): PeerSignals & { leave(): void } {
    if (this.#listeners.has(name)) throw new WorldError('address-in-use', `the name ${name} is taken`);
    this.#listeners.set(name, undefined);
    return {
      send: (to, text) => {
        const carried = this.tamper(name, to, text);
        if (carried !== undefined) setImmediate(() => this.#listeners.get(to)?.(name, carried));
      },
      onSignal: (listener) => void this.#listeners.set(name, listener),
      leave: () => void this.#listeners.delete(name),
    };
  }
}
