import type { Desk } from '@tutti/core/simulation';
import type { DeskAnswer, DeskRequest } from './deskWorker.ts';

export interface DeskListener {
  /** @param digest of the run that was played again for it. */
  found(desk: Desk | undefined, digest: string): void;
  failed(message: string): void;
}

/** Finds desks in a worker: one question at a time, and of those that come meanwhile the last one. */
export class DeskFinder {
  readonly #on: DeskListener;
  #worker: Worker | undefined;
  #isBusy = false;
  #next: DeskRequest | undefined;

  constructor(on: DeskListener) {
    this.#on = on;
  }

  ask(request: DeskRequest): void {
    if (this.#isBusy) {
      this.#next = request;
      return;
    }
    this.#isBusy = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage(request);
  }

  /** Another run: requests about the previous one are of no use any more. */
  forget(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#isBusy = false;
    this.#next = undefined;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./deskWorker.ts', import.meta.url), { type: 'module', name: 'tutti-desk' });
    worker.onmessage = ({ data }: MessageEvent<DeskAnswer>) => {
      this.#isBusy = false;
      if (data.kind === 'desk') this.#on.found(data.desk, data.digest);
      else this.#on.failed(data.message);
      const next = this.#next;
      this.#next = undefined;
      if (next !== undefined) this.ask(next);
    };
    worker.onerror = (event) => {
      this.forget();
      this.#on.failed(event.message || 'the worker could not be loaded');
    };
    return worker;
  }
}
