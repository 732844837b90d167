import type { Endpoint } from '@tutti/core';
import { noPackets, type PacketListener, type Transport, type TransportCounters } from './transport.ts';

/** Common part of transports: the counters, the listener, and whether the transport is open or closed. */
export abstract class CountedTransport implements Transport {
  readonly local: Endpoint;
  readonly maxPacketBytes: number;
  readonly counters: TransportCounters = noPackets();
  protected closed = false;
  #listener: PacketListener | undefined;

  constructor(local: Endpoint, maxPacketBytes: number) {
    this.local = local;
    this.maxPacketBytes = maxPacketBytes;
  }

  onPacket(listener: PacketListener): void {
    this.#listener = listener;
  }

  abstract send(to: Endpoint, bytes: Uint8Array): void;

  abstract close(): Promise<void>;

  /** Counts a sent packet. */
  protected countSent(bytes: number): void {
    this.counters.packetsSent++;
    this.counters.bytesSent += bytes;
  }

  /**
   * Counts a packet that has arrived, and passes it to the listener. A closed transport ignores the packet.
   *
   * @returns whether the listener vouches for the sender; see {@link PacketListener}.
   */
  protected receive(bytes: Uint8Array, from: Endpoint): boolean {
    if (this.closed) return false;
    this.counters.packetsReceived++;
    this.counters.bytesReceived += bytes.length;
    if (this.#listener === undefined) this.counters.unheard++;
    return this.#listener?.(bytes, from) === true;
  }
}
