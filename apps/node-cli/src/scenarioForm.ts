import { isObject } from '@tutti/core/input';

/** Returns the form of a value from JSON, as a noun phrase. */
export function formOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'nothing';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * Returns a field of a group, such as `cpu`, that the usual group does not have, since its value would be ignored.
 *
 * @returns undefined if there is none, and for values that are no groups.
 */
export function otherField(value: unknown, usual: unknown): string | undefined {
  if (!isObject(value) || !isObject(usual)) return undefined;
  return Object.keys(value).find((field) => !Object.hasOwn(usual, field));
}
