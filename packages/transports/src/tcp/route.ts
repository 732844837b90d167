import type { Endpoint } from '@tutti/core/registry';
import { Backoff } from '../transport/backoff.ts';
import { BoundedQueue } from '../transport/boundedQueue.ts';
import type { TcpConnection } from './connection.ts';

/** The way to one endpoint: what waits to go there, the connections that lead there, and when to try again. */
export class TcpRoute {
  readonly to: Endpoint;
  readonly queue: BoundedQueue<Uint8Array>;
  readonly backoff = new Backoff();
  /** Cancels the attempt to open a connection that is under way. */
  attempt: AbortController | undefined;
  /** The connection that we opened. */
  opened: TcpConnection | undefined;
  /** The connection that the endpoint opened, once a packet has proven that it was the endpoint. */
  accepted: TcpConnection | undefined;

  constructor(to: Endpoint, queueBound: number) {
    this.to = to;
    this.queue = new BoundedQueue(queueBound);
  }

  /**
   * The connection to write to. Where each side opened one, both keep that of the lesser nonce, and its opener ends the
   * other's: the two sides know both nonces, and choose alike.
   */
  connection(): TcpConnection | undefined {
    const opened = this.opened?.open ? this.opened : undefined;
    const accepted = this.accepted?.open ? this.accepted : undefined;
    if (opened === undefined || accepted === undefined) return opened ?? accepted;
    if (opened.counterpart!.nonce <= accepted.counterpart!.nonce) return opened;
    opened.finish();
    return accepted;
  }

  /** Forgets a connection that has ended; one that we opened and that never answered failed after all. */
  release(connection: TcpConnection, nowMs: number): void {
    if (this.accepted === connection) this.accepted = undefined;
    if (this.opened !== connection) return;
    this.opened = undefined;
    if (connection.heard) this.backoff.onSuccess();
    else this.backoff.onFailure(nowMs);
  }

  /** Whether nothing is worth remembering. */
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
