import { Interrupted } from './usageError.ts';

/** How progress is shown: on a terminal's line, which is overwritten; in a log, whose lines stay; or not at all. */
export type ProgressForm = 'line' | 'log' | 'none';

/** Where a command speaks, so that a test can listen. */
export interface Context {
  /** Writes to the standard output: the result, and nothing else. */
  out(text: string): void;
  /** Writes to the standard error: progress and failures. */
  err(text: string): void;
  readonly progress: ProgressForm;
  /**
   * From now on, `lost` is called with the system's code for each text that `out` cannot write because the disk is
   * full; without it, that ends the process.
   */
  bearUnwritten?(lost: (code: string) => void): void;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/**
 * Between two parts of long work: lets what waits have its turn.
 *
 * @throws Interrupted after Ctrl-C.
 */
export async function breathe({ signal }: Pick<Context, 'signal'>): Promise<void> {
  await new Promise(setImmediate);
  if (signal.aborted) throw new Interrupted();
}
