import { Worker } from 'node:worker_threads';
import { EnvironmentError } from '@tutti/core/input';
import { Interrupted } from '../context.ts';
import type { SlotSettings } from './committeeOfSlot.ts';
import type { VerifyReply, VerifyTask, VerifyThreadData } from './verifyThread.ts';

/**
 * Duration of a task, seconds: wall-clock time until the last thread has finished, and total CPU time of all threads.
 */
export interface Taken {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
}

/** Threads that each hold a share of a slot's committees and all perform the same task at the same time. */
export class VerifyCrew {
  readonly #threads: Worker[];
  /** Ends the current task, if a task is running. */
  #fail: (error: Error) => void = () => {};
  #ended: Error | undefined;

  /**
   * Starts the threads.
   *
   * @param threads number of threads: at most the number of committees, which are assigned to the threads in rotation.
   */
  constructor(settings: SlotSettings, threads: number) {
    const all = Array.from({ length: settings.committees }, (_, index) => index);
    this.#threads = Array.from({ length: threads }, (_, thread) => {
      const data: VerifyThreadData = { settings, committees: all.filter((index) => index % threads === thread) };
      const worker = new Worker(new URL('./verifyThread.js', import.meta.url), { workerData: data });
      worker.on('error', (cause) =>
        this.#end(
          new EnvironmentError('run-failed', `bench collections: a thread ended (${cause.message})`, { cause }),
        ),
      );
      return worker;
    });
  }

  /**
   * Lets every thread perform a task.
   *
   * @param onStep called whenever a thread has completed a step.
   * @throws Error if a result is wrong; EnvironmentError `run-failed` if a thread ends; Interrupted if the crew is
   * closed.
   */
  async perform(task: VerifyTask, onStep: () => void): Promise<Taken> {
    const [startMs, startCpu] = [performance.now(), process.cpuUsage()];
    const stopped = new Promise<never>((_, reject) => {
      this.#fail = reject;
      if (this.#ended !== undefined) reject(this.#ended);
    });
    const answers = this.#threads.map((thread) => answerTo(thread, task, onStep));
    const results = await Promise.race([Promise.all(answers), stopped]);
    const { user, system } = process.cpuUsage(startCpu);
    if (results.includes(false)) throw new Error(`bench collections: ${JSON.stringify(task)} gave a wrong result`);
    return { wallSeconds: (performance.now() - startMs) / 1000, cpuSeconds: (user + system) / 1e6 };
  }

  /** Ends all threads immediately. */
  async close(): Promise<void> {
    this.#end(new Interrupted());
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }

  #end(error: Error): void {
    this.#ended ??= error;
    this.#fail(this.#ended);
  }
}

function answerTo(thread: Worker, task: VerifyTask, onStep: () => void): Promise<boolean> {
  return new Promise((resolve) => {
    const onReply = (reply: VerifyReply): void => {
      if (reply === 'step') onStep();
      else {
        thread.off('message', onReply);
        resolve(reply.right);
      }
    };
    thread.on('message', onReply);
    thread.postMessage(task);
  });
}
