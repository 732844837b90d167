import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { expected, shortened } from './errors.ts';

it('contains label, expected value and received value, as in the example of its comment', () => {
  const source = readFileSync(new URL('errors.ts', import.meta.url), 'utf8');
  const [, label, what, got, line] = /@example expected\('(.*)', '(.*)', (\d+)\) \/\/ "(.*)"/.exec(source)!;
  expect(String(expected(label!, what!, Number(got)))).toContain(line);
});

it('shortened(text, maxLength) returns the text, or its beginning and an ellipsis within the given number of characters', () => {
  expect(shortened('twelve chars', 12)).toBe('twelve chars');
  expect(shortened('twelve chars', 11)).toBe('twelve c...');
});
