import { createRequire } from 'node:module';
import { expected, parseJson, WorldError } from '@tutti/core/input';

/** Languages of settings files. */
type SettingsForm = 'JSON' | 'YAML' | 'TOML';

/** The parsers are loaded on demand: this takes 20 ms, and most commands read no settings file. */
const load = createRequire(import.meta.url);

/** Returns the language of a file by its name; a file without a known ending is JSON if it begins with a brace. */
export function settingsForm(path: string, text: string): SettingsForm {
  if (/\.toml$/i.test(path)) return 'TOML';
  if (/\.ya?ml$/i.test(path)) return 'YAML';
  return /\.json$/i.test(path) || /^\s*[{[]/.test(text) ? 'JSON' : 'YAML';
}

/**
 * Parses the text of a settings file. YAML aliases are refused, because a short file with aliases can expand to a large
 * one.
 *
 * @throws RangeError in one line, with the detected form, the line and the error.
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
 * Parses YAML. The parser's own check for unique names compares each name with all others, which takes quadratic time.
 * A set of names replaces it here.
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
 * Returns the first line of a parser's message with its line number. The rest of the message only shows the position in
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

/** @throws RangeError unless a value is a map of names to values. */
export function requireFields(label: string, value: unknown): asserts value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RangeError(expected(label, 'fields with values', value ?? null));
}

/**
 * Runs a reader of a file.
 *
 * @throws WorldError `malformed-file`, one line that begins with the file's name, for an error about its content.
 */
export function ofFile<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof RangeError || cause instanceof TypeError)) throw cause;
    throw new WorldError('malformed-file', `${file}: ${cause.message.replaceAll(/\s+/g, ' ')}`, { cause });
  }
}
