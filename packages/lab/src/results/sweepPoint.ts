import { version } from '@tutti/core';
import type { Scenario } from '@tutti/simulation';

/**
 * Returns the text whose hash names a sweep's run: the canonical JSON of the scenario (including the seed), the version
 * and the input files. The name is the first 32 hexadecimal digits of its SHA-256. The caller computes the hash, since
 * each environment has its own implementation.
 */
export function pointText(scenario: Scenario, inputs?: readonly object[]): string {
  return canonicalJson({ scenario, version, inputs });
}

/** Returns JSON with the fields of each object in alphabetical order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join()}}`;
}
