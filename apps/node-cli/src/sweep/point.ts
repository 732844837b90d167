import { createHash } from 'node:crypto';
import type { LabScenario } from '@tutti/lab';
import { canonicalJson, pointText } from '@tutti/lab/results';
import { defaultScenario, type Scenario, scenarioFields } from '@tutti/simulation';
import type { InputFile } from '../output/files.ts';

/** Single run of a sweep. */
export interface SweepPoint {
  /**
   * Name of the run: equal for the same scenario, seed and version on every machine, and different for any other run.
   */
  readonly key: string;
  readonly scenario: LabScenario;
}

/** Returns the name of a run: 32 hexadecimal digits. @param inputs files that are named in the scenario. */
export function pointKey(scenario: Scenario, inputs?: readonly InputFile[]): string {
  return createHash('sha256').update(pointText(scenario, inputs)).digest('hex').slice(0, 32);
}

/** Describes how a scenario differs from the default scenario: `nodes 64, dead 0.2, seed 3`. */
export function describeScenario(scenario: Scenario): string {
  const always: readonly string[] = ['nodes', 'seed'];
  const usual: Partial<Record<string, unknown>> = { ...defaultScenario };
  return Object.entries(scenario)
    .filter(([name, value]) => always.includes(name) || canonicalJson(value) !== canonicalJson(usual[name]))
    .map(([name, value]) => `${name} ${typeof value === 'object' ? canonicalJson(value) : value}`)
    .join(', ');
}

/** Returns the value of the swept field in the format of a flag: `0.2`, `invalid:0.3`. */
export function variedText(scenario: Omit<Scenario, 'seed'>, field: string): string {
  const value = field
    .split('.')
    .reduce<unknown>((of, name) => (of as Readonly<Record<string, unknown>>)[name], { seed: 1, ...scenario });
  if (typeof value !== 'object') return String(value);
  const own = scenarioFields.filter(({ path }) => path.split('.')[0] === field);
  return own.flatMap(({ write }) => write({ seed: 1, ...scenario })).join(' ') || 'none';
}
