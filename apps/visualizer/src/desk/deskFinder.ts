import type { Desk, Scenario } from '@tutti/simulation';
import { TaskWorker } from '../worker/task.ts';

/** Request for the verification queue of one node at one moment. */
export interface DeskRequest {
  readonly scenario: Scenario;
  readonly node: number;
  readonly timeUs: number;
}

export interface FoundDesk {
  /** Digest that the repeated run must have. */
  readonly digest: string;
  readonly desk: Desk | undefined;
}

export interface DeskListener {
  found(found: FoundDesk): void;
  failed(message: string): void;
}

/**
 * Finds verification queues in a worker, one request at a time. Of the requests that arrive in the meantime, it answers
 * only the last.
 */
export class DeskFinder {
  readonly #on: DeskListener;
  #worker: TaskWorker<DeskRequest, FoundDesk> | undefined;
  #isBusy = false;
  #next: DeskRequest | undefined;

  constructor(on: DeskListener) {
    this.#on = on;
  }

  ask(request: DeskRequest): void {
    if (this.#isBusy) this.#next = request;
    else void this.#find(request);
  }

  /** Drops requests about the previous run. */
  forget(): void {
    this.#worker?.end();
    this.#worker = undefined;
    this.#isBusy = false;
    this.#next = undefined;
  }

  async #find(request: DeskRequest): Promise<void> {
    this.#isBusy = true;
    this.#worker ??= new TaskWorker<DeskRequest, FoundDesk>(
      new Worker(new URL('./deskWorker.ts', import.meta.url), { type: 'module', name: 'tutti-desk' }),
      'The desk',
    );
    try {
      this.#on.found(await this.#worker.ask(request));
    } catch (error) {
      this.#on.failed((error as Error).message);
    }
    this.#isBusy = false;
    const next = this.#next;
    this.#next = undefined;
    if (next !== undefined) this.ask(next);
  }
}
