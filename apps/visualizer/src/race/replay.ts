import { messageOf, type Task, task } from '../worker/task.ts';
import type { Race } from './raceFile.ts';
import type { RaceRequest } from './raceWorker.ts';

export interface ReplayListener {
  /** Sets a lane's state: a time, or the result of comparing its digest. */
  lane(place: number, words: string, state: 'running' | 'same' | 'other' | 'failed'): void;
  ended(): void;
}

/**
 * Runs a race again in a worker, lane after lane, and holds each digest against the one that the page was made with.
 */
export function replay(race: Race, nodes: number, listener: ReplayListener): { stop(): void } {
  let now: Task<string> | undefined;
  const runLanes = async (): Promise<void> => {
    for (const [place, lane] of race.lanes.entries()) {
      listener.lane(place, 'starting', 'running');
      now = startLane({ protocol: lane.protocol, nodes, dead: race.dead }, (nowMs) =>
        listener.lane(place, `at ${(nowMs / 1000).toFixed(2)} s`, 'running'),
      );
      try {
        const digest = await now.result;
        if (digest === lane.digest) listener.lane(place, `same digest, ${digest}`, 'same');
        else listener.lane(place, `another digest, ${digest} instead of ${lane.digest}`, 'other');
      } catch (error) {
        listener.lane(place, `failed: ${messageOf(error)}`, 'failed');
      }
    }
    listener.ended();
  };
  void runLanes();
  return { stop: () => now?.stop() };
}

function startLane(request: RaceRequest, progress: (nowMs: number) => void): Task<string> {
  const worker = new Worker(new URL('./raceWorker.ts', import.meta.url), { type: 'module', name: 'tutti-race' });
  return task<RaceRequest, string, number>(worker, 'The race', request, { progress });
}
