import type { Endpoint } from '@tutti/core';
import type { Refusal, Transport } from '@tutti/transports';
import { Channel, Counts, type CryptoSuite, Reassembly, splitMessage, vouchesFor } from '@tutti/transports/parts';
import { announcementHeaderBytes, heightBytes } from './ask.ts';

const firstPauseMs = 200;
const maxPauseMs = 10_000;
/** Number of members that receive one further announcement of a message, after all members have received the first. */
const membersPerPeriod = 4;
/**
 * Number of periods without a new signer after which a round is over. Within these periods, a node that lacks
 * signatures asks for them once.
 */
const quietPeriods = 32;

export interface RepeatedAnnouncementOptions {
  readonly crypto: CryptoSuite;
  /** Number of members. */
  readonly size: number;
  /** Index of the announcing member. */
  readonly self: number;
  /** Whether this member was the first to request the message. */
  readonly isFirst: boolean;
  readonly periodMs: number;
  /** Returns the number of signers of the certificate so far; 0 if there is none. */
  readonly signers: () => number;
  readonly announce: (to: number) => void;
  /** Called each time that the certificate has had no new signers. */
  readonly onQuiet: () => void;
}

/** Announces a message: first to all members, then to a few at a time until all have signed, with growing pauses. */
export class RepeatedAnnouncement {
  readonly #options: RepeatedAnnouncementOptions;
  #times = 0;
  /** Number of signers at the last announcement. */
  #signers = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: RepeatedAnnouncementOptions) {
    this.#options = options;
  }

  /** Starts announcing, or continues after a stop. */
  start(): void {
    if (this.#timer !== undefined) return;
    if (this.#times === 0) this.#next();
    else this.#wait(pauseAfter(this.#times - 1));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #next(): void {
    this.#timer = undefined;
    const { size, periodMs, signers, announce, onQuiet } = this.#options;
    const count = signers();
    if (count === size) return;
    const quietMs = Math.min(maxPauseMs, quietPeriods * periodMs);
    if (count > 0 && count === this.#signers && pauseAfter(this.#times - 1) >= quietMs) onQuiet();
    this.#signers = count;
    for (const to of this.#recipients()) announce(to);
    this.#wait(pauseAfter(this.#times++));
  }

  #wait(pauseMs: number): void {
    this.#timer = setTimeout(() => this.#next(), pauseMs);
    // The timer must not keep a Node program running.
    if (typeof this.#timer === 'object') (this.#timer as { unref?(): void }).unref?.();
  }

  /**
   * Returns the members to which to announce: all members if this member was the first to request the message, then a
   * few random members.
   */
  #recipients(): number[] {
    const { crypto, size, self, isFirst } = this.#options;
    const others = Array.from({ length: size }, (_, index) => index).filter((index) => index !== self);
    if (this.#times === 0) return isFirst ? others : [];
    const [high = 0, low = 0] = crypto.randomBytes(2);
    const start = high * 256 + low;
    const count = Math.min(others.length, membersPerPeriod);
    return Array.from({ length: count }, (_, place) => others[(start + place) % others.length]!);
  }
}

/** Returns the pause before the next announcement, given the number of announcements so far, ms. */
function pauseAfter(times: number): number {
  return Math.min(maxPauseMs, firstPauseMs * 2 ** times);
}

/**
 * Kinds of messages between members outside rounds: a message to sign, and a certificate. Either may begin with a
 * height of 8 bytes.
 */
export const AnnouncedKind = { message: 1, certificate: 2, messageOfHeight: 3, certificateOfHeight: 4 } as const;

/** Maximum length of a message to sign, bytes. */
export const maxStatementBytes = 65_536;

interface AnnouncerOptions {
  readonly crypto: CryptoSuite;
  readonly session: Uint8Array;
  readonly index: number;
  readonly networkSecret: Uint8Array;
  readonly networkKeys: readonly Uint8Array[];
  readonly endpoints: readonly Endpoint[];
  /** Transport that carries only this session. */
  readonly transport: Transport;
  /** Called with an announcement of a member. */
  readonly onAnnounced: (from: number, kind: number, bytes: Uint8Array) => void;
}

/** Carries whole messages and certificates between members, over the authenticated channel. */
export class Announcer {
  readonly refused = new Counts<Refusal>();
  readonly #options: AnnouncerOptions;
  readonly #channel: Channel;
  readonly #reassembly: Reassembly;

  constructor(options: AnnouncerOptions) {
    const { crypto, session, index, networkSecret, networkKeys, transport } = options;
    this.#options = options;
    this.#channel = new Channel({
      crypto,
      session,
      self: index,
      secret: networkSecret,
      publicKeys: networkKeys,
      maxPacketBytes: transport.maxPacketBytes,
      // The session is that of the registry, with many restarts. A repeated announcement does no harm.
      forgetsIncarnations: true,
    });
    this.#reassembly = new Reassembly({
      // The kind, a height, and a request.
      maxMessageBytes: 1 + heightBytes + announcementHeaderBytes + maxStatementBytes,
      onRefused: (code) => this.refused.add(code),
    });
    transport.onPacket((bytes, from) => this.#onPacket(bytes, from));
  }

  announce(to: number, kind: number, bytes: Uint8Array): void {
    const { endpoints, transport } = this.#options;
    const message = new Uint8Array(bytes.length + 1);
    message[0] = kind;
    message.set(bytes, 1);
    for (const payload of splitMessage(message, this.#channel.maxPayloadBytes, this.#channel.nextNumber(to)))
      transport.send(endpoints[to]!, this.#channel.seal(to, payload));
  }

  close(): void {
    void this.#options.transport.close();
  }

  #onPacket(bytes: Uint8Array, address: Endpoint): boolean {
    const { endpoints, transport, onAnnounced } = this.#options;
    const opened = this.#channel.open(bytes);
    if (!opened.ok) {
      this.refused.add(opened.code);
      if (opened.answer !== undefined) transport.send(endpoints[opened.answer.to]!, opened.answer.packet);
      return false;
    }
    const message = opened.payload.length > 0 ? this.#reassembly.take(opened.from, opened.payload) : undefined;
    if (message !== undefined && message.length > 0) onAnnounced(opened.from, message[0]!, message.slice(1));
    return vouchesFor(endpoints, opened.from, bytes, address);
  }
}
