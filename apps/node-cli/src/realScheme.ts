import type { Scenario } from '@tutti/simulation';
import type { InsecureScheme } from './insecureScheme.ts';

/**
 * Creates real signatures for a simulated run if its scenario requires them. The kernel and the code that creates keys
 * are loaded only then.
 *
 * @param onNode called with the number of nodes that have signed; may throw to stop.
 * @returns undefined for a scenario with counted signatures.
 */
export async function realScheme(
  scenario: Scenario,
  onNode: (signed: number) => void,
): Promise<InsecureScheme | undefined> {
  if (scenario.scheme === 'counting') return undefined;
  return (await import('./insecureScheme.ts')).insecureScheme(scenario, onNode);
}
