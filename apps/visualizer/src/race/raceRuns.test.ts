import { afterEach, expect, it, vi } from 'vitest';
import { simulateRace } from './raceRuns.ts';

/** Worker that fails at the first request for the protocol `gossip`, and does not answer other requests. */
class FailingWorker {
  static readonly running = new Set<FailingWorker>();
  onmessage: ((event: { data: unknown }) => void) | null = null;

  constructor() {
    FailingWorker.running.add(this);
  }

  postMessage({ id, request }: { id: number; request: { protocol: string } }): void {
    if (request.protocol === 'gossip') this.onmessage!({ data: { id, kind: 'failed', message: 'no memory' } });
  }

  terminate(): void {
    FailingWorker.running.delete(this);
  }
}

afterEach(() => vi.unstubAllGlobals());

it('a race stops the simulations of all protocols if one of them fails', async () => {
  vi.stubGlobal('Worker', FailingWorker);
  const settings = { nodes: 4, dead: 0, byzantine: 0, unitUs: 1000 };
  await expect(simulateRace(['handel', 'gossip', 'complete-graph-bulk'], settings, () => {})).rejects.toThrow(
    'no memory',
  );
  expect(FailingWorker.running.size).toBe(0);
});
