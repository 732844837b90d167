import type { Endpoint } from '@tutti/core';
import { EnvironmentError, isBytes, isObject, requireObject, requireText, type SettingsOf } from '@tutti/core/input';
import { CountedTransport } from '../transport/countedTransport.ts';
import { filledIn, packetSetting, queueSetting, requireSendable, type Transport } from '../transport/transport.ts';
import { TurnQueue } from '../transport/turnQueue.ts';

/** Options of {@link openBroadcast}. */
export interface BroadcastOptions {
  /** Name of the group. Tabs of one browser, or threads of one process, exchange packets if they use the same group. */
  readonly group: string;
  /**
   * Name of this end in the group; the end's address is `{ host: name, port: 0 }`. The name must be unique in the
   * group; a public key is suitable.
   */
  readonly name: string;
  /** Maximum length of a packet to send, bytes. Default: 1200. */
  readonly maxPacketBytes?: number;
  /** Maximum number of packets that wait to be sent. Default: 1024. */
  readonly queueBound?: number;
}

type BroadcastBounds = Omit<BroadcastOptions, 'group' | 'name'>;

/** Ranges and defaults of the numeric options of {@link openBroadcast}. */
export const broadcastSettings: SettingsOf<BroadcastBounds> = {
  maxPacketBytes: packetSetting(),
  queueBound: queueSetting(1024),
};

interface Parcel {
  readonly from: string;
  readonly to: string;
  readonly bytes: Uint8Array;
}

/** The open ends of this thread, as group and name. */
const open = new Set<string>();

/**
 * Opens a transport between the tabs of one browser (or, in Node, the threads of one process) on a BroadcastChannel,
 * without a server or a network. Every tab in the group receives every packet and selects those addressed to it, so
 * this transport suits only a few tabs.
 *
 * @throws EnvironmentError `address-in-use` if this thread has already opened the same name in the same group;
 * TypeError or RangeError for an invalid option.
 */
export function openBroadcast(options: BroadcastOptions): Transport {
  requireObject('options', options);
  requireText('group', options.group);
  requireText('name', options.name);
  const address = JSON.stringify([options.group, options.name]);
  if (open.has(address))
    throw new EnvironmentError('address-in-use', `the name ${options.name} is taken in the group ${options.group}`);
  const bounds = filledIn<BroadcastBounds>(options, broadcastSettings);
  const transport = new BroadcastTransport({ ...options, ...bounds }, () => open.delete(address));
  open.add(address);
  return transport;
}

class BroadcastTransport extends CountedTransport {
  readonly #channel: InstanceType<typeof BroadcastChannel>;
  /** Queue that uses no timer, because browsers limit the timers of hidden tabs to one call per second. */
  readonly #outgoing: TurnQueue<Parcel>;
  readonly #release: () => void;

  constructor(options: Required<BroadcastOptions>, release: () => void) {
    super({ host: options.name, port: 0 }, options.maxPacketBytes);
    this.#outgoing = new TurnQueue(options.queueBound, (parcel) => this.#deliver(parcel));
    this.#release = release;
    this.#channel = new BroadcastChannel(`tutti packets ${options.group}`);
    this.#channel.onmessage = ({ data }: { readonly data: unknown }) => {
      const parcel = asParcel(data);
      if (parcel === undefined) this.counters.malformed++;
      else if (parcel.to === this.local.host) this.receive(parcel.bytes, { host: parcel.from, port: 0 });
    };
  }

  send(endpoint: Endpoint, bytes: Uint8Array): void {
    requireSendable(endpoint, bytes, this.maxPacketBytes);
    if (this.closed) return;
    if (this.#outgoing.push({ from: this.local.host, to: endpoint.host, bytes })) this.counters.queueDropped++;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.#outgoing.clear();
    this.#channel.close();
    this.#release();
  }

  #deliver(parcel: Parcel): void {
    this.countSent(parcel.bytes.length);
    // A BroadcastChannel does not receive its own messages.
    if (parcel.to === this.local.host) this.receive(parcel.bytes.slice(), this.local);
    else this.#channel.postMessage(parcel);
  }
}

/**
 * Reads a message, or returns undefined for a value that is not a message. Another script of the same origin may post
 * any value.
 */
function asParcel(data: unknown): Parcel | undefined {
  if (!isObject(data)) return undefined;
  const { from, to, bytes } = data;
  if (typeof from !== 'string' || typeof to !== 'string' || !isBytes(bytes)) return undefined;
  return { from, to, bytes };
}
