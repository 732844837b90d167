import { AsyncLocalStorage } from 'node:async_hooks';
import type { Command } from 'commander';

/** Form of progress output: one line of a terminal, which is overwritten; log lines, which remain; or none. */
export type ProgressForm = 'line' | 'log' | 'none';

/** Output and signals of a command, which tests can replace. */
export interface Context {
  /** Writes the result to the standard output. */
  out(text: string): void;
  /** Writes progress and failures to the standard error. */
  err(text: string): void;
  readonly progress: ProgressForm;
  /**
   * Lets the process continue when the disk is full: `lost` is then called with the system's error code for each text
   * that `out` cannot write. Without this call, a full disk ends the process.
   */
  bearUnwritten?(lost: (code: string) => void): void;
  /** Signal that Ctrl-C or SIGTERM aborts. */
  readonly signal: AbortSignal;
}

/**
 * Yields to the event loop between two parts of a long task.
 *
 * @throws Interrupted after Ctrl-C.
 */
export async function breathe({ signal }: Pick<Context, 'signal'>): Promise<void> {
  await new Promise(setImmediate);
  if (signal.aborted) throw new Interrupted();
}

/** Waits until a signal is aborted, for example because the user presses Ctrl-C. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Prints the result of a command: one JSON document with `--json`, otherwise text. */
export function answer(context: Context, json: boolean | undefined, document: object, words: string): void {
  context.out(json ? `${JSON.stringify(document)}\n` : words);
}

/** Error for a command line that is not possible, reported in one line with exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Error for Ctrl-C, with exit code 130, as shells expect. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
    this.name = 'Interrupted';
  }
}

/**
 * Returns the program to which a command belongs, with the words of the command line. Commander's types do not declare
 * these words.
 */
export function rootOf(command: Command): { readonly rawArgs: readonly string[] } {
  let root = command;
  while (root.parent !== null) root = root.parent;
  return root as unknown as { readonly rawArgs: readonly string[] };
}

/** Returns a word of a command line, quoted if a shell would otherwise read something else. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns the words typed after `tutti`, quoted so that a shell reads the same words again. */
export function commandLine(command: Command): string {
  return rootOf(command).rawArgs.map(shellWord).join(' ');
}

/**
 * Owner of the resources that a command has opened: sockets, locks, files and servers. The scope closes resources in
 * reverse order, so that later resources can still use earlier ones.
 */
export class Scope {
  readonly #open: { readonly value: unknown; readonly close: () => unknown }[] = [];

  /**
   * Adds a value that the scope closes.
   *
   * @returns the same value.
   */
  own<T>(value: T, close: (value: T) => unknown): T {
    this.#open.push({ value, close: () => close(value) });
    return value;
  }

  /** Transfers a value to another owner, which is responsible for closing the value. */
  handOver(value: unknown): void {
    const index = this.#open.findIndex((one) => one.value === value);
    if (index >= 0) this.#open.splice(index, 1);
  }

  /**
   * Closes all resources, even if closing one of them fails.
   *
   * @throws the first failure.
   */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const { close } of this.#open.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/**
 * Runs a task with a scope, and closes the scope when the task returns or throws.
 *
 * @throws the error of the task, or else the error of closing the scope.
 */
export async function inScope<T>(task: (scope: Scope) => Promise<T>): Promise<T> {
  const scope = new Scope();
  let result: T;
  try {
    result = await task(scope);
  } catch (error) {
    // The first error is the cause, which an error from closing would hide.
    await scope.close().catch(() => {});
    throw error;
  }
  await scope.close();
  return result;
}

/** Receiver of the warnings from one run of the command, and the warnings that it has received. */
interface Receiver {
  readonly receive: (line: string) => void;
  readonly received: Set<string>;
}

const receivers = new AsyncLocalStorage<Receiver>();

/**
 * Runs a command, and passes each distinct warning to `receive` once. Repetitions are dropped, because a command may
 * read a file more than once.
 */
export function withWarnings<T>(receive: (line: string) => void, run: () => T): T {
  return receivers.run({ receive, received: new Set() }, run);
}

/**
 * Reports a warning about an input. In a thread, this function has no effect, because the main thread has read the same
 * input.
 */
export function warn(line: string | undefined): void {
  const receiver = receivers.getStore();
  if (line === undefined || receiver === undefined || receiver.received.has(line)) return;
  receiver.received.add(line);
  receiver.receive(line);
}
