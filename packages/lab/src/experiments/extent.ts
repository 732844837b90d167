import { defaultScenario, type Scenario } from '@tutti/simulation';
import type { Extent } from './experiment.ts';

/** What an experiment takes at each extent. */
export function at<T>(extent: Extent, tiny: T, quick: T, full: T): T {
  return { tiny, quick, full }[extent];
}

/** The paper's parameters on its AWS network, changed here and there. */
export function scenario(changes: Partial<Scenario>): Scenario {
  return { ...defaultScenario, ...changes };
}
