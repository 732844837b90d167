import { messageOf, type Task, task } from '../worker/task.ts';
import type { LiveRace, Race, RaceFile, RaceRequest } from './raceFile.ts';

interface ReplayListener {
  /** Sets a lane's state: a time, or the result of the digest comparison. */
  lane(place: number, words: string, state: 'running' | 'same' | 'other' | 'failed'): void;
  ended(): void;
}

/** Simulates a race again in a worker, lane by lane, and compares each digest with that of the recording. */
export function replay(race: Race, { nodes, unitUs }: RaceFile, listener: ReplayListener): { stop(): void } {
  let now: Task<LiveRace> | undefined;
  const { dead, liars } = race;
  const runLanes = async (): Promise<void> => {
    for (const [place, { protocol, digest: expected }] of race.lanes.entries()) {
      listener.lane(place, 'starting', 'running');
      now = startRace({ protocol, nodes, dead, liars, unitUs }, (nowMs) =>
        listener.lane(place, `at ${(nowMs / 1000).toFixed(2)} s`, 'running'),
      );
      try {
        const { digest } = (await now.result).lane;
        if (digest === expected) listener.lane(place, `same digest, ${digest}`, 'same');
        else listener.lane(place, `different digest, ${digest} instead of ${expected}`, 'other');
      } catch (error) {
        listener.lane(place, `failed: ${messageOf(error)}`, 'failed');
      }
    }
    listener.ended();
  };
  void runLanes();
  return { stop: () => now?.stop() };
}

/** Runs one protocol's race in a separate worker. */
export function startRace(request: RaceRequest, progress: (nowMs: number) => void): Task<LiveRace> {
  const worker = new Worker(new URL('./raceWorker.ts', import.meta.url), { type: 'module', name: 'tutti-race' });
  return task<RaceRequest, LiveRace, number>(worker, 'The race', request, { progress });
}
