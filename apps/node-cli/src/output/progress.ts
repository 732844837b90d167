import type { Context, ProgressForm } from '../context.ts';
import { grouped } from '../numbers.ts';

/** A terminal's line is redrawn at most this often. */
const terminalIntervalMs = 100;
/** A log gets its first line after this time, and no two closer together. */
const logIntervalMs = 2000;
/** A log gets a line for each of this many parts of the work. */
const logLines = 10;

/** How much is done and how much is left, in any one unit that stands for time. */
export interface Work {
  readonly done: number;
  readonly left: number;
}

/**
 * How far things are, on the standard error. A terminal has one line, drawn over; a log, where lines stay, has one
 * after 2 s, which says how long it will take, and one for each tenth of the work; where nobody knows how much there
 * is, one after 2 s, 4 s, 8 s and so on.
 */
export class Progress {
  readonly #err: Context['err'];
  readonly #form: ProgressForm;
  readonly #clock: () => number;
  readonly #startedMs: number;
  #lastMs: number;
  #drawn = false;
  /** Tenths done in a log's last line; -1 before the first line. */
  #tenths = -1;
  #paceFrom: { readonly atMs: number; readonly done: number } | undefined;

  /** @param clock monotonic, ms. */
  constructor(context: Context, clock = () => performance.now()) {
    this.#err = context.err;
    this.#form = context.progress;
    this.#clock = clock;
    this.#startedMs = clock();
    this.#lastMs = this.#form === 'line' ? Number.NEGATIVE_INFINITY : this.#startedMs;
  }

  /**
   * @param text made only when it will be shown. @param work if known: the time left is shown after the text, by the
   *   pace since the first call that had it.
   */
  update(text: () => string, work?: Work): void {
    if (this.#form === 'none') return;
    const nowMs = this.#clock();
    if (work !== undefined) this.#paceFrom ??= { atMs: nowMs, done: work.done };
    if (!(this.#form === 'line' ? this.#isTerminalDue(nowMs) : this.#isLogDue(nowMs, work))) return;
    this.#lastMs = nowMs;
    this.#drawn = true;
    const line = `${text()}${work === undefined ? '' : this.#timeLeft(nowMs, work)}`;
    this.#err(this.#form === 'line' ? `\r\x1b[2K${line}` : `${line}\n`);
  }

  /**
   * The common form: "checking keys: 3 of 40 keys, about 9 s left". @param work where the things that are counted do
   * not all take as long.
   */
  count(what: string, done: number, total: number, unit: string, work: Work = { done, left: total - done }): void {
    this.update(() => `${what}: ${grouped(done)} of ${grouped(total)} ${unit}`, work);
  }

  /** Takes the line off the terminal; to be called before anything else is written there. */
  done(): void {
    if (this.#drawn && this.#form === 'line') this.#err('\r\x1b[2K');
    this.#drawn = false;
  }

  #isTerminalDue(nowMs: number): boolean {
    return nowMs - this.#lastMs >= terminalIntervalMs;
  }

  #isLogDue(nowMs: number, work: Work | undefined): boolean {
    // The gap doubles, since the previous line was at half of the elapsed time.
    if (work === undefined) return nowMs - this.#lastMs >= Math.max(logIntervalMs, this.#lastMs - this.#startedMs);
    const tenths = Math.floor((logLines * work.done) / (work.done + work.left));
    if (nowMs - this.#lastMs < logIntervalMs || !(tenths > this.#tenths)) return false;
    this.#tenths = tenths;
    return true;
  }

  #timeLeft(nowMs: number, { done, left }: Work): string {
    const { atMs, done: doneThen } = this.#paceFrom!;
    return timeLeft(nowMs - atMs, done - doneThen, left);
  }
}

/** {@link Progress} through things of which each takes about as long, in the common form. */
export class Counter {
  readonly #progress: Progress;
  readonly #what: string;
  readonly #total: number;
  readonly #unit: string;
  #done = 0;

  /** @param total at most. */
  constructor(context: Context, what: string, total: number, unit: string) {
    this.#progress = new Progress(context);
    this.#what = what;
    this.#total = total;
    this.#unit = unit;
    this.#tell();
  }

  /** One more is done. */
  step(): void {
    this.#done++;
    this.#tell();
  }

  /** As {@link Progress.done}. */
  done(): void {
    this.#progress.done();
  }

  #tell(): void {
    this.#progress.count(this.#what, this.#done, this.#total, this.#unit);
  }
}

/** The same context, that shows no progress where the user asked for none. */
export function withoutProgressIf(isQuiet: () => boolean, context: Context): Context {
  return Object.create(context, { progress: { get: (): ProgressForm => (isQuiet() ? 'none' : context.progress) } });
}

/** How long the rest will take at the pace so far, in words; empty as long as there is nothing to judge the pace by. */
export function timeLeft(elapsedMs: number, costDone: number, costLeft: number): string {
  if (costDone <= 0) return '';
  const leftS = (elapsedMs / 1000) * (costLeft / costDone);
  if (leftS < 90) return `, about ${Math.ceil(leftS)} s left`;
  if (leftS < 90 * 60) return `, about ${Math.round(leftS / 60)} min left`;
  return `, about ${(leftS / 3600).toFixed(1)} h left`;
}
