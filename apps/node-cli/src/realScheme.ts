import type { Scenario } from '@tutti/core/simulation';
import type { InsecureScheme } from './insecureScheme.ts';

/**
 * Real signatures for a simulated run, where its scenario asks for them: the kernel and what makes keys are loaded for these alone.
 *
 * @param onNode told how many nodes have signed; may throw to stop.
 * @returns undefined for a scenario that only counts.
 */
export async function realScheme(
  scenario: Scenario,
  onNode: (signed: number) => void,
): Promise<InsecureScheme | undefined> {
  if (scenario.scheme === 'counting') return undefined;
  return (await import('./insecureScheme.ts')).insecureScheme(scenario, onNode);
}
