import type { CryptoSuite } from '@tutti/transports/parts';

const firstPauseMs = 200;
const longestPauseMs = 10_000;
/** Whom a member tells of a message at a time, after it has told everybody. */
const toldAtATime = 4;
/** A round whose certificate got no more signers in so many periods is over; a node that lacks some asks once in them. */
const quietPeriods = 32;

export interface TellingOptions {
  readonly crypto: CryptoSuite;
  /** Members, and which of them tells. */
  readonly size: number;
  readonly self: number;
  /** Whether nobody told of the message before. */
  readonly isFirst: boolean;
  readonly periodMs: number;
  /** Of the certificate so far; 0 where there is none. */
  readonly signers: () => number;
  readonly tell: (to: number) => void;
  /** Called each time that the certificate was found to get no more signers. */
  readonly onQuiet: () => void;
}

/** Tells everybody of a message, and later some at a time until all have signed, less and less often. */
export class Telling {
  readonly #options: TellingOptions;
  #times = 0;
  /** When it was told last. */
  #signers = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TellingOptions) {
    this.#options = options;
  }

  /** Begins, or goes on where it was stopped. */
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
    const { size, periodMs, signers, tell, onQuiet } = this.#options;
    const count = signers();
    if (count === size) return;
    const quietMs = Math.min(longestPauseMs, quietPeriods * periodMs);
    if (count > 0 && count === this.#signers && pauseAfter(this.#times - 1) >= quietMs) onQuiet();
    this.#signers = count;
    for (const to of this.#toTell()) tell(to);
    this.#wait(pauseAfter(this.#times++));
  }

  #wait(pauseMs: number): void {
    this.#timer = setTimeout(() => this.#next(), pauseMs);
    // A timer that waits for nobody does not keep a program of Node running.
    if (typeof this.#timer === 'object') (this.#timer as { unref?(): void }).unref?.();
  }

  /** Everybody, by whoever was asked first; then some at a time, drawn at random. */
  #toTell(): number[] {
    const { crypto, size, self, isFirst } = this.#options;
    const others = Array.from({ length: size }, (_, index) => index).filter((index) => index !== self);
    if (this.#times === 0) return isFirst ? others : [];
    const [high = 0, low = 0] = crypto.randomBytes(2);
    const start = high * 256 + low;
    const count = Math.min(others.length, toldAtATime);
    return Array.from({ length: count }, (_, place) => others[(start + place) % others.length]!);
  }
}

/** How long to wait before a message is told again, when it was told so often before, ms. */
function pauseAfter(times: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** times);
}
