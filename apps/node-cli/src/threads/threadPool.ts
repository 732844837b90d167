import { Worker } from 'node:worker_threads';
import { EnvironmentError } from '@tutti/core/input';
import { Interrupted } from '../context.ts';
import type { ReadNetwork } from '../networkFile.ts';

/** A thread's answer to a task. */
export type ThreadReply<Answer> = { readonly answer: Answer } | { readonly failed: string };

interface WaitingTask<Task, Answer> {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Pool of threads that all run the same script. The script answers each task with a {@link ThreadReply}; a thread runs
 * one task at a time.
 */
export class ThreadPool<Task, Answer> {
  readonly #max: number;
  readonly #script: URL;
  readonly #describe: (task: Task) => string;
  readonly #networks: Readonly<Record<string, ReadNetwork>>;
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, WaitingTask<Task, Answer>>();
  readonly #waiting: WaitingTask<Task, Answer>[] = [];
  #closed = false;

  /**
   * Creates a thread pool, which starts its threads as needed.
   *
   * @param threads maximum number of threads.
   * @param describe returns the name of a task for the error that reports that the task ended its thread.
   * @param networks networks from files, which each thread gets as its `workerData`.
   */
  constructor(
    threads: number,
    script: URL,
    describe: (task: Task) => string,
    networks: Readonly<Record<string, ReadNetwork>> = {},
  ) {
    this.#max = threads;
    this.#script = script;
    this.#describe = describe;
    this.#networks = networks;
  }

  /**
   * Runs a task on a free thread.
   *
   * @throws EnvironmentError `run-failed` if the task fails or ends its thread; Interrupted when the pool is closed.
   */
  run(task: Task): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject });
      this.#assign();
    });
  }

  /**
   * Does work that runs tasks, and closes the pool when the work ends or as soon as the signal is aborted.
   *
   * @throws Interrupted if the signal is already aborted, without starting the work; otherwise the error of the work.
   */
  async during<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (signal.aborted) throw new Interrupted();
    const onAbort = () => void this.close();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await work();
    } finally {
      signal.removeEventListener('abort', onAbort);
      await this.close();
    }
  }

  /** Terminates all threads immediately, even during a task. */
  async close(): Promise<void> {
    this.#closed = true;
    const threads = [...this.#idle, ...this.#busy.keys()];
    for (const { reject } of [...this.#waiting.splice(0), ...this.#busy.values()]) reject(new Interrupted());
    this.#busy.clear();
    await Promise.all(threads.map((thread) => thread.terminate()));
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      if (this.#closed) {
        this.#waiting.shift()!.reject(new Interrupted());
        continue;
      }
      const thread = this.#idle.pop() ?? (this.#busy.size < this.#max ? this.#start() : undefined);
      if (thread === undefined) return;
      const next = this.#waiting.shift()!;
      this.#busy.set(thread, next);
      thread.postMessage(next.task);
    }
  }

  #start(): Worker {
    const thread = new Worker(this.#script, { workerData: this.#networks });
    thread.on('message', (reply: ThreadReply<Answer>) => {
      const done = this.#busy.get(thread);
      if (done === undefined) return;
      this.#busy.delete(thread);
      this.#idle.push(thread);
      if ('failed' in reply) done.reject(new EnvironmentError('run-failed', reply.failed));
      else done.resolve(reply.answer);
      this.#assign();
    });
    let cause: Error | undefined;
    thread.on('error', (error) => {
      cause = error;
    });
    thread.on('exit', (code) => this.#remove(thread, cause ?? new Error(`exit code ${code}`)));
    return thread;
  }

  /** Removes a thread that has ended, and rejects the task that it was running. */
  #remove(thread: Worker, cause: Error): void {
    if (this.#idle.includes(thread)) this.#idle.splice(this.#idle.indexOf(thread), 1);
    const lost = this.#busy.get(thread);
    this.#busy.delete(thread);
    lost?.reject(
      new EnvironmentError('run-failed', `${this.#describe(lost.task)}: its thread ended (${cause.message})`, {
        cause,
      }),
    );
    this.#assign();
  }
}
