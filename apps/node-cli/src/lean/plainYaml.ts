import { expected } from '@tutti/core/settings';

/** A value of a settings file: a map, or a scalar. */
export type PlainValue = string | number | boolean | { readonly [key: string]: PlainValue };

/**
 * Reads maps of scalars in YAML, by indentation, with comments, as a chain's profile needs. It rejects lists, anchors
 * and texts of several lines.
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
