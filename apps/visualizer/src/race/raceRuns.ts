import { fetched } from '../files.ts';
import { messageOf, type Task, task } from '../worker/task.ts';
import {
  type LiveRace,
  type Race,
  type RaceFile,
  type RaceRequest,
  readRace,
  readRaceFile,
  type StoredByzantineRace,
} from './raceFile.ts';

/** State of one protocol's repeated run: in progress, or the result of the digest comparison, or a failure. */
export type LaneState = 'running' | 'same' | 'other' | 'failed';

/** Callbacks for a repeated race. */
interface ReplayListener {
  /** Reports the state of a lane. @param place index of the lane. @param words the state in words. */
  lane(place: number, words: string, state: LaneState): void;
  ended(): void;
}

/** Simulates a race again in workers, lane by lane, and compares each digest with the recorded digest. */
export function replay(race: Race, { nodes, unitUs }: RaceFile, listener: ReplayListener): { stop(): void } {
  let now: Task<LiveRace> | undefined;
  const { dead, byzantine } = race;
  const runLanes = async (): Promise<void> => {
    for (const [place, { protocol, digest: expected }] of race.lanes.entries()) {
      listener.lane(place, 'starting', 'running');
      now = startRace({ protocol, nodes, dead, byzantine, unitUs }, (nowMs) =>
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

/** Runs one protocol's race in a separate worker. @param progress called repeatedly with the virtual time, ms. */
function startRace(request: RaceRequest, progress: (nowMs: number) => void): Task<LiveRace> {
  const worker = new Worker(new URL('./raceWorker.ts', import.meta.url), { type: 'module', name: 'tutti-race' });
  return task<RaceRequest, LiveRace, number>(worker, 'The race', request, { progress });
}

/**
 * Simulates a race of several protocols. If the simulation of one protocol fails, the others are stopped.
 *
 * @param progress called repeatedly with the virtual time of a protocol, ms.
 * @throws Error with the message of the first simulation that failed.
 */
export async function simulateRace(
  protocols: readonly RaceRequest['protocol'][],
  settings: Omit<RaceRequest, 'protocol'>,
  progress: (protocol: RaceRequest['protocol'], nowMs: number) => void,
): Promise<Race> {
  const start = (protocol: RaceRequest['protocol']) =>
    startRace({ protocol, ...settings }, (nowMs) => progress(protocol, nowMs));
  const tasks = protocols.map(start);
  const runs = await Promise.all(tasks.map(({ result }) => result)).finally(() => {
    for (const one of tasks) one.stop();
  });
  const { dead, byzantine } = settings;
  return { dead, byzantine, lanes: runs.map(({ lane }) => lane), outcomes: runs.map(({ outcome }) => outcome) };
}

/** Loads the race that was recorded when the page was built. */
export async function recordedRace(): Promise<RaceFile> {
  return readRaceFile(await fetched(new URL('./race.json', import.meta.url)));
}

/** Loads the recorded race with ten Byzantine nodes. */
export async function raceWithByzantine(): Promise<Race> {
  const stored: StoredByzantineRace = await fetched(new URL('./raceByzantine.json', import.meta.url));
  return readRace(stored, stored.outcomes);
}

/** Loads the recorded race with dead nodes. */
export async function raceWithDead({ outcomes }: RaceFile): Promise<Race> {
  return readRace(await fetched(new URL('./raceDead.json', import.meta.url)), outcomes);
}
