import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../examples');

it('the example of overlapping aggregates runs', () => {
  expect(execFileSync(process.execPath, [join(folder, 'overlapping.mjs')], { encoding: 'utf8' })).toMatch(
    /^12 aggregates of 56 votes hold 256 of 256 votes: valid true\n224 bytes list .*; 1164 bytes prove .*: valid true\n$/,
  );
});

it("the README's program prints what stands under it", () => {
  const readme = readFileSync(join(folder, '../README.md'), 'utf8');
  const programs = [...readme.matchAll(/```js\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g)];
  expect(programs.length).toBeGreaterThan(0);
  for (const [, code, printed] of programs)
    expect(
      execFileSync(process.execPath, ['--input-type=module', '-e', code!], { cwd: folder, encoding: 'utf8' }),
    ).toBe(printed);
});
