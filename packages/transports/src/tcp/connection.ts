import type { Socket } from 'node:net';
import type { Endpoint } from '@tutti/core/registry';
import { type Frame, FrameDecoder, packetHeader, pingFrame, pongFrame, streamPreface } from './framing.ts';
import { decodeHello, encodeHello, type Hello, maxHelloBytes, plainAddress } from './hello.ts';

/**
 * Why a connection ended: an honest end, too long without a packet, too long without a sign of life, an untrusted
 * peer's bytes.
 */
export type ConnectionEnd = 'ended' | 'idle' | 'stalled' | 'malformed';

export interface ConnectionTimeouts {
  /** A connection without a packet in either direction for so long is closed. */
  readonly idleTimeoutMs: number;
  /** The longest wait for an opener's first frame, for an answer to a ping, and for the other side's end after ours. */
  readonly replyTimeoutMs: number;
}

export interface ConnectionEvents {
  onPacket(connection: TcpConnection, from: Endpoint, bytes: Uint8Array): void;
  /** The connection takes packets again. */
  onWritable(connection: TcpConnection): void;
  /** Called once. */
  onEnd(connection: TcpConnection, end: ConnectionEnd): void;
}

/** The other side of a connection: where it listens, and the nonce of the side that opened the connection. */
export interface Counterpart {
  readonly endpoint: Endpoint;
  readonly nonce: bigint;
}

/**
 * One TCP connection: frames in both directions and signs of life. It holds no queue: what it does not take now, it
 * does not take.
 */
export class TcpConnection {
  readonly openedByUs: boolean;
  /** Whether a packet that came by this connection was proven to be from the owner of the claimed endpoint. */
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
   * @param opened whom we reached and what we say of ourselves; undefined when the other side opened the connection.
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
    // Whoever opened a connection says who it is before it may make us hold more than that.
    this.#decoder = new FrameDecoder(this.openedByUs ? undefined : maxHelloBytes);
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#onData(chunk));
    socket.on('drain', () => events.onWritable(this));
    // Why a connection failed does not matter: it is closed, and the next packet opens another.
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

  /** Undefined until the opener has introduced itself. */
  get counterpart(): Counterpart | undefined {
    return this.#counterpart;
  }

  /** Whether the other side turned out to be one of ours. */
  get heard(): boolean {
    return this.#decoder.begun;
  }

  /** When a packet last came or went, ms of the process's clock. */
  get lastUsedMs(): number {
    return this.#lastUsedMs;
  }

  /** Whether it takes packets, now or later. */
  get open(): boolean {
    return !this.#finishing && this.#socket.writable;
  }

  /** Whether it takes a packet now. */
  get writable(): boolean {
    return this.open && !this.#socket.writableNeedDrain;
  }

  write(packet: Uint8Array): void {
    this.#writeFrame(packet);
    this.#use();
  }

  /**
   * Asks for a sign of life if none came for as long as one may take, and gives the connection up if the last question
   * got no answer: a host that lost its cable ends no connection, and the system notices after a quarter of an hour.
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

  /** Ends the connection once everything written has been sent; what arrives until then is still delivered. */
  finish(): void {
    if (this.#finishing) return;
    this.#finishing = true;
    this.#socket.end();
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.destroy('stalled'), this.#timeouts.replyTimeoutMs).unref();
  }

  /** Drops the connection and all that is under way on it. */
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
    // One answer for all questions of a read, and none where answers pile up: a flood of questions has no echo.
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
   * An idle connection is ended; one with half a packet in either direction, or whose opener is unknown, is dropped.
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
