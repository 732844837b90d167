import { createHash } from 'node:crypto';
import { version } from '@tutti/core';
import { defaultScenario, type Scenario } from '@tutti/simulation';

/** One run of a sweep. */
export interface SweepPoint {
  /** Names the run: equal for the same scenario, seed and version on every machine, different for all others. */
  readonly key: string;
  readonly scenario: Scenario;
}

/**
 * @returns the run's name: 32 hexadecimal digits over the canonical JSON of scenario (the seed is in it) and version.
 */
export function pointKey({ referenceQuirks, ...rest }: Scenario): string {
  // Under the field's former name, so that sweeps and figures begun with it can go on.
  const scenario = { ...rest, habits: referenceQuirks };
  return createHash('sha256').update(canonicalJson({ scenario, version })).digest('hex').slice(0, 32);
}

/** JSON with every object's fields in the order of their names, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join()}}`;
}

/** How a scenario differs from the default one, in words: `nodes 64, dead 0.2, seed 3`. */
export function describeScenario(scenario: Scenario): string {
  const always: readonly string[] = ['nodes', 'seed'];
  const usual: Partial<Record<string, unknown>> = { ...defaultScenario };
  return Object.entries(scenario)
    .filter(([name, value]) => always.includes(name) || canonicalJson(value) !== canonicalJson(usual[name]))
    .map(([name, value]) => `${name} ${typeof value === 'object' ? canonicalJson(value) : value}`)
    .join(', ');
}
