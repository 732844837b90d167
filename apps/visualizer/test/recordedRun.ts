import { createSimulation, defaultScenario, loadNetwork, type Recording, type Scenario } from '@tutti/simulation';
import fc from 'fast-check';
import { type RunIndex, runIndex } from '../src/timeline/runIndex.ts';

await Promise.all([loadNetwork('cities'), loadNetwork('cities-by-distance')]);

/** Simulates a run and returns its recording. */
export function recordedRun(chosen: Partial<Scenario>): Recording {
  const simulation = createSimulation({ ...defaultScenario, ...chosen }, { record: true });
  while (simulation.advance(1 << 16));
  return simulation.recording();
}

/** Simulates a run and returns its recording with the derived data. @param done whether the run counts as ended. */
export const indexedRun = (chosen: Partial<Scenario>, done = true): RunIndex => runIndex(recordedRun(chosen), done);

/** Numbers of nodes at and around powers of two, and some others. */
export const sizes = [1, 2, 3, 8, 13, 17, 32, 33, 63, 64, 65, 100] as const;

/** Generates moments of a run, µs, from before its start to after its end. */
export function anyMoment(recording: Recording): fc.Arbitrary<number> {
  return fc.integer({ min: -1, max: (recording.timeUs.at(-1) ?? 0) + 1000 });
}

/** Returns the numbers from 0 to `length` - 1. */
export const upTo = (length: number): number[] => Array.from({ length }, (_, index) => index);
