import { type RacerName, raceScenario, runRace } from '@tutti/lab';
import { answerTasks } from '../worker/answerTasks.ts';

/** What the page asks for: one protocol's race, run here and now. */
export interface RaceRequest {
  readonly racer: RacerName;
  readonly nodes: number;
  readonly dead: number;
}

/** The run's digest; on the way, its virtual time in ms. */
answerTasks<RaceRequest, string, number>(
  ({ racer, nodes, dead }, progress) =>
    runRace(raceScenario(racer, nodes, dead), (nowUs) => progress(nowUs / 1000)).digest,
);
