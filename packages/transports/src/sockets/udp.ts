import { createSocket, type Socket } from 'node:dgram';
import { type LookupOneOptions, lookup as resolve } from 'node:dns';
import { isIP } from 'node:net';
import type { Endpoint } from '@tutti/core';
import type { SettingsOf } from '@tutti/core/input';
import { BoundedQueue } from '../transport/bounded.ts';
import { CountedTransport } from '../transport/countedTransport.ts';
import {
  filledIn,
  listenError,
  packetSetting,
  plain,
  portSetting,
  queueSetting,
  requireHost,
  requireSendable,
  type Transport,
} from '../transport/transport.ts';

/** Options of {@link openUdp}. */
export interface UdpOptions {
  /** Address to bind, IPv4 or IPv6. */
  readonly host: string;
  /** Port to bind. Default: 0, which selects a free port. */
  readonly port?: number;
  /** Maximum length of a packet to send, bytes; at most 65,507. Default: 1200. */
  readonly maxPacketBytes?: number;
  /**
   * Maximum number of datagrams that wait to be sent. A node's burst contains tens of datagrams; thousands of waiting
   * datagrams mean that the network is blocked. Default: 4096.
   */
  readonly queueBound?: number;
}

/** Maximum length of a datagram over IPv4, bytes: 65,535 less the headers of IP and UDP. */
const maxDatagramBytes = 65_507;

/** Ranges and defaults of the UDP options, except the host. */
export const udpSettings: SettingsOf<Omit<UdpOptions, 'host'>> = {
  port: portSetting,
  maxPacketBytes: packetSetting(maxDatagramBytes),
  queueBound: queueSetting(4096),
};

/**
 * Limit on the number of datagrams sent per turn of the event loop: 16 or a quarter of the waiting datagrams, whichever
 * is larger. The limit lets the event loop process timers and arrivals as well. If turns are long, for example with
 * many members in one process, a node adds more than 16 datagrams per turn. With a fixed limit, the queue would then
 * fill up, and the node would send outdated datagrams.
 */
const minPerTurn = 16;
const sharePerTurn = 1 / 4;

/**
 * Buffer size requested from the system for each direction, bytes. The machine's administrator may have set a lower
 * maximum. The buffer is large so that a flood does not displace honest packets.
 */
const socketBufferBytes = 4 * 1024 * 1024;

/**
 * Opens a UDP socket.
 *
 * @throws EnvironmentError `address-in-use`, `address-unavailable` or `socket-failed`; TypeError or RangeError for an
 * invalid option.
 */
export async function openUdp(options: UdpOptions): Promise<Transport> {
  requireHost(options);
  const { host } = options;
  const { port, maxPacketBytes, queueBound } = filledIn<Omit<UdpOptions, 'host'>>(options, udpSettings);
  const socket = createSocket({ type: isIP(host) === 6 ? 'udp6' : 'udp4', lookup: lookupAddress });
  try {
    await new Promise<void>((bound, failed) => {
      socket.once('error', failed);
      socket.bind(port, host, () => {
        socket.off('error', failed);
        bound();
      });
    });
  } catch (cause) {
    socket.close();
    throw listenError('UDP', cause, host, port);
  }
  for (const enlarge of ['setRecvBufferSize', 'setSendBufferSize'] as const)
    try {
      socket[enlarge](socketBufferBytes);
    } catch {
      // Some operating systems reject the size instead of limiting it. In that case, the default buffer must suffice.
    }
  return new UdpTransport(socket, maxPacketBytes, queueBound);
}

class UdpTransport extends CountedTransport {
  readonly #socket: Socket;
  readonly #outgoing: BoundedQueue<{ to: Endpoint; bytes: Uint8Array }>;
  #scheduled = false;

  constructor(socket: Socket, maxPacketBytes: number, queueBound: number) {
    const { address, port } = socket.address();
    super({ host: address, port }, maxPacketBytes);
    this.#outgoing = new BoundedQueue(queueBound);
    this.#socket = socket;
    socket.on('error', () => this.counters.sendErrors++);
    socket.on('message', (bytes, { address: host, port }) => this.receive(plain(bytes), { host, port }));
  }

  send(to: Endpoint, bytes: Uint8Array): void {
    requireSendable(to, bytes, this.maxPacketBytes);
    if (this.closed) return;
    if (this.#outgoing.push({ to, bytes })) this.counters.queueDropped++;
    this.#schedule();
  }

  close(): Promise<void> {
    if (this.closed) return Promise.resolve();
    this.closed = true;
    this.#outgoing.clear();
    return new Promise((done) => this.#socket.close(() => done()));
  }

  // Sending is paced by turns of the event loop. A callback of the last send would run before timers get a turn.
  #schedule(): void {
    if (this.#scheduled || this.#outgoing.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#drain();
      this.#schedule();
    });
  }

  #drain(): void {
    const max = Math.max(minPerTurn, Math.ceil(this.#outgoing.length * sharePerTurn));
    for (let sent = 0; sent < max && !this.closed; sent++) {
      const packet = this.#outgoing.shift();
      if (packet === undefined) return;
      try {
        this.#socket.send(packet.bytes, packet.to.port, packet.to.host, this.#onSent);
      } catch {
        // The port is 0 or greater than 65,535.
        this.counters.sendErrors++;
      }
    }
  }

  readonly #onSent = (error: Error | null, bytes: number): void => {
    if (error === null) this.countSent(bytes);
    else this.counters.sendErrors++;
  };
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string, family: number) => void;

/**
 * Resolves a literal address immediately. Without this function, the socket would call the system's resolver for every
 * datagram.
 */
function lookupAddress(host: string, options: LookupOneOptions, answer: LookupCallback): void {
  const family = isIP(host);
  if (family !== 0) answer(null, host, family);
  else resolve(host, options, answer);
}
