import type { Endpoint } from '@tutti/core';
import { Backoff } from '../transport/backoff.ts';
import { BoundedQueue } from '../transport/boundedQueue.ts';
import type { TcpConnection } from './connection.ts';

/** The route to one endpoint: waiting packets, connections, and the time of the next attempt. */
export class TcpRoute {
  readonly to: Endpoint;
  readonly queue: BoundedQueue<Uint8Array>;
  readonly backoff = new Backoff();
  /** Cancels the attempt to open a connection that is in progress. */
  attempt: AbortController | undefined;
  /** The connection that this side opened. */
  opened: TcpConnection | undefined;
  /** The connection that the endpoint opened, after a packet has proven that it was the endpoint. */
  accepted: TcpConnection | undefined;

  constructor(to: Endpoint, queueBound: number) {
    this.to = to;
    this.queue = new BoundedQueue(queueBound);
  }

  /**
   * Returns the connection for writing. If both sides opened one, both keep the one with the smaller nonce, and its
   * opener ends the other one. Both sides know both nonces and make the same choice.
   */
  connection(): TcpConnection | undefined {
    const opened = this.opened?.open ? this.opened : undefined;
    const accepted = this.accepted?.open ? this.accepted : undefined;
    if (opened === undefined || accepted === undefined) return opened ?? accepted;
    if (opened.counterpart!.nonce <= accepted.counterpart!.nonce) return opened;
    opened.finish();
    return accepted;
  }

  /**
   * Removes a connection that has ended. A connection that this side opened and that never answered counts as a
   * failure.
   */
  release(connection: TcpConnection, nowMs: number): void {
    if (this.accepted === connection) this.accepted = undefined;
    if (this.opened !== connection) return;
    this.opened = undefined;
    if (connection.heard) this.backoff.onSuccess();
    else this.backoff.onFailure(nowMs);
  }

  /** Whether the route holds no state and can be removed. */
  get idle(): boolean {
    return (
      this.queue.length === 0 &&
      this.attempt === undefined &&
      this.opened === undefined &&
      this.accepted === undefined &&
      !this.backoff.failing
    );
  }
}
