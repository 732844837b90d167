import type { Endpoint } from '@tutti/core';
import { requireBytes } from '@tutti/core/input';
import { claimedBy, markOf, screenPacket, sessionBytes } from '../channel/channel.ts';
import { Counts, type Refusal } from '../refusals.ts';
import { type PacketListener, requireTransport, type Transport } from '../transport/transport.ts';

/**
 * One transport shared by the sessions of many rounds. Each session has a view of the transport that receives only the
 * session's packets. Packets of no open session are counted and dropped. Packets of a session whose transport has no
 * listener are only dropped.
 */
export class SharedTransport {
  readonly #transport: Transport;
  readonly #views = new Set<SessionView>();
  readonly #strays = new Counts<Refusal>();
  readonly #onStray: (packet: Uint8Array) => void;

  /**
   * @param transport transport that this object owns; no other code may listen to it.
   * @param onStray called with each well-formed packet that belongs to no open session.
   */
  constructor(transport: Transport, onStray: (packet: Uint8Array) => void = () => {}) {
    requireTransport('transport', transport);
    this.#transport = transport;
    this.#onStray = onStray;
    transport.onPacket((packet, from) => this.#onPacket(packet, from));
  }

  /**
   * Returns a transport for one session. Closing the session's transport leaves the shared transport open.
   *
   * @param session session identifier, 32 bytes, from `sessionId`.
   * @throws RangeError for an identifier of another length; TypeError for a value that is not bytes.
   */
  open(session: Uint8Array): Transport {
    requireBytes('session', session);
    if (session.length !== sessionBytes)
      throw new RangeError(`session: expected ${sessionBytes} bytes, got ${session.length}`);
    const view = new SessionView(this.#transport, session, () => this.#views.delete(view));
    this.#views.add(view);
    return view;
  }

  /** Number of packets that belong to no open session, by the code that the channel would use. */
  get strays(): Record<string, number> {
    return this.#strays.toRecord();
  }

  close(): Promise<void> {
    this.#views.clear();
    return this.#transport.close();
  }

  #onPacket(packet: Uint8Array, from: Endpoint): unknown {
    const refusal = screenPacket(packet, this.#transport.maxPacketBytes);
    if (refusal === undefined) {
      const { mark } = claimedBy(packet);
      for (const view of this.#views) if (view.mark === mark) return view.listener?.(packet, from);
      this.#onStray(packet);
    }
    this.#strays.add(refusal ?? 'wrong-session');
    return false;
  }
}

/** Transport of one session. */
class SessionView implements Transport {
  /** Prefix of the session's identifier in packets. */
  readonly mark: number;
  listener: PacketListener | undefined;
  readonly #transport: Transport;
  readonly #forget: () => void;
  #closed = false;

  constructor(transport: Transport, session: Uint8Array, forget: () => void) {
    this.#transport = transport;
    this.mark = markOf(session);
    this.#forget = forget;
  }

  get local(): Endpoint {
    return this.#transport.local;
  }

  get maxPacketBytes(): number {
    return this.#transport.maxPacketBytes;
  }

  /** Counters of all sessions together. */
  get counters(): Transport['counters'] {
    return this.#transport.counters;
  }

  onPacket(listener: PacketListener): void {
    this.listener = listener;
  }

  /** Sends a packet, unless this view of the transport is closed. */
  send(to: Endpoint, bytes: Uint8Array): void {
    if (!this.#closed) this.#transport.send(to, bytes);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.listener = undefined;
    this.#forget();
  }
}
