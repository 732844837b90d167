import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import type { Endpoint } from '@tutti/core';
import { expected, integers, requireInteger, requireObject, requireText, type SettingsOf } from '@tutti/core/input';
import { CountedTransport } from '../transport/countedTransport.ts';
import {
  endpointKey,
  filledIn,
  listenError,
  noPackets,
  packetSetting,
  portSetting,
  queueSetting,
  requireHost,
  requireSendable,
  type Transport,
  type TransportCounters,
  waits,
} from '../transport/transport.ts';
import { type ConnectionEnd, type ConnectionEvents, TcpConnection, TcpRoute } from './connection.ts';
import { type Dial, dialDirectly, dialThrough, type SocksProxy } from './dial.ts';
import { claimedHost, type Hello, isHost, maxFramedBytes } from './framing.ts';

/** Options of {@link openTcp}. */
export interface TcpOptions {
  /** Address on which to listen, IPv4 or IPv6. */
  readonly host: string;
  /** Port on which to listen. Default: 0, which selects a free port. */
  readonly port?: number;
  /**
   * Address at which other nodes reach this node, if it differs from the listening address, for example a forwarded
   * port or an onion name.
   */
  readonly publicEndpoint?: Endpoint;
  /** Maximum length of a packet to send, bytes; at most 65,534. Default: 1200. */
  readonly maxPacketBytes?: number;
  /** Maximum number of packets that wait for one endpoint. Default: 256. */
  readonly queueBound?: number;
  /**
   * Maximum number of connections opened by this side; the same maximum applies separately to connections opened by
   * others. Default: 1024.
   */
  readonly maxConnections?: number;
  /** Time without a packet after which a connection is closed, ms. Default: 60,000. */
  readonly idleTimeoutMs?: number;
  /**
   * Maximum time to wait until a connection is opened, its opener identified, a ping answered, or an end confirmed, ms.
   * If a connection has received no frame for this time, the transport pings it before the next packet. Default:
   * 10,000, or 60,000 behind a proxy.
   */
  readonly replyTimeoutMs?: number;
  /**
   * Proxy through which all outgoing connections are opened. Incoming connections reach `host` and `port` through the
   * service to which `publicEndpoint` refers.
   */
  readonly proxy?: SocksProxy;
}

type TcpBounds = Omit<TcpOptions, 'host' | 'publicEndpoint' | 'proxy'>;

export const tcpSettings: SettingsOf<TcpBounds> = {
  port: portSetting,
  maxPacketBytes: packetSetting(maxFramedBytes),
  queueBound: queueSetting(256, 'maximum number of packets waiting for one endpoint'),
  maxConnections: {
    default: 1024,
    range: integers(1, 65_536),
    about: 'maximum number of outgoing connections, and separately of incoming connections',
  },
  idleTimeoutMs: { default: 60_000, range: waits, about: 'maximum idle time of a connection' },
  replyTimeoutMs: {
    default: 10_000,
    range: waits,
    about:
      'maximum time to wait for a connection to open, for a handshake, for an answer or for the connection to close',
  },
};

/** Reply timeout behind a proxy, ms. A proxy may have to build a circuit first. */
const proxiedReplyTimeoutMs = 60_000;

/** Counters of a TCP transport since it was opened. */
export interface TcpCounters extends TransportCounters {
  connectionsOpened: number;
  connectionsAccepted: number;
  /** Number of failed attempts to open or to accept a connection. */
  connectionsFailed: number;
  /**
   * Number of connections closed or rejected because there were too many: incoming connections without a proven
   * address, new incoming connections if all others have a proven address, and this side's least recently used
   * connections.
   */
  connectionsCrowdedOut: number;
  /** Number of connections closed because neither side sent a packet. */
  connectionsIdle: number;
  /** Number of connections dropped because of a partial packet in either direction, or a missing sign of life. */
  connectionsStalled: number;
}

/** A transport over TCP connections. */
export interface TcpTransport extends Transport {
  readonly counters: Readonly<TcpCounters>;
  /** Number of open connections, incoming and outgoing. */
  readonly connections: number;
}

/**
 * Opens a listening TCP socket. Packets are framed and sent on connections that are opened on demand. One connection
 * serves both directions once the listener vouches for it (see `PacketListener`).
 *
 * @throws EnvironmentError `address-in-use`, `address-unavailable` or `socket-failed`; TypeError or RangeError for an
 * invalid option.
 */
export async function openTcp(options: TcpOptions): Promise<TcpTransport> {
  requireHost(options);
  const { host, proxy, publicEndpoint } = options;
  if (publicEndpoint !== undefined) {
    requireObject('publicEndpoint', publicEndpoint);
    requireText('publicEndpoint.host', publicEndpoint.host);
    if (!isHost(publicEndpoint.host))
      throw new RangeError(expected('publicEndpoint.host', 'an IP address or a domain name', publicEndpoint.host));
    requireInteger('publicEndpoint.port', publicEndpoint.port, 1, 65_535);
  }
  const proxied = proxy === undefined ? {} : { replyTimeoutMs: options.replyTimeoutMs ?? proxiedReplyTimeoutMs };
  const { port, ...bounds } = filledIn<TcpBounds>({ ...options, ...proxied }, tcpSettings);
  const dial = proxy === undefined ? dialDirectly : dialThrough(proxy);
  const server = createServer();
  try {
    await new Promise<void>((listening, failed) => {
      server.once('error', failed);
      server.listen({ host, port, backlog: listenBacklog }, () => {
        server.off('error', failed);
        listening();
      });
    });
  } catch (cause) {
    throw listenError('TCP', cause, host, port);
  }
  return new TcpNode(server, dial, { ...bounds, publicEndpoint });
}

/**
 * Number of pending connections that the operating system queues. All nodes connect at the same time at the start of a
 * round.
 */
const listenBacklog = 1024;

type TcpNodeOptions = Required<Omit<TcpBounds, 'port'>> & { readonly publicEndpoint: Endpoint | undefined };

class TcpNode extends CountedTransport implements TcpTransport {
  override readonly counters: TcpCounters = {
    ...noPackets(),
    connectionsOpened: 0,
    connectionsAccepted: 0,
    connectionsFailed: 0,
    connectionsCrowdedOut: 0,
    connectionsIdle: 0,
    connectionsStalled: 0,
  };
  readonly #server: Server;
  readonly #dial: Dial;
  readonly #settings: TcpNodeOptions;
  readonly #routes = new Map<string, TcpRoute>();
  readonly #opened = new Set<TcpConnection>();
  /** Accepted connections, in order of arrival. */
  readonly #accepted = new Set<TcpConnection>();
  /** Routes with packets to write in the next turn. */
  readonly #due = new Set<TcpRoute>();
  /** Number of connections being opened. */
  #attempts = 0;
  readonly #events: ConnectionEvents = {
    onPacket: (connection, from, bytes) => {
      if (this.receive(bytes, from) && !connection.openedByUs && !connection.vouched) this.#vouch(connection, from);
    },
    onWritable: (connection) => {
      const route = this.#routeOf(connection);
      if (route !== undefined) this.#flush(route);
    },
    onEnd: (connection, end) => this.#onEnd(connection, end),
  };
  #scheduled = false;

  constructor(server: Server, dial: Dial, settings: TcpNodeOptions) {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new TypeError('server: expected a listening server');
    super(settings.publicEndpoint ?? { host: address.address, port: address.port }, settings.maxPacketBytes);
    this.#server = server;
    this.#dial = dial;
    this.#settings = settings;
    server.on('connection', (socket) => this.#onConnection(socket));
    // The operating system has no free descriptor for the connection. A later connection may succeed.
    server.on('error', () => this.counters.connectionsFailed++);
  }

  get connections(): number {
    return this.#opened.size + this.#accepted.size;
  }

  send(to: Endpoint, bytes: Uint8Array): void {
    requireSendable(to, bytes, this.maxPacketBytes);
    if (this.closed) return;
    const route = this.#route(to);
    if (route.queue.push(bytes)) this.counters.queueDropped++;
    this.#schedule(route);
  }

  close(): Promise<void> {
    if (this.closed) return Promise.resolve();
    this.closed = true;
    for (const route of this.#routes.values()) route.attempt?.abort();
    for (const connection of [...this.#opened, ...this.#accepted]) connection.destroy('ended');
    this.#routes.clear();
    this.#due.clear();
    return new Promise((done) => this.#server.close(() => done()));
  }

  #route(to: Endpoint): TcpRoute {
    const key = endpointKey(to);
    let route = this.#routes.get(key);
    if (route === undefined) {
      route = new TcpRoute(to, this.#settings.queueBound);
      this.#routes.set(key, route);
    }
    return route;
  }

  #schedule(route: TcpRoute): void {
    this.#due.add(route);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const due = [...this.#due];
      this.#due.clear();
      for (const route of due) this.#flush(route);
    });
  }

  /** Writes as many waiting packets as the connection accepts. If there is no connection, opens one. */
  #flush(route: TcpRoute): void {
    if (this.closed || route.queue.length === 0) return;
    route.connection()?.probe();
    const connection = route.connection();
    if (connection === undefined) this.#open(route);
    while (connection?.writable) {
      const packet = route.queue.shift();
      if (packet === undefined) return;
      connection.write(packet);
      this.countSent(packet.length);
    }
  }

  #open(route: TcpRoute): void {
    if (route.attempt !== undefined) return;
    if (route.backoff.waiting(performance.now()) || !this.#roomToOpen()) {
      this.#dropWaiting(route);
      return;
    }
    const attempt = new AbortController();
    const timeout = setTimeout(() => attempt.abort(), this.#settings.replyTimeoutMs).unref();
    route.attempt = attempt;
    this.#attempts++;
    this.#dial(route.to, attempt.signal)
      .then(
        (socket) => this.#onOpened(route, socket),
        () => this.#onUnreachable(route),
      )
      .finally(() => clearTimeout(timeout));
  }

  #onOpened(route: TcpRoute, socket: Socket): void {
    if (this.closed || socket.destroyed) {
      socket.destroy();
      this.#onUnreachable(route);
      return;
    }
    this.#attempts--;
    route.attempt = undefined;
    const hello: Hello = {
      nonce: randomBytes(8).readBigUInt64BE(),
      port: this.local.port,
      host: claimedHost(this.local),
    };
    const connection = new TcpConnection(socket, { to: route.to, hello }, this.#settings, this.#events);
    this.counters.connectionsOpened++;
    this.#opened.add(connection);
    route.opened = connection;
    this.#flush(route);
  }

  #onUnreachable(route: TcpRoute): void {
    this.#attempts--;
    route.attempt = undefined;
    if (this.closed) return;
    this.counters.connectionsFailed++;
    route.backoff.onFailure(performance.now());
    // A connection from this endpoint may have arrived in the meantime.
    if (route.connection() === undefined) this.#dropWaiting(route);
    else this.#flush(route);
  }

  #dropWaiting(route: TcpRoute): void {
    this.counters.sendErrors += route.queue.length;
    route.queue.clear();
  }

  /**
   * Makes room for one more outgoing connection by closing the least recently used one. Returns whether another
   * connection fits.
   */
  #roomToOpen(): boolean {
    const open = [...this.#opened].filter((connection) => connection.open);
    if (open.length + this.#attempts < this.#settings.maxConnections) return true;
    if (open.length === 0) return false;
    open.reduce((oldest, one) => (one.lastUsedMs < oldest.lastUsedMs ? one : oldest)).finish();
    this.counters.connectionsCrowdedOut++;
    return true;
  }

  #onConnection(socket: Socket): void {
    if (!this.#roomToAccept()) {
      socket.destroy();
      return;
    }
    this.counters.connectionsAccepted++;
    this.#accepted.add(new TcpConnection(socket, undefined, this.#settings, this.#events));
  }

  /**
   * Makes room for one more incoming connection by closing the oldest one without a proven address. Returns whether
   * another connection fits.
   */
  #roomToAccept(): boolean {
    if (this.closed) return false;
    if (this.#accepted.size < this.#settings.maxConnections) return true;
    this.counters.connectionsCrowdedOut++;
    for (const connection of this.#accepted) {
      if (connection.vouched) continue;
      this.#accepted.delete(connection);
      connection.destroy('ended');
      return true;
    }
    return false;
  }

  #vouch(connection: TcpConnection, from: Endpoint): void {
    if (this.closed) return;
    const route = this.#route(from);
    // A peer has at most one proven connection, no matter how many connections it opens.
    if (route.accepted !== undefined) {
      route.accepted.vouched = false;
      route.accepted.finish();
    }
    connection.vouched = true;
    route.accepted = connection;
    route.backoff.onSuccess();
    this.#schedule(route);
  }

  #onEnd(connection: TcpConnection, end: ConnectionEnd): void {
    this.#opened.delete(connection);
    this.#accepted.delete(connection);
    if (end === 'malformed') this.counters.malformed++;
    else if (end === 'idle') this.counters.connectionsIdle++;
    else if (end === 'stalled') this.counters.connectionsStalled++;
    const route = this.#routeOf(connection);
    if (route === undefined) return;
    route.release(connection, performance.now());
    if (route.queue.length > 0) this.#schedule(route);
    else if (route.idle) this.#routes.delete(endpointKey(route.to));
  }

  #routeOf({ counterpart }: TcpConnection): TcpRoute | undefined {
    return counterpart && this.#routes.get(endpointKey(counterpart.endpoint));
  }
}
