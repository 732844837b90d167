import type { Endpoint } from '@tutti/core';
import {
  durations,
  integers,
  requireArray,
  requireMethods,
  requireObject,
  requireText,
  type SettingsOf,
} from '@tutti/core/input';
import { Counts, type Refusal } from '../refusals.ts';
import type { PeerSignals } from '../signalling/signalling.ts';
import { CountedTransport } from '../transport/countedTransport.ts';
import { TokenBucket } from '../transport/pacing.ts';
import {
  filledIn,
  packetSetting,
  queueSetting,
  requireSendable,
  type Transport,
  waits,
} from '../transport/transport.ts';
import { TurnQueue } from '../transport/turnQueue.ts';
import { type IceServer, Link } from './link.ts';
import { decodeLinkSignal, encodeLinkSignal, type LinkSignal } from './linkSignal.ts';
import { LinkTable } from './linkTable.ts';

/** Options of {@link openWebRtc}. */
export interface WebRtcOptions {
  /** Name of this end in signals; this end's address is `{ host: name, port: 0 }`. */
  readonly name: string;
  /**
   * Signalling that carries offers and answers. The signalling is trusted with the fingerprints in offers and answers;
   * see `SealedSignals`.
   */
  readonly signals: PeerSignals;
  /** WebRTC implementation, required if the platform has none; see `loadNodeRtc`. */
  readonly rtc?: unknown;
  /**
   * STUN or TURN servers. Ends that can reach each other's addresses directly need no such servers. Without servers, no
   * third party learns that the ends connect to each other. Default: none.
   */
  readonly iceServers?: readonly IceServer[];
  /** Maximum length of a packet to send, bytes. Default: 1200. */
  readonly maxPacketBytes?: number;
  /**
   * Maximum number of packets that wait for one peer. Newer messages of Handel supersede older ones, so a few packets
   * suffice. Default: 64.
   */
  readonly queueBound?: number;
  /**
   * Maximum number of links. A browser page can have 500 connections, each of which occupies threads and buffers.
   * Default: 128.
   */
  readonly maxLinks?: number;
  /** Time without a packet after which a link is closed, ms; the next packet opens a new link. Default: 30,000. */
  readonly idleMs?: number;
  /** Time after which an unopened link counts as failed, ms. Default: 15,000. */
  readonly openWithinMs?: number;
  /**
   * Time after a failed attempt to open a link during which packets to the unreachable peer are dropped, ms. Default:
   * 5,000.
   */
  readonly retryAfterMs?: number;
}

/** Counters of links by outcome. */
export interface LinkCounters {
  /** Number of links that were opened. */
  opened: number;
  /** Number of links that did not open in time, or that the platform rejected. */
  failed: number;
  /** Number of links closed because they carried no packet for `idleMs`. */
  closedIdle: number;
  /** Number of links closed because the maximum number was exceeded. */
  evicted: number;
}

/** A transport over WebRTC data channels, with counters for its links. */
export interface WebRtcTransport extends Transport {
  readonly links: Readonly<LinkCounters>;
  /** Number of rejected signals, by code. */
  readonly refused: Readonly<Record<string, number>>;
}

type WebRtcBounds = Omit<WebRtcOptions, 'name' | 'signals' | 'rtc' | 'iceServers'>;

/** Ranges and defaults of the numeric options of {@link openWebRtc}. */
export const webRtcSettings: SettingsOf<WebRtcBounds> = {
  maxPacketBytes: packetSetting(),
  queueBound: queueSetting(64, 'maximum number of packets waiting for one peer'),
  maxLinks: { default: 128, range: integers(1, 65_536), about: 'maximum number of links' },
  idleMs: { default: 30_000, range: waits, about: 'maximum idle time of a link' },
  openWithinMs: { default: 15_000, range: waits, about: 'maximum time to open a link' },
  retryAfterMs: {
    default: 5_000,
    range: durations(0, waits.max),
    about: 'time for which packets to a peer are dropped after its link failed to open',
  },
};

/** Maximum interval between two searches for idle links, ms. */
const sweepMs = 1000;
/**
 * Maximum number of accepted offers per peer and second. Each offer costs a connection, and an honest peer makes an
 * offer only when it needs a link.
 */
const offersPerSecond = 0.5;
/** Maximum number of accepted offers per peer in a burst. */
const offerBurst = 8;

/**
 * Opens a transport over WebRTC. The data channels are unordered and without retransmissions, which matches Handel's
 * assumptions about the network. A link is opened on demand, and closed after it has been idle for a while.
 *
 * If both ends open a link at the same time, the offer of the end whose name sorts first takes precedence. The other
 * end drops its own offer and answers the offer that takes precedence.
 *
 * @throws TypeError or RangeError for an invalid option; TypeError if `rtc` is missing on a platform without WebRTC.
 */
export function openWebRtc(options: WebRtcOptions): WebRtcTransport {
  requireObject('options', options);
  requireText('name', options.name);
  requireMethods('signals', options.signals, ['send', 'onSignal']);
  requireArray('iceServers', options.iceServers ?? []);
  const platform = (options.rtc ?? globalThis) as { readonly RTCPeerConnection?: unknown };
  if (typeof platform.RTCPeerConnection !== 'function')
    throw new TypeError('rtc: expected an object with RTCPeerConnection, such as the result of loadNodeRtc, got none');
  return new LinkedTransport({ ...options, ...filledIn<WebRtcBounds>(options, webRtcSettings) });
}

class LinkedTransport extends CountedTransport implements WebRtcTransport {
  readonly links: LinkCounters = { opened: 0, failed: 0, closedIdle: 0, evicted: 0 };
  readonly #options: WebRtcOptions & Required<WebRtcBounds>;
  readonly #table: LinkTable<Link>;
  readonly #toSelf: TurnQueue<Uint8Array>;
  readonly #refused = new Counts<Refusal>();
  /** Time of the next permitted attempt to reach a peer after a failure, ms. */
  readonly #retryAtMs = new Map<string, number>();
  readonly #offers = new Map<string, TokenBucket>();
  readonly #sweep: ReturnType<typeof setInterval>;

  constructor(options: WebRtcOptions & Required<WebRtcBounds>) {
    const { name, signals, maxPacketBytes, queueBound, maxLinks, idleMs } = options;
    super({ host: name, port: 0 }, maxPacketBytes);
    this.#options = options;
    this.#table = new LinkTable(maxLinks, idleMs);
    this.#toSelf = new TurnQueue(queueBound, (bytes) => {
      this.countSent(bytes.length);
      this.receive(bytes, this.local);
    });
    this.#sweep = setInterval(() => this.#sweepAt(performance.now()), Math.min(sweepMs, idleMs));
    signals.onSignal((from, text) => this.#onSignal(from, text));
  }

  get refused(): Readonly<Record<string, number>> {
    return this.#refused.toRecord();
  }

  send(to: Endpoint, bytes: Uint8Array): void {
    requireSendable(to, bytes, this.maxPacketBytes);
    const { host: peer } = to;
    if (this.closed) return;
    if (peer === this.local.host) {
      if (this.#toSelf.push(bytes.slice())) this.counters.queueDropped++;
      return;
    }
    const nowMs = performance.now();
    const link = this.#table.use(peer, nowMs) ?? this.#offerTo(peer, nowMs);
    if (link === undefined) this.counters.sendErrors++;
    else if (link.send(bytes)) this.counters.queueDropped++;
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.#sweep);
    this.#toSelf.clear();
    for (const link of this.#table.takeAll()) link.end();
  }

  #offerTo(peer: string, nowMs: number): Link | undefined {
    if (nowMs < (this.#retryAtMs.get(peer) ?? 0)) return undefined;
    return this.#open(peer, true, crypto.getRandomValues(new Uint32Array(1))[0]!, nowMs);
  }

  #open(peer: string, initiator: boolean, attempt: number, nowMs: number): Link {
    const { rtc, iceServers = [], queueBound, openWithinMs } = this.#options;
    const link = new Link({
      ...{ initiator, attempt, rtc, iceServers, queueBound, openWithinMs },
      onSignal: (signal) => this.#options.signals.send(peer, encodeLinkSignal(signal)),
      onPacket: (bytes) => {
        this.#table.use(peer, performance.now());
        this.receive(bytes, { host: peer, port: 0 });
      },
      onSent: (bytes) => this.countSent(bytes),
      onOpen: () => {
        this.#table.use(peer, performance.now());
        this.links.opened++;
        this.#retryAtMs.delete(peer);
      },
      onMalformed: () => this.counters.malformed++,
      onEnd: (unsent, wasOpen) => {
        this.counters.sendErrors += unsent;
        // The table no longer contains a link that this end released. Such a link has not failed.
        if (!this.#table.forget(peer, link) || wasOpen) return;
        this.links.failed++;
        this.#retryAtMs.set(peer, performance.now() + this.#options.retryAfterMs);
      },
    });
    for (const evicted of this.#table.keep(peer, link, nowMs)) {
      this.links.evicted++;
      evicted.end();
    }
    return link;
  }

  #onSignal(from: string, text: string): void {
    if (this.closed) return;
    const signal = decodeLinkSignal(text);
    if (signal === undefined) this.#refused.add('malformed-signal');
    else if (signal.type === 'offer') this.#onOffer(from, signal);
    else {
      const link = this.#table.get(from);
      if (link?.attempt !== signal.attempt || !link.accept(signal)) this.#refused.add('unexpected-answer');
    }
  }

  #onOffer(from: string, offer: LinkSignal): void {
    const nowMs = performance.now();
    if (!this.#bucketOf(from, nowMs).spend(1, nowMs)) {
      this.#refused.add('too-many-offers');
      return;
    }
    const before = this.#table.get(from);
    if (before?.initiator && !before.isOpen && this.local.host < from) {
      // This end's offer takes precedence. The offer may have been lost, so this end sends it again.
      before.signal();
      return;
    }
    // A repeated offer already has a link.
    if (before?.initiator === false && before.attempt === offer.attempt) return;
    const link = this.#open(from, false, offer.attempt, nowMs);
    for (const bytes of before?.takeWaiting() ?? []) link.send(bytes);
    before?.end();
    link.accept(offer);
  }

  #bucketOf(peer: string, nowMs: number): TokenBucket {
    const known = this.#offers.get(peer);
    if (known !== undefined) return known;
    const [oldest] = this.#offers.keys();
    if (oldest !== undefined && this.#offers.size >= 2 * this.#options.maxLinks) this.#offers.delete(oldest);
    const bucket = new TokenBucket(offersPerSecond, offerBurst, nowMs);
    this.#offers.set(peer, bucket);
    return bucket;
  }

  #sweepAt(nowMs: number): void {
    for (const link of this.#table.takeIdle(nowMs, ({ isOpen }) => isOpen)) {
      this.links.closedIdle++;
      link.end();
    }
    for (const [peer, retryAtMs] of this.#retryAtMs) if (retryAtMs <= nowMs) this.#retryAtMs.delete(peer);
  }
}
