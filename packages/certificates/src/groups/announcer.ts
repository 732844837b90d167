import type { Endpoint } from '@tutti/core';
import { concat } from '@tutti/core/input';
import { Channel, Counts, type CryptoSuite, MemberLink, type Refusal, type Transport } from '@tutti/transports';
import { announcementHeaderBytes, heightBytes } from './ask.ts';

/** Pause after the first announcement, ms. Each further pause is twice as long, up to the maximum. */
const firstPauseMs = 200;
const maxPauseMs = 10_000;
/**
 * Number of members that receive each further announcement of a message, after the first announcement to all members.
 */
const membersPerPeriod = 4;
/**
 * Number of dissemination periods without a new signer after which a round counts as over. The total duration of these
 * periods is limited to 10 s. Within these periods, a node that lacks signatures requests them once.
 */
const quietPeriods = 32;

/** Options of a {@link RepeatedAnnouncement}. */
export interface RepeatedAnnouncementOptions {
  readonly crypto: CryptoSuite;
  /** Number of members in the group. */
  readonly size: number;
  /** Index of the announcing member. */
  readonly self: number;
  /** Whether this member was the first to request the message. */
  readonly isFirst: boolean;
  readonly periodMs: number;
  /** Returns the number of signers of the certificate so far; 0 if there is none. */
  readonly signers: () => number;
  readonly announce: (to: number) => void;
  /** Called at each announcement if the certificate has had no new signers for long enough. */
  readonly onQuiet: () => void;
}

/**
 * Announces a message repeatedly with increasing pauses until all members have signed. If this member was the first to
 * request the message, it sends the first announcement to all members. Each later announcement is sent to a few random
 * members.
 */
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
    this.#timer = startTimer(() => this.#next(), pauseMs);
  }

  /**
   * Returns the members that receive the next announcement: first all members if this member was the first to request
   * the message, later a few random members.
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

/** Starts a timer that does not keep a Node program running. */
export function startTimer(task: () => void, delayMs: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(task, delayMs);
  if (typeof timer === 'object') (timer as { unref?(): void }).unref?.();
  return timer;
}

/** Returns the pause before the next announcement, given the number of announcements so far, ms. */
function pauseAfter(times: number): number {
  return Math.min(maxPauseMs, firstPauseMs * 2 ** times);
}

/** Maximum length of a message to sign, bytes. */
export const maxStatementBytes = 65_536;

/** Options of an {@link Announcer}. */
interface AnnouncerOptions {
  readonly crypto: CryptoSuite;
  readonly session: Uint8Array;
  readonly index: number;
  readonly networkSecret: Uint8Array;
  readonly networkKeys: readonly Uint8Array[];
  readonly endpoints: readonly Endpoint[];
  /** Transport that carries only the packets of this session. */
  readonly transport: Transport;
  /** Called with each announcement from another member. */
  readonly onAnnounced: (from: number, kind: number, bytes: Uint8Array) => void;
}

/** Carries whole messages and certificates between members, over the authenticated channel. */
export class Announcer {
  readonly refused = new Counts<Refusal>();
  readonly #link: MemberLink;

  constructor(options: AnnouncerOptions) {
    const { crypto, session, index, networkSecret, networkKeys, endpoints, transport, onAnnounced } = options;
    this.#link = new MemberLink({
      endpoints,
      transport,
      channel: new Channel({
        crypto,
        session,
        self: index,
        secret: networkSecret,
        publicKeys: networkKeys,
        maxPacketBytes: transport.maxPacketBytes,
        // The session lasts as long as the registry, so it covers many restarts. A repeated announcement has no effect.
        forgetsIncarnations: true,
      }),
      // A packet's message contains the kind, a height, and a request.
      maxMessageBytes: 1 + heightBytes + announcementHeaderBytes + maxStatementBytes,
      counts: { bytesSent: 0, bytesReceived: 0 },
      refused: this.refused,
      // An empty message is treated as a message of kind 0, which no member sends.
      onMessage: (from, message) => onAnnounced(from, message[0] ?? 0, message.slice(1)),
    });
  }

  announce(to: number, kind: number, bytes: Uint8Array): void {
    this.#link.send(to, concat(Uint8Array.of(kind), bytes));
  }

  close(): void {
    void this.#link.close();
  }
}
