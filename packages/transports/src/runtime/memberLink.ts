import type { Endpoint } from '@tutti/core';
import { requireMethods, requireObject } from '@tutti/core/input';
import { type Channel, isBoundToIncarnation } from '../channel/channel.ts';
import { Reassembly, splitMessage } from '../channel/fragments.ts';
import type { Counts, Refusal } from '../refusals.ts';
import { endpointKey, requireTransport, type Transport } from '../transport/transport.ts';

/** Byte counters of sealed packets, without IP and UDP headers. */
export interface LinkCounts {
  /** Number of bytes sent, including answers about this node's incarnation. */
  bytesSent: number;
  /** Number of bytes in genuine packets of this session. */
  bytesReceived: number;
}

/** Options of a {@link MemberLink}. */
export interface MemberLinkOptions {
  /** Address of each member. */
  readonly endpoints: readonly Endpoint[];
  readonly transport: Transport;
  readonly channel: Channel;
  /** Length of the longest message that a member sends, bytes. */
  readonly maxMessageBytes: number;
  /** Counters that the link updates. */
  readonly counts: LinkCounts;
  /** Counts the rejections by the channel and the reassembly. */
  readonly refused: Counts<Refusal>;
  /** Called with each complete, authenticated message from a member. */
  readonly onMessage: (member: number, bytes: Uint8Array) => void;
}

/**
 * Exchanges complete messages with the other members of a session, by means of a transport, the channel and the
 * reassembly.
 */
export class MemberLink {
  readonly #options: MemberLinkOptions;
  readonly #reassembly: Reassembly;
  #closed = false;

  /** @throws TypeError for a missing option or an option of the wrong type. */
  constructor(options: MemberLinkOptions) {
    requireObject('options', options);
    const { channel, maxMessageBytes, refused, transport } = options;
    requireTransport('transport', transport);
    requireMethods('channel', channel, ['open', 'seal', 'nextNumber']);
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

  /** Opens a packet. @returns whether the packet proves its sender's address. */
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
    const { from, payload } = opened;
    const message = payload.length > 0 ? this.#reassembly.take(from, payload) : undefined;
    if (message !== undefined) onMessage(from, message);
    return vouchesFor(endpoints, from, bytes, address);
  }
}

/**
 * Addresses that several entries of a registry share, keyed by the registry's list of addresses. The runtimes of a
 * process share this list.
 */
const sharedByRegistry = new WeakMap<readonly Endpoint[], ReadonlySet<string>>();

/**
 * Returns whether a packet that the channel opened proves that its sender is at `address`; see `PacketListener`. The
 * packet must meet two conditions: the registry lists its sender, and no other member, at that address; and the packet
 * is not a replay of one sent to an earlier incarnation of this node.
 *
 * Registration of an address does not prove its ownership. If an address with several owners counted as proven, a
 * member could register another member's address and replace its connection.
 *
 * @param endpoints address of each registry entry; constant. @param from the sender's registry index.
 */
export function vouchesFor(
  endpoints: readonly Endpoint[],
  from: number,
  packet: Uint8Array,
  { host, port }: Endpoint,
): boolean {
  const own = endpoints[from]!;
  if (!isBoundToIncarnation(packet) || own.host !== host || own.port !== port) return false;
  const shared = sharedByRegistry.get(endpoints) ?? sharedAddresses(endpoints);
  sharedByRegistry.set(endpoints, shared);
  return !shared.has(endpointKey(own));
}

function sharedAddresses(endpoints: readonly Endpoint[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(
    endpoints.map(endpointKey).filter((address) => {
      const isShared = seen.has(address);
      seen.add(address);
      return isShared;
    }),
  );
}
