import type { QUICConnection } from '@matrixai/quic';
import { Backoff } from '../backoff.ts';
import { BoundedQueue } from '../boundedQueue.ts';
import type { Endpoint } from '../transport.ts';

/** A packet on its way, and what it says, when its sender told. */
export interface Outgoing {
  readonly packet: Uint8Array;
  readonly says: Uint8Array | undefined;
}

/** The way to one endpoint: what waits, what is under way, and what was taken there. */
export class QuicRoute {
  readonly to: Endpoint;
  readonly queue: BoundedQueue<Outgoing>;
  readonly backoff = new Backoff();
  connection: QUICConnection | undefined;
  /** Cancels the attempt to open a connection that is under way. */
  cancelAttempt: (() => void) | undefined;
  underWay = 0;
  /** What the last packet said, as long as it is not known to have failed. */
  #last: Uint8Array | undefined;

  constructor(to: Endpoint, queueBound: number) {
    this.to = to;
    this.queue = new BoundedQueue(queueBound);
  }

  /** Whether the endpoint has, or is about to have, what `says` says: it is told nothing twice (v1.03 section 6). */
  knows(says: Uint8Array | undefined): boolean {
    return says !== undefined && this.#last !== undefined && Buffer.compare(says, this.#last) === 0;
  }

  onSent({ says }: Outgoing): void {
    this.#last = says;
  }

  /** The packet was not taken: it may be sent again. */
  onNotTaken({ says }: Outgoing): void {
    if (this.#last === says) this.#last = undefined;
  }

  onConnectionEnd(): void {
    this.connection = undefined;
    this.#last = undefined;
  }
}
