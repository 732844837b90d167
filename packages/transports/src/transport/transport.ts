import { mistaken, requireBytes, requireMethods, requireObject, requireText } from '@tutti/core/input';
import type { Endpoint } from '@tutti/core/registry';

/**
 * Called with a packet, whole, and the address it claims to come from, which nobody has checked.
 *
 * Returning `true` vouches for that address: the packet is fresh, and proven to be from the node that the registry
 * lists there. A transport with connections then answers on the one that the packet came by; without it, it trusts no
 * connection but those it opened itself, or an untrusted peer could claim an address and draw off all that is sent
 * there. Everything else that a listener returns means nothing.
 */
export type PacketListener = (bytes: Uint8Array, from: Endpoint) => unknown;

/**
 * Carries packets between endpoints, as the internet does: a packet may be lost, doubled or overtaken, but never cut or
 * joined. A transport trusts nobody and protects nothing: what it delivers is hostile until the channel has opened it.
 */
export interface Transport {
  /** Where this end is reached, as far as it knows. */
  readonly local: Endpoint;
  /** The longest packet that `send` takes, bytes. What arrives may be longer: the channel refuses it. */
  readonly maxPacketBytes: number;
  readonly counters: Readonly<TransportCounters>;

  /** Gives all packets from now on to `listener`; before the first call packets are counted as unheard and dropped. */
  onPacket(listener: PacketListener): void;

  /**
   * Sends a packet, never in the caller's turn. The caller leaves the bytes alone from here on.
   *
   * @throws RangeError when the packet is empty or longer than `maxPacketBytes`; TypeError unless it is given an address
   *   and a packet.
   */
  send(to: Endpoint, bytes: Uint8Array): void;

  /** Stops: nothing is delivered or sent once this was called. Resolves when the address is free again. */
  close(): Promise<void>;
}

/** What a transport carried since it was opened. */
export interface TransportCounters {
  packetsSent: number;
  bytesSent: number;
  packetsReceived: number;
  bytesReceived: number;
  /** Packets that were dropped from a full queue, the oldest first, because more came than could be sent. */
  queueDropped: number;
  /** Packets that the system refused to send. */
  sendErrors: number;
  /** Packets that arrived before anybody listened. */
  unheard: number;
  /** What arrived and was not a packet of this transport; the connection that carried it was dropped. */
  malformed: number;
}

export function noPackets(): TransportCounters {
  return {
    packetsSent: 0,
    bytesSent: 0,
    packetsReceived: 0,
    bytesReceived: 0,
    queueDropped: 0,
    sendErrors: 0,
    unheard: 0,
    malformed: 0,
  };
}

/**
 * Path MTU that holds practically everywhere (IPv6 guarantees 1280 bytes with headers): a longer datagram would be
 * fragmented, and one lost fragment loses it.
 */
export const defaultMaxPacketBytes = 1200;

/** @throws TypeError unless it is given an address and a packet; RangeError when the packet is empty or too long. */
export function assertSendable(to: Endpoint, bytes: Uint8Array, maxPacketBytes: number): void {
  requireAddress('to', to);
  requireBytes('packet', bytes);
  if (bytes.length < 1 || bytes.length > maxPacketBytes)
    throw new RangeError(`packet: expected 1 to ${maxPacketBytes} bytes, got ${bytes.length}`);
}

/** @throws TypeError unless `value` is an address, as a transport takes it. */
function requireAddress(label: string, value: unknown): void {
  requireObject(label, value, 'an object with host and port');
  const { host, port } = value as { readonly host: unknown; readonly port: unknown };
  requireText(`${label}.host`, host);
  if (!Number.isInteger(port)) throw mistaken(`${label}.port`, 'an integer', port);
}

/** @throws TypeError unless `value` is a transport, as far as can be seen. */
export function requireTransport(label: string, value: unknown): void {
  requireMethods(label, value, ['onPacket', 'send', 'close']);
}
