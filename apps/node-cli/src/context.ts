import { Interrupted } from './usageError.ts';

/** Form of progress: one line of a terminal, which is overwritten; lines of a log, which remain; or none. */
export type ProgressForm = 'line' | 'log' | 'none';

/** Output and signals of a command, which a test can replace. */
export interface Context {
  /** Writes to the standard output: the result, and nothing else. */
  out(text: string): void;
  /** Writes to the standard error: progress and failures. */
  err(text: string): void;
  readonly progress: ProgressForm;
  /**
   * Makes the process survive a full disk: from now on, `lost` is called with the system's error code for each text
   * that `out` cannot write. Without this call, a full disk ends the process.
   */
  bearUnwritten?(lost: (code: string) => void): void;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/**
 * Yields to the event loop, between two parts of long work.
 *
 * @throws Interrupted after Ctrl-C.
 */
export async function breathe({ signal }: Pick<Context, 'signal'>): Promise<void> {
  await new Promise(setImmediate);
  if (signal.aborted) throw new Interrupted();
}

/** Prints the result of a command: one JSON document with `--json`, otherwise text. */
export function answer(context: Context, json: boolean | undefined, document: object, words: string): void {
  context.out(json ? `${JSON.stringify(document)}\n` : words);
}
