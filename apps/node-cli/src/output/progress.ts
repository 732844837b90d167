import type { Context } from '../context.ts';

/** A terminal's line is drawn anew this often at most; elsewhere, where lines stay, much less often. */
const TERMINAL_INTERVAL_MS = 100;
const LOG_INTERVAL_MS = 2000;

/** One line on the standard error that says how far things are. */
export class Progress {
  readonly #context: Context;
  readonly #intervalMs: number;
  #lastMs: number;
  #drawn = false;

  constructor(context: Context) {
    this.#context = context;
    this.#intervalMs = context.isTerminal ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS;
    // A log gets no line at all of what is over in two seconds.
    this.#lastMs = context.isTerminal ? Number.NEGATIVE_INFINITY : performance.now();
  }

  /** @param text made only when it will be shown. */
  update(text: () => string): void {
    const nowMs = performance.now();
    if (nowMs - this.#lastMs < this.#intervalMs) return;
    this.#lastMs = nowMs;
    this.#drawn = true;
    this.#context.err(this.#context.isTerminal ? `\r\x1b[2K${text()}` : `${text()}\n`);
  }

  /** Takes the line off the terminal; to be called before anything else is written there. */
  done(): void {
    if (this.#drawn && this.#context.isTerminal) this.#context.err('\r\x1b[2K');
    this.#drawn = false;
  }
}
