import { readUint } from '@tutti/core/input';
import type { CryptoSuite } from '@tutti/transports';

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
    else this.#wait(pauseAfter(this.#times));
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
    if (count > 0 && count === this.#signers && pauseAfter(this.#times) >= quietMs) onQuiet();
    this.#signers = count;
    for (const to of this.#recipients()) announce(to);
    this.#wait(pauseAfter(++this.#times));
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
    if (this.#times === 0 && !isFirst) return [];
    const others = size - 1;
    const count = this.#times === 0 ? others : Math.min(others, membersPerPeriod);
    const start = readUint(crypto.randomBytes(4), 0, 4);
    return Array.from({ length: count }, (_, place) => (self + 1 + ((start + place) % others)) % size);
  }
}

/** Starts a timer that does not keep a Node program running. */
export function startTimer(task: () => void, delayMs: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(task, delayMs);
  if (typeof timer === 'object') (timer as { unref?(): void }).unref?.();
  return timer;
}

/** Returns the pause before the next announcement, ms. @param times number of announcements so far, at least 1. */
function pauseAfter(times: number): number {
  return Math.min(maxPauseMs, firstPauseMs * 2 ** (times - 1));
}
