import { createRequire } from 'node:module';
import { EnvironmentError, expected, isObject, parseJson, shownValue, suggestion } from '@tutti/core/input';

/** Languages for settings files. */
type SettingsForm = 'JSON' | 'YAML' | 'TOML';

/** The parsers are loaded on demand, because loading takes 20 ms and most commands read no settings file. */
const load = createRequire(import.meta.url);

/**
 * Returns the language of a file according to its name; a file with an unknown extension is JSON if it begins with a
 * brace or a square bracket, otherwise YAML.
 */
export function settingsForm(path: string, text: string): SettingsForm {
  if (/\.toml$/i.test(path)) return 'TOML';
  if (/\.ya?ml$/i.test(path)) return 'YAML';
  return /\.json$/i.test(path) || /^\s*[{[]/.test(text) ? 'JSON' : 'YAML';
}

/**
 * Parses the text of a settings file. YAML aliases are rejected, because a short file with aliases can expand to a
 * large one.
 *
 * @throws RangeError on one line, with the form, the error and its line number.
 */
export function readSettings(form: SettingsForm, text: string): unknown {
  try {
    return parsers[form](text);
  } catch (cause) {
    throw new RangeError(`expected ${form}, got ${plain(cause as Error)}`, { cause });
  }
}

const parsers: Readonly<Record<SettingsForm, (text: string) => unknown>> = {
  JSON: parseJson,
  YAML: readYaml,
  TOML: (text) => (load('smol-toml') as typeof import('smol-toml')).parse(text),
};

/**
 * Parses YAML. The parser's own check for duplicate names compares each name with all others, which takes quadratic
 * time. This function checks names with a set instead.
 */
function readYaml(text: string): unknown {
  const { isScalar, LineCounter, parseDocument, visit } = load('yaml') as typeof import('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: true, uniqueKeys: false, resolveKnownTags: false });
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) throw error;
  visit(document, {
    Map(_, { items }) {
      const names = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (names.has(key.value)) {
          const { line, col } = lineCounter.linePos(key.range![0]);
          throw new RangeError(`Map keys must be unique at line ${line}, column ${col}`);
        }
        names.add(key.value);
      }
    },
  });
  return document.toJS({ maxAliasCount: 0 });
}

/**
 * Returns the first line of a parser message, with its line number. The rest of the message shows only the position in
 * the text.
 */
function plain(error: Error & { readonly line?: number }): string {
  if (/call stack/i.test(error.message)) return 'values nested too deeply';
  const said = error.message
    .split('\n', 1)[0]!
    .replace(/^Invalid TOML document: /, '')
    .replace(/:$/, '');
  return error.line === undefined ? said : `${said} at line ${error.line}`;
}

/** @throws RangeError unless the value is a map from names to values. */
export function requireFields(label: string, value: unknown): asserts value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw new RangeError(expected(label, 'fields with values', value ?? null));
}

/**
 * Runs a reader for the content of a file.
 *
 * @throws EnvironmentError `malformed-file` for an error about the content: one line that begins with the name of the
 * file.
 */
export function ofFile<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof RangeError || cause instanceof TypeError)) throw cause;
    throw new EnvironmentError('malformed-file', `${file}: ${cause.message.replaceAll(/\s+/g, ' ')}`, { cause });
  }
}

/**
 * Use of one field of a file. `used`: Tutti reads the field. `ignored`: Tutti ignores the field, and a warning names
 * it. `refused`: Tutti rejects the file, because Tutti would otherwise simulate something that the file does not
 * describe. `unless` is the value with which the field has no effect; this value and null are accepted without a
 * warning. `fields` is the table for a nested object, and `listOf` is the table for each object in a list.
 */
export type FieldUse =
  | 'used'
  | 'ignored'
  | { readonly ignored: { readonly unless: unknown } }
  | { readonly refused: { readonly unless: unknown } }
  | { readonly fields: FieldTable }
  | { readonly listOf: FieldTable };

/** Fields of a format, or of an object in that format, with the use of each field. */
export interface FieldTable {
  readonly [field: string]: FieldUse;
}

/** Returns the same use for several fields. */
export function each<const T extends FieldUse>(use: T, ...fields: readonly string[]): Readonly<Record<string, T>> {
  return Object.fromEntries(fields.map((field) => [field, use]));
}

/**
 * Checks the fields of an object against the field table of its format.
 *
 * @param within path of the object in the file; empty for the file itself.
 * @param format name of the format, for error messages.
 * @returns the paths of the ignored fields, without duplicates.
 * @throws RangeError for a field that is rejected or unknown. The message suggests the most similar known field.
 */
export function checkFields(format: string, table: FieldTable, value: unknown, within = ''): readonly string[] {
  requireFields(within === '' ? 'the file' : within, value);
  const ignored = Object.entries(value).flatMap(([field, one]) => {
    const path = within === '' ? field : `${within}.${field}`;
    const use = Object.hasOwn(table, field) ? table[field] : undefined;
    if (use !== undefined) return checkUse(format, use, one, path);
    const advice = suggestion(field, Object.keys(table), '; remove it');
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

/** Returns a warning about the ignored fields of a file; undefined if no fields are ignored. */
export function ignoredText(file: string, fields: readonly string[]): string | undefined {
  return fields.length === 0 ? undefined : `${file}: ignored: ${fields.join(', ')}`;
}

/**
 * Returns the error for an invalid part of a JSON document.
 *
 * @param path path of the part in the document.
 * @param known valid names; the error suggests the most similar one.
 */
export function malformed(path: string, what: string, got: unknown, known: readonly string[] = []): RangeError {
  const advice = typeof got === 'string' ? suggestion(got, known) : '';
  return new RangeError(`${path}: expected ${what}, got ${shownValue(got)}${advice}`);
}

/** Returns the form of a JSON value as a noun phrase. */
function formOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'nothing';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * Checks that a value has the form of a default value: the same JSON type and, for a group such as `cpu`, no other
 * fields. The simulation would ignore other fields.
 *
 * @throws RangeError.
 */
export function requireSameForm(path: string, value: unknown, usual: unknown): void {
  if (formOf(value) !== formOf(usual)) throw malformed(path, formOf(usual), value);
  if (!isObject(value)) return;
  const known = Object.keys(usual as object);
  const other = Object.keys(value).find((field) => !known.includes(field));
  if (other !== undefined) throw malformed(path, `only the fields ${known.join(', ')}`, other, known);
}
