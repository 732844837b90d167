import { version } from '@tutti/core';
import type { Scenario } from '@tutti/simulation';

/**
 * What the name of a sweep's run is the hash of: the canonical JSON of scenario (the seed is in it), version, and the
 * files that the scenario names with their hashes, if there are any. The
 * name is the first 32 hexadecimal digits of its SHA-256; the hash is left to who asks, for each place has its own.
 */
export function pointText(scenario: Scenario, inputs?: readonly object[]): string {
  return canonicalJson({ scenario, version, inputs });
}

/** JSON with every object's fields in the order of their names, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join()}}`;
}
