import fc from 'fast-check';
import type { Recording, RecordingOptions } from '../src/recording/recording.ts';
import { defaultScenario, type Scenario } from '../src/scenario/scenario.ts';
import { ended } from './ended.ts';

/** Generates runs of a few nodes, varying every field that affects a recording. */
export const anySmallScenario: fc.Arbitrary<Scenario> = fc
  .record({
    nodes: fc.constantFrom(1, 2, 3, 5, 8, 13, 17, 31, 32, 33, 70),
    seed: fc.nat(1000),
    dead: fc.constantFrom(0, 0.1, 0.3),
    desyncMs: fc.constantFrom(0, 80),
    threshold: fc.constantFrom(0.51, 0.99, 1),
    network: fc.constantFrom('aws', 'constant:5', 'distance'),
  })
  .map((some) => ({ ...defaultScenario, ...some }));

/** Returns the recording of a complete run. */
export function recordingOf(scenario: Scenario, record: RecordingOptions = {}): Recording {
  return ended(scenario, { record }).recording();
}
