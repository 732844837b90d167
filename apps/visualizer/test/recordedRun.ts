import { createSimulation, defaultScenario, loadNetwork, type Recording, type Scenario } from '@tutti/simulation';
import fc from 'fast-check';

await Promise.all([loadNetwork('cities'), loadNetwork('cities-by-distance')]);

/** A real run, recorded: the views are tested on what they will be shown. */
export function recordedRun(chosen: Partial<Scenario>): Recording {
  const simulation = createSimulation({ ...defaultScenario, ...chosen }, { record: true });
  while (simulation.advance(1 << 16));
  return simulation.recording();
}

/** Sizes at and around powers of two, and some invalid ones. */
export const sizes = [1, 2, 3, 8, 13, 17, 32, 33, 63, 64, 65, 100] as const;

/** Any moment of a run, from before its start to after its end. */
export function anyMoment(recording: Recording): fc.Arbitrary<number> {
  return fc.integer({ min: -1, max: (recording.timeUs.at(-1) ?? 0) + 1000 });
}

export function upTo(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}
