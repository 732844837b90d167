import type { Endpoint } from '@tutti/core';
import {
  durations,
  integers,
  mistaken,
  requireBytes,
  requireIn,
  requireMethods,
  requireObject,
  requireText,
  type Setting,
  type SettingsOf,
  WorldError,
} from '@tutti/core/input';

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

/** Setting of a port. Numeric options common to several transports are here; each transport has its own table. */
export const portSetting: Setting<number> = {
  default: 0,
  range: integers(0, 65_535),
  about: 'port to listen on; 0 selects a free port',
};

export function packetSetting(max = 2 ** 20): Setting<number> {
  return { default: defaultMaxPacketBytes, range: integers(1, max), about: 'maximum packet size, bytes' };
}

export function queueSetting(
  standing: number,
  about = 'maximum number of packets waiting to be sent',
): Setting<number> {
  return { default: standing, range: integers(1, 2 ** 20), about };
}

/** Range of waiting times of connections, ms. The maximum is that of timers. */
export const waits = durations(1, 2 ** 31 - 1);

/**
 * Returns the options of a table: the given values, and defaults for the others.
 *
 * @throws RangeError that names the invalid option.
 */
export function filledIn<S extends object>(given: S, settings: SettingsOf<S>): Required<S> {
  const rows = Object.entries<Setting<unknown>>(settings as Readonly<Record<string, Setting<unknown>>>);
  const values = rows.map(([name, { default: standing, range }]) => {
    const value = (given as Readonly<Record<string, unknown>>)[name] ?? standing;
    requireIn(name, value, range);
    return [name, value];
  });
  return Object.fromEntries(values) as Required<S>;
}

/**
 * Checks the address of a listening socket. The system would silently replace a port over 65,535 with another one.
 *
 * @throws TypeError for a host that is not a text; RangeError for an invalid port.
 */
export function requireEndpoint(options: { readonly host: string; readonly port?: number }): void {
  const { host, port = portSetting.default } = options ?? {};
  if (typeof host !== 'string' || host === '')
    throw new TypeError(`host: expected an address such as 127.0.0.1, got ${host === '' ? '""' : String(host)}`);
  requireIn('port', port, portSetting.range);
}

/**
 * Returns the error for a socket that could not be bound: `address-in-use`, `address-unavailable` or `socket-failed`.
 */
export function listenError(transport: string, cause: unknown, host: string, port: number): WorldError {
  const code = (cause as { readonly code?: string } | undefined)?.code;
  const where = `${transport} ${host}:${port}`;
  if (code === 'EADDRINUSE')
    return new WorldError('address-in-use', `${where} is in use; choose another port, or 0 for a free port`, { cause });
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new WorldError('address-unavailable', `${where}: expected an address of this machine, got another address`, {
      cause,
    });
  return new WorldError('socket-failed', `${where} could not be opened (${code ?? String(cause)})`, { cause });
}

/**
 * Returns the same bytes as a plain Uint8Array. A Node Buffer is also a Uint8Array, but its `slice` shares the bytes,
 * while that of a Uint8Array copies them. This package returns no Buffers, so that a caller's copy is really a copy.
 */
export function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}
