import type { QUICConnection, QUICServer, QUICSocket } from '@matrixai/quic';
import { listenError } from '../listenError.ts';
import {
  assertSendable,
  DEFAULT_MAX_PACKET_BYTES,
  type Endpoint,
  noPackets,
  type PacketListener,
  type Transport,
  type TransportCounters,
} from '../transport.ts';
import { MAX_MESSAGE_BYTES, receivePacket, sendPacket } from './exchange.ts';
import { clientCrypto, guardedSocket, loadQuic, type QuicLibrary, serverCrypto } from './library.ts';
import { type Outgoing, QuicRoute } from './route.ts';

export interface QuicOptions {
  /** Address to listen at, IPv4 or IPv6. */
  readonly host: string;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** 1200 unless given, 65,535 at most, bytes. */
  readonly maxPacketBytes?: number;
  /** Most packets waiting for one endpoint, 256 unless given. */
  readonly queueBound?: number;
  /** Most connections, ours and others' together; 1024 unless given. */
  readonly maxConnections?: number;
  /** A connection on which nothing came for so long is closed; 10,000 unless given. */
  readonly idleTimeoutMs?: number;
  /** The longest wait for a connection to be opened; 10,000 unless given. */
  readonly replyTimeoutMs?: number;
}

export interface QuicCounters extends TransportCounters {
  connectionsOpened: number;
  connectionsAccepted: number;
  /** Attempts to open one that failed. */
  connectionsFailed: number;
  /** Closed because there were too many: the oldest stranger's, or the oldest. */
  connectionsCrowdedOut: number;
  /** Packets that were not sent because the receiver had taken the same message, or was about to. */
  repeatsSkipped: number;
}

export interface QuicTransport extends Transport {
  readonly counters: Readonly<QuicCounters>;
}

/**
 * Opens a QUIC socket: each packet travels on a stream of its own, and the receiver answers whether it took it. Connections
 * come from the address at which a node listens, and a handshake shows that whoever opened one is there: they serve both ways.
 *
 * @throws WorldError `quic-unavailable`, `address-in-use`, `address-unavailable` or `socket-failed`.
 */
export async function openQuic(options: QuicOptions): Promise<QuicTransport> {
  const { host, port = 0, maxPacketBytes = DEFAULT_MAX_PACKET_BYTES } = options;
  if (maxPacketBytes > MAX_MESSAGE_BYTES)
    throw new RangeError(`maxPacketBytes: expected at most ${MAX_MESSAGE_BYTES}, got ${maxPacketBytes}`);
  const library = await loadQuic();
  const counters: QuicCounters = {
    ...noPackets(),
    connectionsOpened: 0,
    connectionsAccepted: 0,
    connectionsFailed: 0,
    connectionsCrowdedOut: 0,
    repeatsSkipped: 0,
  };
  const socket = guardedSocket(library, () => counters.malformed++);
  try {
    await socket.start({ host, port });
  } catch (cause) {
    throw listenError('QUIC', (cause as Error).cause, host, port);
  }
  const settings = {
    maxPacketBytes,
    queueBound: options.queueBound ?? 256,
    maxConnections: options.maxConnections ?? 1024,
    idleTimeoutMs: options.idleTimeoutMs ?? 10_000,
    replyTimeoutMs: options.replyTimeoutMs ?? 10_000,
  };
  const node = new QuicNode(library, socket, counters, settings);
  await node.start();
  return node;
}

interface QuicSettings {
  readonly maxPacketBytes: number;
  readonly queueBound: number;
  readonly maxConnections: number;
  readonly idleTimeoutMs: number;
  readonly replyTimeoutMs: number;
}

/** Packets under way to one endpoint: a round trip's worth of a node's burst. */
const MAX_UNDER_WAY = 64;

/** What a connection may make us hold of packets that have not come to their end, bytes. */
const CONNECTION_WINDOW_BYTES = 1 << 20;

class QuicNode implements QuicTransport {
  readonly local: Endpoint;
  readonly maxPacketBytes: number;
  readonly counters: QuicCounters;
  readonly #library: QuicLibrary;
  readonly #socket: QUICSocket;
  readonly #server: QUICServer;
  readonly #settings: QuicSettings;
  readonly #config;
  readonly #routes = new Map<string, QuicRoute>();
  /** In the order in which they came. */
  readonly #connections = new Map<QUICConnection, QuicRoute>();
  /** Those by which a packet was taken, here or there: the other end belongs here. */
  readonly #proven = new WeakSet<QUICConnection>();
  /** Routes with packets to be sent in the next turn. */
  readonly #due = new Set<QuicRoute>();
  #listener: PacketListener | undefined;
  #scheduled = false;
  #closed = false;

  constructor(library: QuicLibrary, socket: QUICSocket, counters: QuicCounters, settings: QuicSettings) {
    const { quic, logger, credentials } = library;
    this.local = { host: socket.host, port: socket.port };
    this.maxPacketBytes = settings.maxPacketBytes;
    this.counters = counters;
    this.#library = library;
    this.#socket = socket;
    this.#settings = settings;
    this.#config = {
      verifyPeer: false,
      applicationProtos: ['tutti'],
      maxIdleTimeout: settings.idleTimeoutMs,
      initialMaxStreamsUni: 0,
      initialMaxStreamsBidi: 2 * MAX_UNDER_WAY,
      initialMaxStreamDataBidiLocal: 16,
      initialMaxStreamDataBidiRemote: MAX_MESSAGE_BYTES + 1,
      maxStreamWindow: MAX_MESSAGE_BYTES + 1,
      initialMaxData: CONNECTION_WINDOW_BYTES,
      maxConnectionWindow: CONNECTION_WINDOW_BYTES,
    };
    this.#server = new quic.QUICServer({
      socket,
      logger,
      crypto: serverCrypto(),
      config: { ...this.#config, ...credentials },
    });
    this.#server.addEventListener(
      quic.events.EventQUICServerConnection.name,
      ({ detail }: InstanceType<typeof quic.events.EventQUICServerConnection>) => {
        this.counters.connectionsAccepted++;
        this.#adopt(detail, { host: detail.remoteHost, port: detail.remotePort });
      },
    );
  }

  start(): Promise<void> {
    return this.#server.start();
  }

  onPacket(listener: PacketListener): void {
    this.#listener = listener;
  }

  send(to: Endpoint, packet: Uint8Array, says?: Uint8Array): void {
    assertSendable(packet, this.maxPacketBytes);
    if (this.#closed) return;
    const route = this.#route(to);
    if (route.queue.push({ packet, says })) this.counters.queueDropped++;
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

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const route of this.#routes.values()) route.cancelAttempt?.();
    await Promise.all([...this.#connections.keys()].map(stop));
    await this.#server.stop({ force: true });
    await this.#socket.stop({ force: true });
  }

  #route(to: Endpoint): QuicRoute {
    const key = keyOf(to);
    let route = this.#routes.get(key);
    if (route === undefined) {
      route = new QuicRoute(to, this.#settings.queueBound);
      this.#routes.set(key, route);
    }
    return route;
  }

  #flush(route: QuicRoute): void {
    if (this.#closed || route.queue.length === 0) return;
    const { connection } = route;
    if (connection === undefined) this.#open(route);
    while (connection !== undefined && route.underWay < MAX_UNDER_WAY) {
      const outgoing = route.queue.shift();
      if (outgoing === undefined) return;
      if (route.knows(outgoing.says)) this.counters.repeatsSkipped++;
      else this.#deliver(route, connection, outgoing);
    }
  }

  async #deliver(route: QuicRoute, connection: QUICConnection, outgoing: Outgoing): Promise<void> {
    route.underWay++;
    route.onSent(outgoing);
    this.counters.packetsSent++;
    this.counters.bytesSent += outgoing.packet.length;
    // A stream fails when its connection does, and that is heard of elsewhere.
    const taken = await sendPacket(connection, outgoing.packet).catch(() => false);
    if (taken) this.#proven.add(connection);
    else route.onNotTaken(outgoing);
    route.underWay--;
    this.#flush(route);
  }

  #open(route: QuicRoute): void {
    if (route.cancelAttempt !== undefined) return;
    if (route.backoff.waiting(performance.now())) {
      this.#dropWaiting(route);
      return;
    }
    const { quic, logger } = this.#library;
    const attempt = quic.QUICClient.createQUICClient(
      { ...route.to, socket: this.#socket, logger, crypto: clientCrypto(), config: this.#config },
      { timer: this.#settings.replyTimeoutMs },
    );
    route.cancelAttempt = () => attempt.cancel();
    attempt.then(
      ({ connection }) => {
        route.cancelAttempt = undefined;
        route.backoff.onSuccess();
        this.counters.connectionsOpened++;
        this.#adopt(connection, route.to);
      },
      () => {
        route.cancelAttempt = undefined;
        route.backoff.onFailure(performance.now());
        this.counters.connectionsFailed++;
        if (route.connection === undefined) this.#dropWaiting(route);
      },
    );
  }

  #dropWaiting(route: QuicRoute): void {
    this.counters.sendErrors += route.queue.length;
    route.queue.clear();
  }

  /** Reads what comes by a connection, and sends by it what waits for its other end. */
  #adopt(connection: QUICConnection, from: Endpoint): void {
    const { events } = this.#library.quic;
    if (this.#closed) {
      stop(connection);
      return;
    }
    this.#makeRoom();
    const route = this.#route(from);
    this.#connections.set(connection, route);
    route.connection ??= connection;
    connection.addEventListener(
      events.EventQUICConnectionStream.name,
      ({ detail }: InstanceType<typeof events.EventQUICConnectionStream>) => {
        receivePacket(detail, (packet) => this.#receive(connection, packet, from)).then(
          (whole) => {
            if (!whole) this.counters.malformed++;
          },
          // The stream or its connection ended before the packet did.
          () => {},
        );
      },
    );
    connection.addEventListener(events.EventQUICConnectionClose.name, () => this.#onEnd(connection));
    this.#flush(route);
  }

  /** Makes room for one more at the cost of the oldest stranger's, or of the oldest. */
  #makeRoom(): void {
    if (this.#connections.size < this.#settings.maxConnections) return;
    const connections = [...this.#connections.keys()];
    const victim = connections.find((connection) => !this.#proven.has(connection)) ?? connections[0]!;
    this.counters.connectionsCrowdedOut++;
    this.#onEnd(victim);
    stop(victim);
  }

  #onEnd(connection: QUICConnection): void {
    const route = this.#connections.get(connection);
    this.#connections.delete(connection);
    if (route === undefined || route.connection !== connection) return;
    route.onConnectionEnd();
    if (route.queue.length > 0) this.#flush(route);
    else if (route.underWay === 0 && !route.backoff.failing) this.#routes.delete(keyOf(route.to));
  }

  #receive(connection: QUICConnection, packet: Uint8Array, from: Endpoint): boolean {
    if (this.#closed) return false;
    this.counters.packetsReceived++;
    this.counters.bytesReceived += packet.length;
    if (this.#listener === undefined) {
      this.counters.unheard++;
      return false;
    }
    const taken = this.#listener(packet, from) === true;
    if (taken) this.#proven.add(connection);
    return taken;
  }
}

/** Ends a connection at once. That its farewell could not be sent matters to nobody. */
function stop(connection: QUICConnection): Promise<void> {
  return connection.stop({ force: true }).catch(() => {});
}

function keyOf({ host, port }: Endpoint): string {
  return `${host} ${port}`;
}
