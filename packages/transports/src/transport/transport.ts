import type { Endpoint } from '@tutti/core';
import {
  durations,
  EnvironmentError,
  integers,
  requireBytes,
  requireIn,
  requireMethods,
  requireObject,
  requireText,
  type Setting,
  type SettingsOf,
  wrongType,
} from '@tutti/core/input';

/**
 * Called with each complete packet and its claimed, unchecked source address.
 *
 * The return value `true` vouches for that address: the packet is fresh, and is proven to come from the node that the
 * registry lists at that address. A connection-oriented transport then sends answers on the packet's connection.
 * Without such proof, it trusts only connections that it opened itself, because an untrusted peer could claim another
 * node's address and receive that node's packets. Any other return value has no effect.
 */
export type PacketListener = (bytes: Uint8Array, from: Endpoint) => unknown;

/**
 * Carries packets between endpoints with the guarantees of the internet: a packet may be lost, duplicated or overtaken,
 * but is never split or joined. A transport trusts no peer and provides no protection: packets are untrusted until the
 * channel has opened them.
 */
export interface Transport {
  /** Address of this end, as far as the transport knows it. */
  readonly local: Endpoint;
  /** Maximum length of a packet for `send`, bytes. Longer packets may arrive; the channel rejects them. */
  readonly maxPacketBytes: number;
  readonly counters: Readonly<TransportCounters>;

  /**
   * Passes all packets from now on to `listener`. Before the first call, packets are counted as unheard and dropped.
   */
  onPacket(listener: PacketListener): void;

  /**
   * Sends a packet, always in a later turn of the event loop. The caller must not change the packet's bytes afterwards.
   *
   * @throws RangeError if the packet is empty or longer than `maxPacketBytes`; TypeError if the arguments are not an
   * address and a packet.
   */
  send(to: Endpoint, bytes: Uint8Array): void;

  /**
   * Stops the transport. No packet is delivered or sent after this call. The returned promise resolves when the address
   * is free again.
   */
  close(): Promise<void>;
}

/** Counters of a transport since it was opened. */
export interface TransportCounters {
  packetsSent: number;
  bytesSent: number;
  packetsReceived: number;
  bytesReceived: number;
  /** Number of packets dropped because a queue was full, the oldest first. */
  queueDropped: number;
  /** Number of packets that could not be sent because the operating system prevented it or there was no connection. */
  sendErrors: number;
  /** Number of packets that arrived before a listener was set. */
  unheard: number;
  /**
   * Number of inputs that were not packets of this transport. TCP also closes the connection on which such an input
   * arrived.
   */
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
 * Default maximum length of a packet, bytes, which fits into the path MTU almost everywhere (IPv6 guarantees 1,280
 * bytes including headers). A longer datagram would be fragmented, and would be lost if any fragment is lost.
 */
export const defaultMaxPacketBytes = 1200;

/**
 * Checks the arguments of `send`.
 *
 * @throws TypeError if the arguments are not an address and a packet; RangeError if the packet is empty or too long.
 */
export function requireSendable(to: Endpoint, bytes: Uint8Array, maxPacketBytes: number): void {
  requireObject('to', to, 'an object with host and port');
  requireText('to.host', to.host);
  if (!Number.isInteger(to.port)) throw wrongType('to.port', 'an integer', to.port);
  requireBytes('packet', bytes);
  if (bytes.length < 1 || bytes.length > maxPacketBytes)
    throw new RangeError(`packet: expected 1 to ${maxPacketBytes} bytes, got ${bytes.length}`);
}

/** Returns the text by which addresses are compared. */
export function endpointKey({ host, port }: Endpoint): string {
  return `${host} ${port}`;
}

/** Checks that a value has the methods of a transport. @throws TypeError for any other value. */
export function requireTransport(label: string, value: unknown): void {
  requireMethods(label, value, ['onPacket', 'send', 'close']);
}

/** Range and default of the port of a listening socket. */
export const portSetting: Setting<number> = {
  default: 0,
  range: integers(0, 65_535),
  about: 'port to listen on; 0 selects a free port',
};

/** Returns the range and the default of `maxPacketBytes`. */
export function packetSetting(max = 2 ** 20): Setting<number> {
  return { default: defaultMaxPacketBytes, range: integers(1, max), about: 'maximum packet size, bytes' };
}

/** Returns the range of `queueBound`, with a transport's own default. */
export function queueSetting(
  byDefault: number,
  about = 'maximum number of packets waiting to be sent',
): Setting<number> {
  return { default: byDefault, range: integers(1, 2 ** 20), about };
}

/** Range of waiting times of connections, ms. The upper limit is the maximum delay of a timer. */
export const waits = durations(1, 2 ** 31 - 1);

/**
 * Returns a table's options: the given values, and the defaults for all others.
 *
 * @throws RangeError that names the invalid option.
 */
export function filledIn<S extends object>(given: S, settings: SettingsOf<S>): Required<S> {
  const rows = Object.entries<Setting<unknown>>(settings as Readonly<Record<string, Setting<unknown>>>);
  const values = rows.map(([name, { default: byDefault, range }]) => {
    const value = (given as Readonly<Record<string, unknown>>)[name] ?? byDefault;
    requireIn(name, value, range);
    return [name, value];
  });
  return Object.fromEntries(values) as Required<S>;
}

/**
 * Checks the host of a listening socket.
 *
 * @throws TypeError if the options have no host, or the host is not a text or is empty.
 */
export function requireHost(options: { readonly host: string }): void {
  const { host } = options ?? {};
  if (typeof host !== 'string' || host === '')
    throw new TypeError(`host: expected an address such as 127.0.0.1, got ${host === '' ? '""' : String(host)}`);
}

/**
 * Returns the error for a failed attempt to bind a socket: `address-in-use`, `address-unavailable` or `socket-failed`.
 */
export function listenError(transport: string, cause: unknown, host: string, port: number): EnvironmentError {
  const code = (cause as { readonly code?: string } | undefined)?.code;
  const where = `${transport} ${host}:${port}`;
  if (code === 'EADDRINUSE')
    return new EnvironmentError('address-in-use', `${where} is in use; stop the other program or use another port`, {
      cause,
    });
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new EnvironmentError(
      'address-unavailable',
      `${where}: expected an address of this machine, got another address`,
      {
        cause,
      },
    );
  return new EnvironmentError('socket-failed', `${where} could not be opened (${code ?? String(cause)})`, { cause });
}

/**
 * Returns the same bytes as a plain Uint8Array. A Node Buffer is also a Uint8Array, but `slice` of a Buffer shares the
 * bytes, while `slice` of a plain Uint8Array copies them. This package returns no Buffers, so that a caller's copy is
 * always a true copy.
 */
export function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}
