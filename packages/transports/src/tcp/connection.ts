import type { Socket } from 'node:net';
import type { Endpoint } from '@tutti/core';
import { BoundedQueue } from '../transport/bounded.ts';
import { Backoff } from '../transport/pacing.ts';
import {
  decodeHello,
  encodeHello,
  type Frame,
  FrameDecoder,
  type Hello,
  maxHelloBytes,
  packetHeader,
  pingFrame,
  plainAddress,
  pongFrame,
  streamPreface,
} from './framing.ts';

/**
 * Reason why a connection ended: a normal end, too long without a packet, too long without a sign of life, or invalid
 * bytes from an untrusted peer.
 */
export type ConnectionEnd = 'ended' | 'idle' | 'stalled' | 'malformed';

/** Time limits of a connection. */
export interface ConnectionTimeouts {
  /** Time without a packet in either direction after which a connection is closed, ms. */
  readonly idleTimeoutMs: number;
  /**
   * Maximum time to wait for an opener's first frame, for an answer to a ping, and for the other side's end after this
   * side's end, ms. This is also the time without a received frame after which `probe` sends a ping.
   */
  readonly replyTimeoutMs: number;
}

/** Listeners of a connection. */
export interface ConnectionEvents {
  onPacket(connection: TcpConnection, from: Endpoint, bytes: Uint8Array): void;
  /** Called when the connection accepts packets again. */
  onWritable(connection: TcpConnection): void;
  /** Called once, when the connection has ended. */
  onEnd(connection: TcpConnection, end: ConnectionEnd): void;
}

/** The other side of a connection: its listening address, and the nonce of the side that opened the connection. */
export interface Counterpart {
  readonly endpoint: Endpoint;
  readonly nonce: bigint;
}

/**
 * One TCP connection, with frames in both directions and signs of life. The connection has no queue and rejects packets
 * that it cannot send immediately.
 */
export class TcpConnection {
  readonly openedByUs: boolean;
  /** Whether a packet on this connection was proven to come from the owner of the claimed endpoint. */
  vouched = false;
  readonly #socket: Socket;
  readonly #timeouts: ConnectionTimeouts;
  readonly #events: ConnectionEvents;
  readonly #decoder: FrameDecoder;
  #watchdog: NodeJS.Timeout;
  #counterpart: Counterpart | undefined;
  #reason: ConnectionEnd = 'ended';
  #finishing = false;
  #lastUsedMs = performance.now();
  #lastHeardMs = performance.now();
  #pingedMs: number | undefined;

  /**
   * @param opened the endpoint and this side's hello, if this side opened the connection; undefined if the other side
   * opened it.
   */
  constructor(
    socket: Socket,
    opened: { readonly to: Endpoint; readonly hello: Hello } | undefined,
    timeouts: ConnectionTimeouts,
    events: ConnectionEvents,
  ) {
    this.#socket = socket;
    this.#timeouts = timeouts;
    this.#events = events;
    this.openedByUs = opened !== undefined;
    // Before the opener has identified itself, this side stores no more than a hello.
    this.#decoder = new FrameDecoder(this.openedByUs ? undefined : maxHelloBytes);
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#onData(chunk));
    socket.on('drain', () => events.onWritable(this));
    // The reason for a failure is irrelevant: the connection is closed, and the next packet opens a new one.
    socket.on('error', () => {});
    socket.on('close', () => this.#onClose());
    socket.write(streamPreface);
    if (opened === undefined) this.#watchdog = this.#closeAfter(timeouts.replyTimeoutMs);
    else {
      this.#watchdog = this.#closeAfter(timeouts.idleTimeoutMs);
      this.#counterpart = { endpoint: opened.to, nonce: opened.hello.nonce };
      this.#writeFrame(encodeHello(opened.hello));
    }
  }

  /** The other side; undefined until the opener has identified itself. */
  get counterpart(): Counterpart | undefined {
    return this.#counterpart;
  }

  /** Whether the other side has proven that it uses this protocol. */
  get heard(): boolean {
    return this.#decoder.begun;
  }

  /** Time of the last packet in either direction, ms on the process's clock. */
  get lastUsedMs(): number {
    return this.#lastUsedMs;
  }

  /** Whether the connection accepts packets, now or later. */
  get open(): boolean {
    return !this.#finishing && this.#socket.writable;
  }

  /** Whether the connection accepts a packet now. */
  get writable(): boolean {
    return this.open && !this.#socket.writableNeedDrain;
  }

  write(packet: Uint8Array): void {
    this.#writeFrame(packet);
    this.#use();
  }

  /**
   * Sends a ping if no frame has arrived within the time limit. Drops the connection if no frame has arrived within the
   * time limit after a ping. A host that is disconnected from the network does not end its connections, and the
   * operating system detects this only after about 15 minutes.
   */
  probe(): void {
    const nowMs = performance.now();
    const { replyTimeoutMs } = this.#timeouts;
    if (this.#pingedMs !== undefined) {
      if (nowMs - this.#pingedMs >= replyTimeoutMs) this.destroy('stalled');
    } else if (nowMs - this.#lastHeardMs >= replyTimeoutMs && this.writable) {
      this.#pingedMs = nowMs;
      this.#socket.write(pingFrame);
    }
  }

  /**
   * Ends the connection after all written data has been sent. Packets that arrive before the end are still delivered.
   */
  finish(): void {
    if (this.#finishing) return;
    this.#finishing = true;
    this.#socket.end();
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.destroy('stalled'), this.#timeouts.replyTimeoutMs).unref();
  }

  /** Drops the connection and all data in transit on it. */
  destroy(reason: ConnectionEnd): void {
    this.#reason = reason;
    this.#socket.destroy();
  }

  #writeFrame(packet: Uint8Array): void {
    this.#socket.cork();
    this.#socket.write(packetHeader(packet.length));
    this.#socket.write(packet);
    this.#socket.uncork();
  }

  #use(): void {
    this.#lastUsedMs = performance.now();
    if (!this.#finishing) this.#watchdog.refresh();
  }

  #onData(chunk: Uint8Array): void {
    const decoded = this.#decoder.push(chunk);
    if (!decoded.ok) this.destroy('malformed');
    else if (decoded.frames.length > 0) this.#onFrames(decoded.frames);
  }

  #onFrames(frames: readonly Frame[]): void {
    this.#lastHeardMs = performance.now();
    this.#pingedMs = undefined;
    for (const frame of frames) {
      if (this.#socket.destroyed) return;
      if (this.#counterpart === undefined) this.#onFirstFrame(frame);
      else if (typeof frame !== 'string') {
        this.#use();
        this.#events.onPacket(this, this.#counterpart.endpoint, frame);
      }
    }
    // All ping requests in one read get a single answer, and none while answers accumulate, so that a flood of requests
    // is not amplified.
    if (frames.includes('ping') && this.writable) this.#socket.write(pongFrame);
  }

  #onFirstFrame(frame: Frame): void {
    const hello = typeof frame === 'string' ? undefined : decodeHello(frame);
    if (hello === undefined) {
      this.destroy('malformed');
      return;
    }
    const host = hello.host || plainAddress(this.#socket.remoteAddress ?? '');
    this.#counterpart = { endpoint: { host, port: hello.port }, nonce: hello.nonce };
    clearTimeout(this.#watchdog);
    this.#watchdog = this.#closeAfter(this.#timeouts.idleTimeoutMs);
  }

  #closeAfter(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => this.#onSilence(), delayMs).unref();
  }

  /**
   * Ends an idle connection. An idle connection with a partial packet in either direction, or with an unidentified
   * opener, is dropped.
   */
  #onSilence(): void {
    const whole = this.#counterpart !== undefined && this.#decoder.heldBytes === 0 && this.#socket.writableLength === 0;
    if (whole) {
      this.#reason = 'idle';
      this.finish();
    } else this.destroy('stalled');
  }

  #onClose(): void {
    clearTimeout(this.#watchdog);
    this.#events.onEnd(this, this.#reason);
  }
}

/** The route to one endpoint: waiting packets, connections, and the time of the next connection attempt. */
export class TcpRoute {
  readonly to: Endpoint;
  readonly queue: BoundedQueue<Uint8Array>;
  readonly backoff = new Backoff();
  /** Cancels the current attempt to open a connection. */
  attempt: AbortController | undefined;
  /** The connection that this side opened. */
  opened: TcpConnection | undefined;
  /** The connection opened by the endpoint, once a packet has proven the endpoint's identity. */
  accepted: TcpConnection | undefined;

  constructor(to: Endpoint, queueBound: number) {
    this.to = to;
    this.queue = new BoundedQueue(queueBound);
  }

  /**
   * Returns the connection for writing. If both sides opened a connection, both keep the one with the smaller nonce,
   * and the opener of the other connection ends it. Both sides know both nonces, and therefore make the same choice.
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
   * Removes a connection that has ended. A connection that this side opened and on which the other side never answered
   * counts as a failure.
   */
  release(connection: TcpConnection, nowMs: number): void {
    if (this.accepted === connection) this.accepted = undefined;
    if (this.opened !== connection) return;
    this.opened = undefined;
    if (connection.heard) this.backoff.onSuccess();
    else this.backoff.onFailure(nowMs);
  }

  /** Whether the route has no state, so that it can be removed. */
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
