import type { Task } from './task.ts';

/** The part of a progress bar that a task needs. */
export interface TaskBar {
  readonly classList: Pick<DOMTokenList, 'toggle'>;
  value: number;
  removeAttribute(name: string): void;
}

/** What a page waits for, one task at a time: the bar moves meanwhile. */
export class OneTask {
  readonly #bar: TaskBar;
  readonly #changed: (isRunning: boolean) => void;
  #task: Task<unknown> | undefined;

  /** @param changed hears when a task begins, and when it has ended, stopped or failed. */
  constructor(bar: TaskBar, changed: (isRunning: boolean) => void) {
    this.#bar = bar;
    this.#changed = changed;
  }

  get isRunning(): boolean {
    return this.#task !== undefined;
  }

  /** How far it is, 0 to 1, where it says so. */
  set progress(share: number) {
    this.#bar.value = share;
  }

  /** Waits for a task, in place of the one before. */
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

  /** Nothing more is heard of it. */
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
