import { type Fate, type Fault, LinkFates } from '@tutti/simulation';
import { Counts } from '@tutti/transports';
import TinyQueue from 'tinyqueue';
import { addressOf, corrupted, readPacket } from './ipv4.ts';
import type { Latency } from './latency.ts';

/**
 * Maximum time for which a packet waits for a link, µs; packets that would wait longer are dropped. The value
 * corresponds to the usual size of a router's buffer: the rate times a quarter of a second, which is about the paper's
 * longest round trip (282 ms, v1.03 appendix B).
 */
const maxWaitUs = 250_000;

/**
 * One direction of a host's link. The link transmits packets one after another, each for the transmission time of its
 * bits.
 */
class LinkQueue {
  readonly #bitsPerUs: number;
  #freeUs = Number.NEGATIVE_INFINITY;

  /** @param rateMbit rate, Mbit/s; Infinity for a link with unlimited rate. */
  constructor(rateMbit: number) {
    this.#bitsPerUs = rateMbit;
  }

  /**
   * Returns the time at which the link has transmitted a packet that arrives now, µs; undefined if the buffer is full
   * and the packet is lost.
   */
  passedUs(nowUs: number, bytes: number): number | undefined {
    const beginUs = Math.max(nowUs, this.#freeUs);
    if (beginUs - nowUs > maxWaitUs) return undefined;
    this.#freeUs = beginUs + Math.ceil((bytes * 8) / this.#bitsPerUs);
    return this.#freeUs;
  }
}

interface RouterOptions {
  /** Address of each host, a.b.c.d. */
  readonly addresses: readonly string[];
  readonly latency: Latency;
  /** Rate of each host's link in each direction, Mbit/s; Infinity for links with unlimited rate. */
  readonly rateMbit: number;
  /** Fault plan, of which the router uses the network faults. Nodes in the plan are hosts. */
  readonly faults: readonly Fault[];
  readonly seed: number;
}

interface RoutedPacket {
  readonly to: number;
  readonly packet: Uint8Array;
}

interface PacketInTransit extends RoutedPacket {
  readonly dueUs: number;
  /** Sequence number that keeps packets with the same due time in order of arrival. */
  readonly order: number;
  /** Whether the packet has passed its receiver's link. */
  readonly isThrough: boolean;
}

/**
 * Maximum number of packets in transit, about 98 MB for packets of 1,500 bytes. A run with more packets in transit
 * exceeds the capacity of this machine.
 */
const maxInTransit = 65_536;

/**
 * The network between the hosts of a testbed. The router delays each packet by its latency, and loses, duplicates,
 * delays and alters packets according to the fault plan. The router has no clock and no socket: the time is an
 * argument, in integer µs.
 */
export class Router {
  /** Number of packets by result: `delivered`, a fault of the plan, or the code of a dropped packet. */
  readonly counts = new Counts();
  readonly #options: RouterOptions;
  readonly #hostAt: ReadonlyMap<number, number>;
  readonly #fates: LinkFates;
  readonly #out: readonly LinkQueue[];
  readonly #in: readonly LinkQueue[];
  readonly #isDown: boolean[];
  readonly #inTransit = new TinyQueue<PacketInTransit>([], (a, b) => a.dueUs - b.dueUs || a.order - b.order);
  #order = 0;
  #originUs = Number.POSITIVE_INFINITY;

  constructor(options: RouterOptions) {
    const { addresses, faults, rateMbit, seed } = options;
    this.#options = options;
    this.#hostAt = new Map(addresses.map((address, host) => [addressOf(address), host]));
    this.#fates = new LinkFates(faults, addresses.length, seed);
    this.#out = addresses.map(() => new LinkQueue(rateMbit));
    this.#in = addresses.map(() => new LinkQueue(rateMbit));
    this.#isDown = addresses.map(() => false);
  }

  /** Sets the common origin of the plan's times. Before this call, the plan has no effect. */
  begin(nowUs: number): void {
    this.#originUs = nowUs;
  }

  /** Sets whether a host is down. Packets that arrive at a host that is down are lost. */
  setDown(host: number, isDown: boolean): void {
    this.#isDown[host] = isDown;
  }

  /** Handles a packet from a host's link. */
  onPacket(nowUs: number, from: number, packet: Uint8Array): void {
    const read = readPacket(packet);
    if (!read.ok) {
      this.counts.add(read.code);
      return;
    }
    const to = this.#hostAt.get(read.destination);
    if (to === undefined) {
      this.counts.add('unknown-destination');
      return;
    }
    const sentUs = this.#out[from]!.passedUs(nowUs, packet.length);
    if (sentUs === undefined) this.counts.add('link-full');
    else this.#send(this.#fate(nowUs, from, to), sentUs, from, to, packet);
  }

  /** Earliest time at which {@link takeDue} may return a packet, µs; undefined if no packet is in transit. */
  get nextDueUs(): number | undefined {
    return this.#inTransit.peek()?.dueUs;
  }

  /** Returns the next packet that has arrived by this time; undefined if there is none. */
  takeDue(nowUs: number): RoutedPacket | undefined {
    for (let next = this.#inTransit.peek(); next !== undefined; next = this.#inTransit.peek()) {
      if (next.dueUs > nowUs) return undefined;
      this.#inTransit.pop();
      if (!next.isThrough && !this.#passesReceiverLink(next)) continue;
      if (!this.#isDown[next.to]) {
        this.counts.add('delivered');
        return next;
      }
      this.counts.add('missed');
    }
    return undefined;
  }

  #fate(nowUs: number, from: number, to: number): Fate | undefined {
    return nowUs < this.#originUs ? undefined : this.#fates.next(nowUs - this.#originUs, from, to);
  }

  #send(fate: Fate | undefined, sentUs: number, from: number, to: number, packet: Uint8Array): void {
    if (fate?.lostTo !== undefined) {
      this.counts.add(fate.lostTo);
      return;
    }
    let sent = packet;
    if (fate?.corruption !== undefined) {
      this.counts.add('corruption');
      sent = corrupted(packet, fate.corruption.random);
    }
    const { heldUs = 0, slowedUs = 0, copyAfterUs } = fate ?? {};
    if (heldUs > 0) this.counts.add('reordering');
    if (slowedUs > 0) this.counts.add('slow-links');
    const extraUs = heldUs + slowedUs;
    this.#carry(sentUs + extraUs + this.#options.latency(from, to), to, sent);
    if (copyAfterUs === undefined) return;
    this.counts.add('duplication');
    this.#carry(sentUs + copyAfterUs + extraUs + this.#options.latency(from, to), to, sent);
  }

  #carry(dueUs: number, to: number, packet: Uint8Array): void {
    if (this.#inTransit.length >= maxInTransit) this.counts.add('router-full');
    else this.#inTransit.push({ dueUs, order: this.#order++, to, packet, isThrough: false });
  }

  /**
   * Passes a packet through its receiver's link. Returns true if the packet arrives at its due time. Returns false if
   * the packet arrives later, or is dropped because the link's buffer is full.
   */
  #passesReceiverLink(next: PacketInTransit): boolean {
    const passedUs = this.#in[next.to]!.passedUs(next.dueUs, next.packet.length);
    if (passedUs === next.dueUs) return true;
    if (passedUs === undefined) this.counts.add('link-full');
    else this.#inTransit.push({ ...next, dueUs: passedUs, order: this.#order++, isThrough: true });
    return false;
  }
}
