import { type Fate, type Fault, LinkFates } from '@tutti/simulation';
import { Counts } from '@tutti/transports/raw';
import TinyQueue from 'tinyqueue';
import { addressOf, corrupted, readPacket } from './ipv4.ts';
import type { Latency } from './latency.ts';

/**
 * The longest that a packet waits for a cable before it is dropped instead: the classical size of a router's buffer,
 * the rate times a quarter of a second, about the paper's longest round trip (282 ms, v1.03 appendix B).
 */
const longestWaitUs = 250_000;

/** One direction of a host's cable: packets pass one after another, each for as long as its bits take. */
class CableQueue {
  readonly #bitsPerUs: number;
  #freeUs = Number.NEGATIVE_INFINITY;

  /** @param rateMbit megabits a second; Infinity for a cable that takes no time. */
  constructor(rateMbit: number) {
    this.#bitsPerUs = rateMbit;
  }

  /**
   * When a packet that comes now has passed, microseconds; undefined where the buffer is full and the packet is lost.
   */
  passedUs(nowUs: number, bytes: number): number | undefined {
    const beginUs = Math.max(nowUs, this.#freeUs);
    if (beginUs - nowUs > longestWaitUs) return undefined;
    this.#freeUs = beginUs + Math.ceil((bytes * 8) / this.#bitsPerUs);
    return this.#freeUs;
  }
}

export interface RouterOptions {
  /** The address of each host, a.b.c.d. */
  readonly addresses: readonly string[];
  readonly latency: Latency;
  /** Of each host's cable, in either direction, megabits a second; Infinity for cables that take no time. */
  readonly rateMbit: number;
  /** Of these, those of the network; their nodes are hosts. */
  readonly faults: readonly Fault[];
  readonly seed: number;
}

export interface RoutedPacket {
  readonly to: number;
  readonly packet: Uint8Array;
}

interface UnderWay extends RoutedPacket {
  readonly dueUs: number;
  /** Keeps packets that are due at the same time in the order in which they came. */
  readonly order: number;
  /** Whether the packet still has to pass its receiver's cable. */
  readonly isFar: boolean;
}

/**
 * Packets under way at a time, some 80 MB of the longest; a run that sends more than that in a round trip is not one of
 * this machine's.
 */
const maxUnderWay = 65_536;

/**
 * The network between the hosts of a testbed: keeps each packet as long as its way takes, and loses, doubles, holds
 * back and alters what the fault plan says. It owns no clock and no socket: the time is an argument, in integer
 * microseconds.
 */
export class Router {
  /** What became of packets: `delivered`, what the plan did, and what was dropped, by code. */
  readonly counts = new Counts();
  readonly #options: RouterOptions;
  readonly #hostAt: ReadonlyMap<number, number>;
  readonly #fates: LinkFates;
  readonly #out: readonly CableQueue[];
  readonly #in: readonly CableQueue[];
  readonly #isDown: boolean[];
  readonly #underWay = new TinyQueue<UnderWay>([], (a, b) => a.dueUs - b.dueUs || a.order - b.order);
  #order = 0;
  #originUs = Number.POSITIVE_INFINITY;

  constructor(options: RouterOptions) {
    const { addresses, faults, rateMbit, seed } = options;
    this.#options = options;
    this.#hostAt = new Map(addresses.map((address, host) => [addressOf(address), host]));
    this.#fates = new LinkFates(faults, addresses.length, seed);
    this.#out = addresses.map(() => new CableQueue(rateMbit));
    this.#in = addresses.map(() => new CableQueue(rateMbit));
    this.#isDown = addresses.map(() => false);
  }

  /** The run's common origin: the plan's times count from here. Until then it does nothing. */
  begin(nowUs: number): void {
    this.#originUs = nowUs;
  }

  /** While a host is down, what arrives for it is lost. */
  setDown(host: number, isDown: boolean): void {
    this.#isDown[host] = isDown;
  }

  /** Takes a packet that came out of a host's cable. */
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
    if (sentUs === undefined) this.counts.add('cable-full');
    else this.#send(this.#fate(nowUs, from, to), sentUs, from, to, packet);
  }

  /** When {@link takeDue} has something to give, or undefined while nothing is under way. */
  get nextDueUs(): number | undefined {
    return this.#underWay.peek()?.dueUs;
  }

  /** The next packet that has arrived by now, or undefined. */
  takeDue(nowUs: number): RoutedPacket | undefined {
    for (let next = this.#underWay.peek(); next !== undefined; next = this.#underWay.peek()) {
      if (next.dueUs > nowUs) return undefined;
      this.#underWay.pop();
      if (this.#isStillFar(next)) continue;
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
    if (this.#underWay.length >= maxUnderWay) this.counts.add('router-full');
    else this.#underWay.push({ dueUs, order: this.#order++, to, packet, isFar: true });
  }

  /** Puts a packet that has come to its receiver's cable through it; false when it has passed. */
  #isStillFar(next: UnderWay): boolean {
    if (!next.isFar) return false;
    const passedUs = this.#in[next.to]!.passedUs(next.dueUs, next.packet.length);
    if (passedUs === next.dueUs) return false;
    if (passedUs === undefined) this.counts.add('cable-full');
    else this.#underWay.push({ ...next, dueUs: passedUs, order: this.#order++, isFar: false });
    return true;
  }
}
