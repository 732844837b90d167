import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { expected, shortened } from './errors.ts';

it("says label, what was expected and what came, as its comment's example has it", () => {
  const source = readFileSync(new URL('errors.ts', import.meta.url), 'utf8');
  const [, label, what, got, line] = /@example expected\('(.*)', '(.*)', (\d+)\) \/\/ "(.*)"/.exec(source)!;
  expect(String(expected(label!, what!, Number(got)))).toContain(line);
});

it('shortened(text, most) gives the text, or its beginning and an ellipsis in as many characters as are allowed', () => {
  expect(shortened('twelve chars', 12)).toBe('twelve chars');
  expect(shortened('twelve chars', 11)).toBe('twelve c...');
});
