import { EnvironmentError } from '@tutti/core/input';
import { loadNodeRtc } from '../src/node.ts';
import type { PeerSignals } from '../src/signalling/signalling.ts';
import { openWebRtc, type WebRtcOptions } from '../src/webrtc/webrtc.ts';

export const rtc = await loadNodeRtc();

let names = 0;

/** Opens a WebRTC transport, by default with a new name. The name is free again after the transport is closed. */
export function openOn(signals: MemorySignals, options: Partial<WebRtcOptions> = {}) {
  const { name = `peer-${++names}` } = options;
  const joined = signals.join(name);
  const transport = openWebRtc({ rtc, ...options, name, signals: joined });
  const close = transport.close.bind(transport);
  transport.close = () => close().finally(joined.leave);
  return transport;
}

/** Carries signals within a test. `tamper` may change or drop a signal in transit. */
export class MemorySignals {
  readonly #listeners = new Map<string, ((from: string, text: string) => void) | undefined>();
  tamper: (from: string, to: string, text: string) => string | undefined = (_from, _to, text) => text;

  /** @throws EnvironmentError `address-in-use`. */
  join(name: string): PeerSignals & { leave(): void } {
    if (this.#listeners.has(name)) throw new EnvironmentError('address-in-use', `the name ${name} is taken`);
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
