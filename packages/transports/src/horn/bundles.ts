import { concat, readUint, writeUint } from '@tutti/core/input';
import { inLaterTurn } from '../transport/laterTurn.ts';
import { lengthBytes } from './hornGroup.ts';

/** Messages to one node that are sent together. */
interface Bundle {
  parts: Uint8Array[];
  bytes: number;
}

/** Bundles of messages, by receiver. Messages of one turn share packets as far as they fit. */
export class Bundles {
  readonly #maxBytes: number;
  readonly #send: (to: number, bytes: Uint8Array) => void;
  readonly #bundles = new Map<number, Bundle>();
  #flushes = false;

  /** @param maxBytes maximum length of a bundle of several messages, bytes. */
  constructor(maxBytes: number, send: (to: number, bytes: Uint8Array) => void) {
    this.#maxBytes = maxBytes;
    this.#send = send;
  }

  /** Number of receivers for which a message waits. */
  get size(): number {
    return this.#bundles.size;
  }

  /** Adds a message to the bundle for its receiver, which is sent in a later turn. */
  add(to: number, bytes: Uint8Array): void {
    const more = lengthBytes + bytes.length;
    let bundle = this.#bundles.get(to);
    if (bundle !== undefined && bundle.bytes + more > this.#maxBytes) {
      this.#send(to, concat(...bundle.parts));
      bundle = undefined;
    }
    if (bundle === undefined) {
      bundle = { parts: [], bytes: 0 };
      this.#bundles.set(to, bundle);
    }
    const length = new Uint8Array(lengthBytes);
    writeUint(length, 0, lengthBytes, bytes.length);
    bundle.parts.push(length, bytes);
    bundle.bytes += more;
    if (this.#flushes) return;
    this.#flushes = true;
    inLaterTurn(() => this.#flush());
  }

  /** Drops the messages that have not been sent. */
  clear(): void {
    this.#bundles.clear();
  }

  #flush(): void {
    this.#flushes = false;
    const bundles = [...this.#bundles];
    this.#bundles.clear();
    for (const [to, { parts }] of bundles) this.#send(to, concat(...parts));
  }
}

/** Yields the messages of a bundle, each preceded there by its length; undefined instead of one that is truncated. */
export function* readBundle(bundle: Uint8Array): Iterable<Uint8Array | undefined> {
  for (let at = 0; at < bundle.length; ) {
    const begin = at + lengthBytes;
    const end = begin > bundle.length ? begin : begin + readUint(bundle, at, begin);
    yield end > bundle.length ? undefined : bundle.subarray(begin, end);
    at = end;
  }
}
