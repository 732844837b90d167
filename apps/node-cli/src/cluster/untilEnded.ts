import type { WorldError } from '@tutti/core/errors';
import { Interrupted } from '../usageError.ts';
import { type Signalled, signalled } from './signalled.ts';

/** Something that runs in processes of its own, which must not outlive it. */
export interface Run<T> {
  /** Runs it; called once. */
  outcome(): Promise<T>;
  /** What is said when time runs out. */
  timeout(): WorldError;
  /** Ends its processes, however far they are. */
  close(): Promise<void>;
}

/**
 * The outcome of a run, which is closed when this returns or throws.
 *
 * @param create is given what ends the run with an error.
 * @throws whatever ended the run: its failure, `timeout`, Interrupted on Ctrl-C.
 */
export async function untilEnded<T>(
  create: (fail: Signalled<never>['reject']) => Run<T>,
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
