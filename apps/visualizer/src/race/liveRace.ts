import { type RaceProtocol, raceScenario, runRace } from '@tutti/lab';
import { never, type RaceLane, type RaceOutcome } from './raceFile.ts';

/** Request to simulate one protocol's race. */
export interface RaceRequest {
  readonly protocol: RaceProtocol;
  readonly nodes: number;
  readonly dead: number;
  readonly liars: number;
  /** Unit of the lane's marks, µs. */
  readonly unitUs: number;
}

/** Race of one protocol: its lane and its outcome. */
export interface LiveRace {
  readonly lane: RaceLane;
  readonly outcome: RaceOutcome;
}

/** Simulates a race. @param progress called repeatedly with the virtual time, ms. */
export function liveRace(
  { protocol, nodes, dead, liars, unitUs }: RaceRequest,
  progress?: (nowMs: number) => void,
): LiveRace {
  const run = runRace(raceScenario(protocol, nodes, dead, liars), (nowUs) => progress?.(nowUs / 1000));
  const { digest, marksUs, alive, live, reached, lastMs, meanMs, bytesSent, messagesSent, checked } = run;
  // Marks are rounded down to the end of the race, at which the last node is done.
  const marks = Uint16Array.from(marksUs, (us) => (us < 0 ? never : Math.min(never - 1, Math.floor(us / unitUs))));
  return {
    lane: { protocol, digest, marks, perNode: run.marks.length, alive },
    outcome: { protocol, nodes, dead, live, reached, lastMs, meanMs, bytesSent, messagesSent, checked },
  };
}
