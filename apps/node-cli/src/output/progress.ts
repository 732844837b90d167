import { breathe, type Context, type ProgressForm } from '../context.ts';
import { grouped } from './text.ts';

/** Minimum time between two updates of the line on a terminal, ms. */
const terminalIntervalMs = 100;
/** Time until the first line in a log, and minimum time between two lines, ms. */
const logIntervalMs = 2000;
/** Number of equal parts of the work after each of which a log gets one line. */
const logLines = 10;

/** Amounts of completed and remaining work, in any unit that is proportional to time. */
export interface Work {
  readonly done: number;
  readonly left: number;
}

/**
 * Progress display on standard error. A terminal has one line, which is overwritten. A log gets one line after 2 s with
 * the expected time, and one line for each tenth of the work. If the amount of work is unknown, a log gets one line
 * after 2 s, 4 s, 8 s and so on.
 */
export class Progress {
  readonly #err: Context['err'];
  readonly #form: ProgressForm;
  readonly #clock: () => number;
  readonly #startedMs: number;
  #lastMs: number;
  #drawn = false;
  /** Number of completed tenths in the last line of a log; -1 before the first line. */
  #tenths = -1;
  #paceFrom: { readonly atMs: number; readonly done: number } | undefined;

  /**
   * Creates a progress display.
   *
   * @param clock monotonic clock, ms.
   */
  constructor(context: Context, clock = () => performance.now()) {
    this.#err = context.err;
    this.#form = context.progress;
    this.#clock = clock;
    this.#startedMs = clock();
    this.#lastMs = this.#form === 'line' ? Number.NEGATIVE_INFINITY : this.#startedMs;
  }

  /**
   * Updates the display.
   *
   * @param text called only if the text is shown.
   * @param work if given, the remaining time is shown after the text, extrapolated from the progress since the first
   * call with `work`.
   */
  update(text: () => string, work?: Work): void {
    if (this.#form === 'none') return;
    const nowMs = this.#clock();
    if (work !== undefined) this.#paceFrom ??= { atMs: nowMs, done: work.done };
    const isDue = this.#form === 'line' ? nowMs - this.#lastMs >= terminalIntervalMs : this.#isLogDue(nowMs, work);
    if (!isDue) return;
    this.#lastMs = nowMs;
    this.#drawn = true;
    const from = this.#paceFrom;
    const left =
      work === undefined || from === undefined ? '' : timeLeft(nowMs - from.atMs, work.done - from.done, work.left);
    const line = `${text()}${left}`;
    this.#err(this.#form === 'line' ? `\r\x1b[2K${line}` : `${line}\n`);
  }

  /**
   * Updates the display in the common format: "checking keys: 3 of 40 keys, about 9 s left".
   *
   * @param work given if the counted items do not all take equally long.
   */
  count(what: string, done: number, total: number, unit: string, work: Work = { done, left: total - done }): void {
    this.update(() => `${what}: ${grouped(done)} of ${grouped(total)} ${unit}`, work);
  }

  /** Removes the progress line from the terminal. Must be called before anything else is written to the terminal. */
  done(): void {
    if (this.#drawn && this.#form === 'line') this.#err('\r\x1b[2K');
    this.#drawn = false;
  }

  #isLogDue(nowMs: number, work: Work | undefined): boolean {
    // The interval doubles, because the previous line appeared at half of the elapsed time.
    if (work === undefined) return nowMs - this.#lastMs >= Math.max(logIntervalMs, this.#lastMs - this.#startedMs);
    const tenths = Math.floor((logLines * work.done) / (work.done + work.left));
    if (nowMs - this.#lastMs < logIntervalMs || !(tenths > this.#tenths)) return false;
    this.#tenths = tenths;
    return true;
  }
}

/** Counter of items that take about equally long, shown by {@link Progress} in the common format. */
export class Counter {
  readonly #progress: Progress;
  readonly #show: () => void;
  #done = 0;

  /**
   * Creates a counter.
   *
   * @param total number of items.
   */
  constructor(context: Context, what: string, total: number, unit: string) {
    this.#progress = new Progress(context);
    this.#show = () => this.#progress.count(what, this.#done, total, unit);
    this.#show();
  }

  /** Counts one completed item. */
  step(): void {
    this.#done++;
    this.#show();
  }

  /** Removes the progress line, like {@link Progress.done}. */
  done(): void {
    this.#progress.done();
  }
}

/**
 * Calls a function for each item in this thread, one after another, and shows the number of completed items.
 *
 * @param unit plural of the items in the progress line.
 * @returns the results, in the order of the items.
 * @throws Interrupted; errors of `run`.
 */
export async function runEach<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Result | Promise<Result>,
  unit: string,
  context: Context,
): Promise<Result[]> {
  const counter = new Counter(context, 'running', items.length, unit);
  const results: Result[] = [];
  try {
    for (const item of items) {
      await breathe(context);
      results.push(await run(item));
      counter.step();
    }
  } finally {
    counter.done();
  }
  return results;
}

/** Returns the same context, but without progress if the user has disabled it. */
export function withoutProgressIf(isQuiet: () => boolean, context: Context): Context {
  return Object.create(context, { progress: { get: (): ProgressForm => (isQuiet() ? 'none' : context.progress) } });
}

/** Returns the time since a reading of `performance.now()`, seconds, rounded to milliseconds. */
export function secondsSince(startedMs: number): number {
  return Math.round(performance.now() - startedMs) / 1000;
}

/** CPU time and memory of one process or of several. */
export interface ProcessCost {
  /** CPU time, seconds. */
  readonly cpuSeconds: number;
  /** Peak memory since the start, bytes. */
  readonly peakRssBytes: number;
}

/** Returns the peak memory of this process since its start, bytes. */
export function ownPeakRssBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}

/** Returns the CPU time of this process since an earlier reading of `process.cpuUsage()`, and its peak memory. */
export function costSince(former: NodeJS.CpuUsage): ProcessCost {
  const { user, system } = process.cpuUsage(former);
  return { cpuSeconds: (user + system) / 1e6, peakRssBytes: ownPeakRssBytes() };
}

/**
 * Returns the time that a command has taken, seconds, to the millisecond: since its start, and CPU time of this process
 * including its threads. The CPU time excludes workers on other machines.
 *
 * @param startedMs start by `performance.now`, ms.
 */
export function timeTaken(startedMs: number): { readonly wallSeconds: number; readonly cpuSeconds: number } {
  const { user, system } = process.cpuUsage();
  return {
    wallSeconds: secondsSince(startedMs),
    cpuSeconds: Math.round((user + system) / 1000) / 1000,
  };
}

/** Describes the remaining time, extrapolated from the elapsed time; empty if no work was done in that time. */
function timeLeft(elapsedMs: number, costDone: number, costLeft: number): string {
  if (costDone <= 0) return '';
  const leftS = (elapsedMs / 1000) * (costLeft / costDone);
  if (leftS < 90) return `, about ${Math.ceil(leftS)} s left`;
  if (leftS < 90 * 60) return `, about ${Math.round(leftS / 60)} min left`;
  return `, about ${(leftS / 3600).toFixed(1)} h left`;
}
