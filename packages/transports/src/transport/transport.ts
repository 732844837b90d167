import type { Endpoint } from '@tutti/core';
import { mistaken, requireBytes, requireMethods, requireObject, requireText } from '@tutti/core/input';

/**
 * Called with a whole packet and its claimed, unchecked source address.
 *
 * The return value `true` vouches for that address: the packet is fresh, and proven to come from the node that the
 * registry lists there. A connection-oriented transport then answers on the packet's connection. Otherwise it trusts
 * only connections that it opened itself, because an untrusted peer could claim an address and receive its packets. Any
 * other return value has no effect.
 */
export type PacketListener = (bytes: Uint8Array, from: Endpoint) => unknown;

/**
 * Carries packets between endpoints, as the internet does: a packet may be lost, duplicated or overtaken, but never
 * split or joined. A transport trusts no peer and protects nothing: its packets are untrusted until the channel has
 * opened them.
 */
export interface Transport {
  /** Address of this end, as far as the transport knows it. */
  readonly local: Endpoint;
  /** Maximum length of a packet for `send`, bytes. A longer one may arrive; the channel rejects it. */
  readonly maxPacketBytes: number;
  readonly counters: Readonly<TransportCounters>;

  /**
   * Passes all packets from now on to `listener`. Before the first call, packets are counted as unheard and dropped.
   */
  onPacket(listener: PacketListener): void;

  /**
   * Sends a packet, always in a later turn of the event loop. The caller must not change the bytes afterwards.
   *
   * @throws RangeError if the packet is empty or longer than `maxPacketBytes`; TypeError unless the arguments are an
   * address and a packet.
   */
  send(to: Endpoint, bytes: Uint8Array): void;

  /** Stops the transport. No packet is delivered or sent after this call. Resolves when the address is free again. */
  close(): Promise<void>;
}

/** Counters of a transport since it was opened. */
export interface TransportCounters {
  packetsSent: number;
  bytesSent: number;
  packetsReceived: number;
  bytesReceived: number;
  /** Number of packets dropped from a full queue, the oldest first. */
  queueDropped: number;
  /** Number of packets that the system rejected. */
  sendErrors: number;
  /** Number of packets that arrived before there was a listener. */
  unheard: number;
  /** Number of inputs that were not packets of this transport. Their connections were dropped. */
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
 * Default maximum length of a packet, bytes: a path MTU that holds almost everywhere (IPv6 guarantees 1,280 bytes
 * including headers). A longer datagram would be fragmented, and lost if any of its fragments is lost.
 */
export const defaultMaxPacketBytes = 1200;

/**
 * @throws TypeError unless the arguments are an address and a packet; RangeError if the packet is empty or too long.
 */
export function assertSendable(to: Endpoint, bytes: Uint8Array, maxPacketBytes: number): void {
  requireAddress('to', to);
  requireBytes('packet', bytes);
  if (bytes.length < 1 || bytes.length > maxPacketBytes)
    throw new RangeError(`packet: expected 1 to ${maxPacketBytes} bytes, got ${bytes.length}`);
}

/** @throws TypeError unless `value` is an address of a transport. */
function requireAddress(label: string, value: unknown): void {
  requireObject(label, value, 'an object with host and port');
  const { host, port } = value as { readonly host: unknown; readonly port: unknown };
  requireText(`${label}.host`, host);
  if (!Number.isInteger(port)) throw mistaken(`${label}.port`, 'an integer', port);
}

/** Checks that a value has the methods of a transport. @throws TypeError for any other value. */
export function requireTransport(label: string, value: unknown): void {
  requireMethods(label, value, ['onPacket', 'send', 'close']);
}
