import { requireObject } from '../arguments.ts';
import { WorldError } from '../worldError.ts';
import { BoundedQueue } from './boundedQueue.ts';
import { inLaterTurn } from './laterTurn.ts';
import {
  assertSendable,
  defaultMaxPacketBytes,
  type Endpoint,
  noPackets,
  type PacketListener,
  type Transport,
  type TransportCounters,
} from './transport.ts';

/**
 * A network inside one process: what is sent to a port is delivered, a copy, in a later turn of the event loop. For
 * tests of everything above a transport, and for nodes that live together.
 */
export class MemoryNetwork {
  readonly #open = new Map<number, MemoryTransport>();
  #nextPort = 1;

  /**
   * Opens an end of the network.
   *
   * @param options `port`: 1 to 65535, or 0, the default, for the next free one; `maxPacketBytes` 1200 unless given;
   *   `queueBound`: most packets waiting to be sent, 4096 unless given.
   * @throws WorldError `address-in-use`.
   */
  open(options: { port?: number; maxPacketBytes?: number; queueBound?: number } = {}): Transport {
    requireObject('options', options);
    const port = options.port || this.#freePort();
    if (this.#open.has(port)) throw new WorldError('address-in-use', `port ${port} of this memory network is taken`);
    const transport = new MemoryTransport(
      { host: 'memory', port },
      options.maxPacketBytes ?? defaultMaxPacketBytes,
      options.queueBound ?? 4096,
      this.#open,
    );
    this.#open.set(port, transport);
    return transport;
  }

  #freePort(): number {
    while (this.#open.has(this.#nextPort)) this.#nextPort++;
    return this.#nextPort++;
  }
}

class MemoryTransport implements Transport {
  readonly local: Endpoint;
  readonly maxPacketBytes: number;
  readonly counters: TransportCounters = noPackets();
  readonly #outgoing: BoundedQueue<{ port: number; bytes: Uint8Array }>;
  readonly #network: Map<number, MemoryTransport>;
  #listener: PacketListener | undefined;
  #scheduled = false;
  #closed = false;

  constructor(local: Endpoint, maxPacketBytes: number, queueBound: number, network: Map<number, MemoryTransport>) {
    this.local = local;
    this.maxPacketBytes = maxPacketBytes;
    this.#outgoing = new BoundedQueue(queueBound);
    this.#network = network;
  }

  onPacket(listener: PacketListener): void {
    this.#listener = listener;
  }

  send(to: Endpoint, bytes: Uint8Array): void {
    assertSendable(to, bytes, this.maxPacketBytes);
    if (this.#closed) return;
    if (this.#outgoing.push({ port: to.port, bytes: bytes.slice() })) this.counters.queueDropped++;
    if (this.#scheduled) return;
    this.#scheduled = true;
    inLaterTurn(() => this.#drain());
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#outgoing.clear();
    if (this.#network.get(this.local.port) === this) this.#network.delete(this.local.port);
  }

  #drain(): void {
    this.#scheduled = false;
    for (let packet = this.#outgoing.shift(); packet !== undefined; packet = this.#outgoing.shift()) {
      this.counters.packetsSent++;
      this.counters.bytesSent += packet.bytes.length;
      const receiver = this.#network.get(packet.port);
      if (receiver !== undefined) receiver.#receive(packet.bytes, this.local);
    }
  }

  #receive(bytes: Uint8Array, from: Endpoint): void {
    this.counters.packetsReceived++;
    this.counters.bytesReceived += bytes.length;
    if (this.#listener === undefined) this.counters.unheard++;
    else this.#listener(bytes, from);
  }
}
