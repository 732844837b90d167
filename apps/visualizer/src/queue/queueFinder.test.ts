import { expect, it, vi } from 'vitest';
import { QueueFinder, type QueueRequest } from './queueFinder.ts';

it('a request after the failure of a worker starts another worker', async () => {
  const workers: unknown[] = [];
  class FailingWorker {
    onerror: ((event: ErrorEvent) => void) | undefined;
    constructor() {
      workers.push(this);
    }
    postMessage(): void {
      this.onerror!({ message: `worker ${workers.length} failed` } as ErrorEvent);
    }
    terminate(): void {}
  }
  vi.stubGlobal('Worker', FailingWorker);
  const messages: string[] = [];
  const finder = new QueueFinder({ found: () => {}, failed: (message) => messages.push(message) });
  for (const place of [1, 2]) {
    finder.ask({} as QueueRequest);
    await vi.waitFor(() => expect(messages).toHaveLength(place));
  }
  expect(messages).toEqual(['worker 1 failed', 'worker 2 failed']);
  vi.unstubAllGlobals();
});
