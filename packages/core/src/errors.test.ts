import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { expected } from './errors.ts';

it("says label, what was expected and what came, as its comment's example has it", () => {
  const source = readFileSync(new URL('errors.ts', import.meta.url), 'utf8');
  const [, label, what, got, line] = /@example expected\('(.*)', '(.*)', (\d+)\) \/\/ "(.*)"/.exec(source)!;
  expect(String(expected(label!, what!, Number(got)))).toContain(line);
});
