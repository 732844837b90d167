import { AsyncLocalStorage } from 'node:async_hooks';

/** The listener of one run of the command, and the warnings that it has received. A file may be read more than once. */
interface Listener {
  readonly say: (line: string) => void;
  readonly said: Set<string>;
}

const listeners = new AsyncLocalStorage<Listener>();

/** Runs a command. Each distinct warning is passed to `say` once. */
export function withWarnings<T>(say: (line: string) => void, run: () => T): T {
  return listeners.run({ say, said: new Set() }, run);
}

/**
 * Prints a warning about an input, unless it was printed before. Threads print none, since the main thread has read the
 * same input.
 */
export function warn(line: string | undefined): void {
  const listener = listeners.getStore();
  if (line === undefined || listener === undefined || listener.said.has(line)) return;
  listener.said.add(line);
  listener.say(line);
}
