import { answerTasks } from '../worker/task.ts';
import { type LiveRace, liveRace, type RaceRequest } from './raceFile.ts';

/** Runs the race of one protocol and reports the current virtual time, ms. */
answerTasks<RaceRequest, LiveRace, number>(liveRace);
