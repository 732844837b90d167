/** How progress is told: in a terminal's line, which is drawn over; in a log, whose lines stay; or not at all. */
export type ProgressForm = 'line' | 'log' | 'none';

/** Where a command speaks, so that a test can listen. */
export interface Context {
  /** Writes to the standard output: the result, and nothing else. */
  out(text: string): void;
  /** Writes to the standard error: progress and failures. */
  err(text: string): void;
  readonly progress: ProgressForm;
  /**
   * From here on, what `out` cannot write, since the disk is full, is told to `lost` with the system's code, once for each text; otherwise
   * it ends the process.
   */
  bearUnwritten?(lost: (code: string) => void): void;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}
