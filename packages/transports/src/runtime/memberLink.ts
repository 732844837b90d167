import type { Endpoint } from '@tutti/core';
import type { Channel } from '../channel/channel.ts';
import { Reassembly, splitMessage } from '../channel/fragments.ts';
import { vouchesFor } from '../channel/vouching.ts';
import type { Counts } from '../counts.ts';
import type { Refusal } from '../refusals.ts';
import type { Transport } from '../transport/transport.ts';

/** Byte counters of sealed packets, without IP and UDP headers. */
export interface LinkCounts {
  bytesSent: number;
  /** Number of bytes in genuine packets of this session. */
  bytesReceived: number;
}

export interface MemberLinkOptions {
  /** Address of each member. */
  readonly endpoints: readonly Endpoint[];
  readonly transport: Transport;
  readonly channel: Channel;
  /** Length of the longest message of a member, bytes. */
  readonly maxMessageBytes: number;
  readonly counts: LinkCounts;
  /** Counts the rejections by the channel and the reassembly. */
  readonly refused: Counts<Refusal>;
  /** Called with each whole, authenticated message of a member. */
  readonly onMessage: (member: number, bytes: Uint8Array) => void;
}

/** Exchanges whole messages with the other members of a session, using a transport, the channel and the reassembly. */
export class MemberLink {
  readonly #options: MemberLinkOptions;
  readonly #reassembly: Reassembly;
  #closed = false;

  constructor(options: MemberLinkOptions) {
    const { maxMessageBytes, refused, transport } = options;
    this.#options = options;
    this.#reassembly = new Reassembly({ maxMessageBytes, onRefused: (code) => refused.add(code) });
    transport.onPacket((bytes, from) => this.#onPacket(bytes, from));
  }

  /** Seals and sends a message. Does nothing after the link is closed. */
  send(member: number, message: Uint8Array): void {
    if (this.#closed) return;
    const { channel } = this.#options;
    for (const payload of splitMessage(message, channel.maxPayloadBytes, channel.nextNumber(member)))
      this.#sendPacket(member, channel.seal(member, payload));
  }

  /** Closes the transport. No message is delivered after this call. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#options.transport.close();
  }

  #sendPacket(member: number, packet: Uint8Array): void {
    const { counts, endpoints, transport } = this.#options;
    counts.bytesSent += packet.length;
    transport.send(endpoints[member]!, packet);
  }

  /** Opens a packet. @returns whether the packet proves the address of its sender. */
  #onPacket(bytes: Uint8Array, address: Endpoint): boolean {
    if (this.#closed) return false;
    const { channel, counts, endpoints, onMessage, refused } = this.#options;
    const opened = channel.open(bytes);
    if (!opened.ok) {
      refused.add(opened.code);
      const { answer } = opened;
      if (answer !== undefined) this.#sendPacket(answer.to, answer.packet);
      return false;
    }
    counts.bytesReceived += bytes.length;
    const says = opened.payload.length > 0;
    const message = says ? this.#reassembly.take(opened.from, opened.payload) : undefined;
    if (message !== undefined) onMessage(opened.from, message);
    return vouchesFor(endpoints, opened.from, bytes, address);
  }
}
