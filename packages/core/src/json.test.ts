import { expect, it } from 'vitest';
import { parseJson } from './json.ts';

it('parseJson decodes the same as JSON.parse, and drops one byte order mark', () => {
  const value = { a: [1, 'two \\" {', null], b: { a: { a: true } }, '': '\u2028', ['__proto__']: 2 };
  const text = JSON.stringify(value, undefined, 1);
  expect(parseJson(text)).toEqual(JSON.parse(text));
  expect(parseJson(`\ufeff${text}`)).toEqual(JSON.parse(text));
  expect(() => parseJson(`\ufeff\ufeff${text}`)).toThrow('text that is not JSON');
});

it.each(['', '{', '{"a":1', '"', '"\\', '{"a":1]', '[[[}}}', '{a:1}', '[1,]'])(
  'parseJson refuses %j without quoting it',
  (text) => expect(() => parseJson(text)).toThrow(/^text that is not JSON( \(line 1, column \d\))?$/),
);

it('parseJson reports line and column of the error', () => {
  expect(() => parseJson('{\n  "a": 1\n  "b": 2\n}')).toThrow('text that is not JSON (line 3, column 3)');
  expect(() => parseJson('position 5')).toThrow(/^text that is not JSON$/);
});

it('parseJson refuses a duplicate name in one object, in any notation', () => {
  for (const text of ['{"a":1,"a":1}', '{"a":1,"b":[],"\\u0061" \n :2}', '[{"x":{"é":1,"\\u00e9":2}}]', '{"":1,"":2}'])
    expect(() => parseJson(text)).toThrow('an object with a repeated name');
  expect(parseJson('[{"a":"b","b":{"a":"a"}},{"a":1}]')).toEqual([{ a: 'b', b: { a: 'a' } }, { a: 1 }]);
});

it('the parser accepts 100 levels of nesting, and refuses one more level', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  expect(JSON.stringify(parseJson(nested(100)))).toBe(nested(100));
  expect(() => parseJson(nested(101))).toThrow('values nested more than 100 levels deep');
  expect(() => parseJson('{"a":'.repeat(101))).toThrow('values nested more than 100 levels deep');
  expect(() => parseJson('['.repeat(10_000_000))).toThrow('values nested more than 100 levels deep');
});

it('parseJson refuses UTF-16 by name, with a mark and without', () => {
  for (const order of ['utf-16le', 'utf-16be'])
    for (const mark of ['', '\ufeff']) {
      const bytes = Buffer.from(`${mark}{"version": 2}`, 'utf16le');
      const read = (order === 'utf-16le' ? bytes : bytes.swap16()).toString('utf8');
      expect(() => parseJson(read)).toThrow('UTF-16; save it as UTF-8');
    }
});
