import { Worker } from 'node:worker_threads';
import { WorldError } from '@tutti/transports';
import { Interrupted } from '../usageError.ts';
import { describeScenario, type SweepPoint } from './point.ts';
import type { RunnerReply } from './runnerThread.ts';

interface Task {
  readonly points: readonly SweepPoint[];
  readonly resolve: (lines: readonly string[]) => void;
  readonly reject: (error: Error) => void;
}

/** Threads that run points, one list each at a time. */
export class RunnerPool {
  readonly #most: number;
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Task>();
  readonly #waiting: Task[] = [];
  #closed = false;

  /** @param threads at most so many, started as they are needed. */
  constructor(threads: number) {
    this.#most = threads;
  }

  /**
   * Runs the points in their order.
   *
   * @returns their lines for a {@link ResultFile}.
   * @throws WorldError `run-failed` when one fails, or takes its thread with it; Interrupted when the pool is closed.
   */
  run(points: readonly SweepPoint[]): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ points, resolve, reject });
      this.#assign();
    });
  }

  /** Ends all threads there and then, in the middle of a run if need be. */
  async close(): Promise<void> {
    this.#closed = true;
    const threads = [...this.#idle, ...this.#busy.keys()];
    for (const task of [...this.#waiting.splice(0), ...this.#busy.values()]) task.reject(new Interrupted());
    this.#busy.clear();
    await Promise.all(threads.map((thread) => thread.terminate()));
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      if (this.#closed) {
        this.#waiting.shift()!.reject(new Interrupted());
        continue;
      }
      const thread = this.#idle.pop() ?? (this.#busy.size < this.#most ? this.#start() : undefined);
      if (thread === undefined) return;
      const task = this.#waiting.shift()!;
      this.#busy.set(thread, task);
      thread.postMessage(task.points);
    }
  }

  #start(): Worker {
    const thread = new Worker(new URL('./runnerThread.js', import.meta.url));
    thread.on('message', (reply: RunnerReply) => {
      const task = this.#busy.get(thread);
      if (task === undefined) return;
      this.#busy.delete(thread);
      this.#idle.push(thread);
      if ('failed' in reply) task.reject(new WorldError('run-failed', reply.failed));
      else task.resolve(reply.lines);
      this.#assign();
    });
    thread.on('error', (cause) => {
      const task = this.#busy.get(thread);
      this.#busy.delete(thread);
      const which = task?.points[0] === undefined ? '' : `${describeScenario(task.points[0].scenario)}: `;
      task?.reject(new WorldError('run-failed', `${which}its thread ended (${cause.message})`, { cause }));
      this.#assign();
    });
    return thread;
  }
}
