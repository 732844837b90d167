import { defaultScenario, type Scenario } from '@tutti/simulation';
import type { Extent } from './experiment.ts';

/** Returns the value for an extent. */
export function at<T>(extent: Extent, tiny: T, quick: T, full: T): T {
  return { tiny, quick, full }[extent];
}

/** Returns the paper's scenario on its AWS network, with changes. */
export function scenario(changes: Partial<Scenario>): Scenario {
  return { ...defaultScenario, ...changes };
}
