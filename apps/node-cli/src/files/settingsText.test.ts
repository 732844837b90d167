import { expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { readSettings, settingsForm } from './settingsText.ts';

it('an apostrophe in a comment changes nothing, in YAML and in TOML', () => {
  expect(readSettings('YAML', "# Bob's machine\ncount: 2 # the author's choice\nname: 'a # b'\n")).toEqual({
    count: 2,
    name: 'a # b',
  });
  expect(readSettings('TOML', "# Bob's machine\nseed = 7 # Alice's\n")).toEqual({ seed: 7 });
});

it('an error names the detected language and the line', () => {
  expect(() => readSettings('YAML', 'a: 1\nb: [1\nc: 2\n')).toThrow(/^expected YAML, got .* at line 3, column 1$/);
  expect(() => readSettings('TOML', 'a = 1\nb = x\n')).toThrow(/^expected TOML, got .* at line 2$/);
  expect(() => readSettings('TOML', 'a = 1\na = 2\n')).toThrow(/^expected TOML, got .* at line 2$/);
  expect(() => readSettings('JSON', '{"a": 1, "a": 2}')).toThrow('expected JSON, got an object with a repeated name');
});

it('refuses a text that expands to a larger one or is nested too deep', () => {
  expect(() => readSettings('YAML', 'a: &x [1, 2]\nb: *x\n')).toThrow(/^expected YAML, got Alias/);
  for (const form of ['YAML', 'TOML', 'JSON'] as const) {
    const text = `${form === 'TOML' ? 'a = ' : ''}${'['.repeat(isWhole ? 99_000 : 20_000)}`;
    expect(() => readSettings(form, text)).toThrow(new RegExp(`^expected ${form}, got `));
  }
});

it('a map of many names takes linear time, and a duplicate name is refused', () => {
  const names = Array.from({ length: isWhole ? 100_000 : 20_000 }, (_, index) => `n${index}: ${index}\n`);
  expect(Object.keys(readSettings('YAML', names.join('')) as object).length).toBe(names.length);
  expect(() => readSettings('YAML', [...names, 'n7: 1\n'].join(''))).toThrow(
    `Map keys must be unique at line ${names.length + 1}`,
  );
});

it('refuses an unknown tag', () => {
  expect(() => readSettings('YAML', 'a: !secret b\n')).toThrow('expected YAML, got Unresolved tag: !secret');
  // For these tags, the parser would compare each name with all others, or create values that no setting accepts.
  for (const tag of ['omap', 'set', 'binary'])
    expect(() => readSettings('YAML', `a: !!${tag}\n`)).toThrow(/^expected YAML, got Unresolved tag: .* at line 1/);
});

it.each([
  ['a.yaml', '{}', 'YAML'],
  ['a.TOML', '', 'TOML'],
  ['a.txt', ' {}', 'JSON'],
  ['a', 'b: 1', 'YAML'],
])('a file %s with the text "%s" is %s', (path, text, form) => expect(settingsForm(path, text)).toBe(form));
