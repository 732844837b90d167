import type { Task } from './task.ts';

/** Part of a progress bar that a task needs. */
interface TaskBar {
  readonly classList: Pick<DOMTokenList, 'toggle'>;
  value: number;
  removeAttribute(name: string): void;
}

/** Waits for one task at a time, and updates a progress bar in the meantime. */
export class OneTask {
  readonly #bar: TaskBar;
  readonly #changed: (isRunning: boolean) => void;
  #task: Task<unknown> | undefined;

  /** @param changed called when a task begins, and when it has ended, was stopped or failed. */
  constructor(bar: TaskBar, changed: (isRunning: boolean) => void) {
    this.#bar = bar;
    this.#changed = changed;
  }

  get isRunning(): boolean {
    return this.#task !== undefined;
  }

  /** Sets the progress, 0 to 1. */
  set progress(share: number) {
    this.#bar.value = share;
  }

  /** Waits for a task, and stops waiting for the previous one. */
  wait<Result>(task: Task<Result>, done: (result: Result) => void, failed: (error: Error) => void): void {
    this.stop();
    this.#bar.removeAttribute('value');
    this.#set(task);
    task.result.then(
      (result) => {
        this.#set(undefined);
        done(result);
      },
      (error: Error) => {
        this.#set(undefined);
        failed(error);
      },
    );
  }

  /** Stops the task. No callback is called afterwards. */
  stop(): void {
    if (this.#task === undefined) return;
    this.#task.stop();
    this.#set(undefined);
  }

  #set(task: Task<unknown> | undefined): void {
    this.#task = task;
    this.#bar.classList.toggle('busy', task !== undefined);
    this.#changed(task !== undefined);
  }
}
