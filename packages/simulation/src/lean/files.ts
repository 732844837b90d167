import { expected } from '@tutti/core/internal';

/** A value of a file of settings: a map, or one of its scalars. */
export type PlainValue = string | number | boolean | { readonly [key: string]: PlainValue };

/**
 * Reads maps of scalars in YAML, by indentation, with comments: what BEAMSIM's files and a profile have. Lists, anchors
 * and texts of several lines are refused.
 *
 * @throws RangeError with the line.
 */
export function readPlainYaml(text: string): { readonly [key: string]: PlainValue } {
  const root: Record<string, PlainValue> = {};
  const open: { indent: number; map: Record<string, PlainValue> }[] = [{ indent: -1, map: root }];
  const lines = text.split(/\r?\n/);
  lines.forEach((line, at) => {
    const content = withoutComment(line).trimEnd();
    if (content.trim() === '' || content.trim() === '---') return;
    const [, blanks, key, value] = /^( *)([^\s:#][^:]*?)\s*:(?:\s+(.*))?$/.exec(content) ?? [];
    if (key === undefined || blanks === undefined)
      throw new RangeError(expected(`line ${at + 1}`, 'KEY: VALUE', line.trim()));
    while (open.at(-1)!.indent >= blanks.length) open.pop();
    const { map } = open.at(-1)!;
    if (value === undefined || value === '') {
      const inner: Record<string, PlainValue> = {};
      map[unquoted(key)] = inner;
      open.push({ indent: blanks.length, map: inner });
    } else map[unquoted(key)] = scalarOf(value.trim(), at + 1);
  });
  return root;
}

/** Reads tables of scalars in TOML: what the fuzzer's files have. Inline tables of numbers are read as maps. */
export function readPlainToml(text: string): { readonly [key: string]: PlainValue } {
  const root: Record<string, PlainValue> = {};
  let map = root;
  text.split(/\r?\n/).forEach((line, at) => {
    const content = withoutComment(line).trim();
    if (content === '') return;
    const [, table] = /^\[([^[\]]+)\]$/.exec(content) ?? [];
    if (table !== undefined) {
      map = root;
      for (const part of keysOf(table)) map = within(map, part);
      return;
    }
    const [, key, value] = /^([^=]+?)\s*=\s*(.+)$/.exec(content) ?? [];
    if (key === undefined || value === undefined) {
      throw new RangeError(expected(`line ${at + 1}`, 'KEY = VALUE or [TABLE]', line.trim()));
    }
    const path = keysOf(key);
    let inner = map;
    for (const part of path.slice(0, -1)) inner = within(inner, part);
    inner[path.at(-1)!] = tomlValue(value, at + 1);
  });
  return root;
}

/** The map under a key, made if there is none. */
function within(map: Record<string, PlainValue>, key: string): Record<string, PlainValue> {
  const inner = map[key] ?? {};
  map[key] = inner;
  return inner as Record<string, PlainValue>;
}

function tomlValue(text: string, line: number): PlainValue {
  const [, inner] = /^\{(.*)\}$/.exec(text) ?? [];
  if (inner === undefined) return scalarOf(text, line);
  const map: Record<string, PlainValue> = {};
  for (const part of inner.split(',').filter((one) => one.trim() !== '')) {
    const [key = '', value = ''] = part.split('=', 2);
    map[unquoted(key.trim())] = scalarOf(value.trim(), line);
  }
  return map;
}

/** `a."b c".d` in its parts. */
function keysOf(path: string): string[] {
  return [...path.matchAll(/"([^"]*)"|'([^']*)'|([^.\s"']+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain!,
  );
}

function withoutComment(line: string): string {
  return line.replace(/(^|\s)#(?=(?:[^"']|"[^"]*"|'[^']*')*$).*$/, '');
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}

function scalarOf(text: string, line: number): string | number | boolean {
  if (/^["']/.test(text)) return unquoted(text);
  if (/^[[{|>&*!]/.test(text)) throw new RangeError(expected(`line ${line}`, 'a number, a text, true or false', text));
  if (text === 'true' || text === 'false') return text === 'true';
  const plain = text.replaceAll('_', '');
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) ? Number(plain) : text;
}
