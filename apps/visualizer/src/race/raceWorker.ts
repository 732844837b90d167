import { answerTasks } from '../worker/answerTasks.ts';
import { type LiveRace, liveRace, type RaceRequest } from './liveRace.ts';

/** Runs one protocol's race; on the way it reports the virtual time in ms. */
answerTasks<RaceRequest, LiveRace, number>(liveRace);
