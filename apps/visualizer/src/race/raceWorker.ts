import { answerTasks } from '../worker/task.ts';
import { type LiveRace, liveRace, type RaceRequest } from './raceFile.ts';

/** Runs the race of one protocol, and reports the virtual time during it, ms. */
answerTasks<RaceRequest, LiveRace, number>(liveRace);
