import { type RaceProtocol, raceScenario, runRace } from '@tutti/lab';
import { answerTasks } from '../worker/answerTasks.ts';

/** Request of the page: one protocol's race, to run now. */
export interface RaceRequest {
  readonly protocol: RaceProtocol;
  readonly nodes: number;
  readonly dead: number;
}

/** The run's digest; on the way, its virtual time in ms. */
answerTasks<RaceRequest, string, number>(
  ({ protocol, nodes, dead }, progress) =>
    runRace(raceScenario(protocol, nodes, dead), (nowUs) => progress(nowUs / 1000)).digest,
);
