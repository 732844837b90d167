import type { Endpoint } from '@tutti/core';
import { EnvironmentError, requireObject, type SettingsOf } from '@tutti/core/input';
import { CountedTransport } from './countedTransport.ts';
import { filledIn, packetSetting, portSetting, queueSetting, requireSendable, type Transport } from './transport.ts';
import { TurnQueue } from './turnQueue.ts';

const maxPort = 65_535;

/** Options of an end of a {@link MemoryNetwork}. */
export interface MemoryOptions {
  /** Port number of the end. Range 0 to 65,535. Default: 0, which selects the next free port. */
  readonly port?: number;
  /** Maximum length of a packet to send, bytes. Default: 1200. */
  readonly maxPacketBytes?: number;
  /** Maximum number of packets that wait to be sent. Default: 4,096. */
  readonly queueBound?: number;
}

/** Ranges and defaults of the options of {@link MemoryNetwork.open}. */
export const memorySettings: SettingsOf<MemoryOptions> = {
  port: portSetting,
  maxPacketBytes: packetSetting(),
  queueBound: queueSetting(4096),
};

/**
 * A network within one process, for nodes in one process and for tests. The network delivers a copy of each packet in a
 * later turn of the event loop.
 */
export class MemoryNetwork {
  readonly #open = new Map<number, MemoryTransport>();
  #nextPort = 1;

  /**
   * Opens an end of the network.
   *
   * @throws EnvironmentError `address-in-use`; TypeError or RangeError for an invalid option.
   */
  open(options: MemoryOptions = {}): Transport {
    requireObject('options', options);
    const { port: wanted, maxPacketBytes, queueBound } = filledIn<MemoryOptions>(options, memorySettings);
    const port = wanted || this.#freePort();
    if (this.#open.has(port))
      throw new EnvironmentError('address-in-use', `port ${port} of this memory network is in use`);
    const transport = new MemoryTransport({ host: 'memory', port }, maxPacketBytes, queueBound, this.#open);
    this.#open.set(port, transport);
    return transport;
  }

  #freePort(): number {
    if (this.#open.size === maxPort)
      throw new EnvironmentError(
        'address-in-use',
        `all ${maxPort} ports of this memory network are in use; close an end`,
      );
    let port: number;
    do {
      port = this.#nextPort;
      this.#nextPort = (port % maxPort) + 1;
    } while (this.#open.has(port));
    return port;
  }
}

class MemoryTransport extends CountedTransport {
  readonly #outgoing: TurnQueue<{ port: number; bytes: Uint8Array }>;
  readonly #network: Map<number, MemoryTransport>;

  constructor(local: Endpoint, maxPacketBytes: number, queueBound: number, network: Map<number, MemoryTransport>) {
    super(local, maxPacketBytes);
    this.#outgoing = new TurnQueue(queueBound, ({ port, bytes }) => this.#deliver(port, bytes));
    this.#network = network;
  }

  send(to: Endpoint, bytes: Uint8Array): void {
    requireSendable(to, bytes, this.maxPacketBytes);
    if (this.closed) return;
    if (this.#outgoing.push({ port: to.port, bytes: bytes.slice() })) this.counters.queueDropped++;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.#outgoing.clear();
    if (this.#network.get(this.local.port) === this) this.#network.delete(this.local.port);
  }

  #deliver(port: number, bytes: Uint8Array): void {
    this.countSent(bytes.length);
    this.#network.get(port)?.receive(bytes, this.local);
  }
}
