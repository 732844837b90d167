import { expected, likeliest } from '@tutti/core/input';
import { requireFields } from './settingsText.ts';

/**
 * The use of one field of a file. `used`: the field is read. `ignored`: a warning names the field. `refused`: the file
 * is rejected, because Tutti would simulate something else. `unless` is the value with which the field has no effect;
 * that value and null are accepted silently.
 */
export type FieldUse =
  | 'used'
  | 'ignored'
  | { readonly ignored: { readonly unless: unknown } }
  | { readonly refused: { readonly unless: unknown } }
  | { readonly fields: FieldTable }
  | { readonly listOf: FieldTable };

/** Fields of one format, or of an object in it, and the use of each. */
export interface FieldTable {
  readonly [field: string]: FieldUse;
}

/** The same use for several fields. */
export function each<const T extends FieldUse>(use: T, ...fields: readonly string[]): Readonly<Record<string, T>> {
  return Object.fromEntries(fields.map((field) => [field, use]));
}

/**
 * Checks the fields of an object against the table of its format.
 *
 * @param within path of the object in the file; empty for the file itself.
 * @param format name of the format, for messages.
 * @returns the paths of the ignored fields, each once.
 * @throws RangeError for a field that is refused or unknown. The message suggests the most similar known field.
 */
export function checkFields(format: string, table: FieldTable, value: unknown, within = ''): readonly string[] {
  requireFields(within === '' ? 'the file' : within, value);
  const ignored = Object.entries(value).flatMap(([field, one]) => {
    const path = within === '' ? field : `${within}.${field}`;
    const use = Object.hasOwn(table, field) ? table[field] : undefined;
    if (use !== undefined) return checkUse(format, use, one, path);
    const meant = likeliest(field, Object.keys(table));
    const advice = meant === undefined ? '; remove it' : ` (Did you mean ${meant}?)`;
    throw new RangeError(`${expected(path, `a field of ${format}`, field)}${advice}`);
  });
  return [...new Set(ignored)];
}

function checkUse(format: string, use: FieldUse, value: unknown, path: string): readonly string[] {
  if (value === null || value === undefined || use === 'used') return [];
  if (use === 'ignored') return [path];
  if ('fields' in use) return checkFields(format, use.fields, value, path);
  if ('listOf' in use) {
    if (!Array.isArray(value)) throw new RangeError(expected(path, 'a list', value));
    return value.flatMap((one) => checkFields(format, use.listOf, one, path));
  }
  if ('ignored' in use) return value === use.ignored.unless ? [] : [path];
  if (value === use.refused.unless) return [];
  const standing = use.refused.unless === undefined ? 'no value' : JSON.stringify(use.refused.unless);
  throw new RangeError(`${expected(path, standing, value)}; Tutti does not simulate it`);
}

/** Returns the warning about the ignored fields of a file; undefined if there are none. */
export function ignoredText(file: string, fields: readonly string[]): string | undefined {
  return fields.length === 0 ? undefined : `${file}: ignored: ${fields.join(', ')}`;
}
