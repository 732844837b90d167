import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isWhole } from '../../../tests/sampled.ts';

const folder = join(import.meta.dirname, '../examples');

it.runIf(isWhole)('the example of overlapping aggregates runs', () => {
  expect(execFileSync(process.execPath, [join(folder, 'overlapping.mjs')], { encoding: 'utf8' })).toMatch(
    /^12 aggregates of 56 votes hold 256 of 256 votes: valid true\n224 bytes list .*; 1164 bytes prove .*: valid true\n$/,
  );
});
