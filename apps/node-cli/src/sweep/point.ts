import { createHash } from 'node:crypto';
import type { LabScenario } from '@tutti/lab';
import { canonicalJson, pointText } from '@tutti/lab/results';
import { defaultScenario, type Scenario, scenarioFields } from '@tutti/simulation';

/** One run of a sweep. */
export interface SweepPoint {
  /** Name of the run: equal for the same scenario, seed and version on every machine, different for all others. */
  readonly key: string;
  readonly scenario: LabScenario;
}

/**
 * Returns the run's name.
 *
 * @returns 32 hexadecimal digits.
 */
export function pointKey(scenario: Scenario): string {
  return createHash('sha256').update(pointText(scenario)).digest('hex').slice(0, 32);
}

/** Describes the difference of a scenario from the default one: `nodes 64, dead 0.2, seed 3`. */
export function describeScenario(scenario: Scenario): string {
  const always: readonly string[] = ['nodes', 'seed'];
  const usual: Partial<Record<string, unknown>> = { ...defaultScenario };
  return Object.entries(scenario)
    .filter(([name, value]) => always.includes(name) || canonicalJson(value) !== canonicalJson(usual[name]))
    .map(([name, value]) => `${name} ${typeof value === 'object' ? canonicalJson(value) : value}`)
    .join(', ');
}

/** Returns a varied value in the form of a flag: `0.2`, `invalid:0.3`. */
export function variedText(scenario: Omit<Scenario, 'seed'>, field: keyof Scenario): string {
  const value = { seed: 1, ...scenario }[field];
  if (typeof value !== 'object') return String(value);
  const own = scenarioFields.filter(({ path }) => path.split('.')[0] === field);
  return own.flatMap(({ write }) => write({ seed: 1, ...scenario })).join(' ') || 'none';
}
