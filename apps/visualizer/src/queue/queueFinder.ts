import type { Scenario, VerificationQueue } from '@tutti/simulation';
import { messageOf, TaskWorker } from '../worker/task.ts';

/** Request for the verification queue of one node at a given moment. */
export interface QueueRequest {
  readonly scenario: Scenario;
  readonly node: number;
  readonly timeUs: number;
}

/** Answer to a queue request. */
export interface FoundQueue {
  /** Digest of the repeated run. */
  readonly digest: string;
  /** Queue of the node; undefined if the node has none. */
  readonly queue: VerificationQueue | undefined;
}

interface FinderListener {
  found(found: FoundQueue): void;
  failed(message: string): void;
}

/**
 * Reconstructs verification queues in a worker, one request at a time. If several requests arrive during a
 * reconstruction, only the last of them is answered.
 */
export class QueueFinder {
  readonly #on: FinderListener;
  #worker: TaskWorker<QueueRequest, FoundQueue> | undefined;
  #isBusy = false;
  #next: QueueRequest | undefined;

  constructor(on: FinderListener) {
    this.#on = on;
  }

  ask(request: QueueRequest): void {
    if (this.#isBusy) this.#next = request;
    else void this.#find(request);
  }

  /** Discards all open requests, because they concern the previous run. */
  forget(): void {
    this.#worker?.end();
    this.#worker = undefined;
    this.#isBusy = false;
    this.#next = undefined;
  }

  async #find(request: QueueRequest): Promise<void> {
    this.#isBusy = true;
    this.#worker ??= new TaskWorker<QueueRequest, FoundQueue>(
      new Worker(new URL('./queueWorker.ts', import.meta.url), { type: 'module', name: 'tutti-queue' }),
      'The verification queue',
    );
    try {
      this.#on.found(await this.#worker.ask(request));
    } catch (error) {
      // The next request starts another worker, because this worker may have ended.
      this.#worker?.end();
      this.#worker = undefined;
      this.#on.failed(messageOf(error));
    }
    this.#isBusy = false;
    const next = this.#next;
    this.#next = undefined;
    if (next !== undefined) this.ask(next);
  }
}
