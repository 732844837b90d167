import type { EnvironmentError } from '@tutti/core/input';
import { Interrupted } from '../context.ts';

/** A run that has its own processes, all of which must end with the run. */
export interface Run<T> {
  /** Runs to the end; may be called only once. */
  outcome(): Promise<T>;
  /** Returns the error for a run that exceeds its time limit. */
  timeout(): EnvironmentError;
  /** Ends the processes of the run, whatever their state. */
  close(): Promise<void>;
}

/**
 * Returns the outcome of a run. The function closes the run before it returns or throws.
 *
 * @param create creates the run; its argument is a function that ends the run with an error.
 * @throws the cause of the end: the failure of the run, `timeout`, or Interrupted on Ctrl-C.
 */
export async function untilEnded<T>(
  create: (fail: (error: Error) => void) => Run<T>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<T> {
  const ended = signalled<never>();
  const run = create(ended.reject);
  const timer = setTimeout(() => ended.reject(run.timeout()), timeoutMs);
  const onAbort = () => ended.reject(new Interrupted());
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([run.outcome(), ended.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    await run.close();
  }
}

/** A promise together with the functions that settle it. */
interface Signalled<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Creates a promise that other code settles. The code that waits for the promise handles a rejection, so no other code
 * needs to handle it.
 */
export function signalled<T = void>(): Signalled<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
