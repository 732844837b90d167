import type { Race } from './raceFile.ts';
import type { RaceReport, RaceRequest } from './raceWorker.ts';

export interface ReplayListener {
  /** What a lane is at: a time, or the verdict on its digest. */
  lane(place: number, words: string, state: 'running' | 'same' | 'other' | 'failed'): void;
  ended(): void;
}

/**
 * Runs a race again in a worker, lane after lane, and holds each digest against the one that the page was made with.
 */
export function replay(race: Race, nodes: number, listener: ReplayListener): { stop(): void } {
  let worker: Worker | undefined;
  const runLane = (place: number): void => {
    const lane = race.lanes[place];
    if (lane === undefined) {
      listener.ended();
      return;
    }
    worker = new Worker(new URL('./raceWorker.ts', import.meta.url), { type: 'module', name: 'tutti-race' });
    const end = (words: string, state: 'same' | 'other' | 'failed') => {
      worker?.terminate();
      listener.lane(place, words, state);
      runLane(place + 1);
    };
    worker.onmessage = ({ data }: MessageEvent<RaceReport>) => {
      if (data.kind === 'progress') listener.lane(place, `at ${(data.nowMs / 1000).toFixed(2)} s`, 'running');
      else if (data.kind === 'failed') end(`failed: ${data.message}`, 'failed');
      else if (data.digest === lane.digest) end(`same digest, ${data.digest}`, 'same');
      else end(`another digest, ${data.digest} instead of ${lane.digest}`, 'other');
    };
    worker.onerror = (event) => end(`failed: ${event.message || 'the worker could not be loaded'}`, 'failed');
    listener.lane(place, 'starting', 'running');
    worker.postMessage({ protocol: lane.protocol, nodes, dead: race.dead } satisfies RaceRequest);
  };
  runLane(0);
  return { stop: () => worker?.terminate() };
}
