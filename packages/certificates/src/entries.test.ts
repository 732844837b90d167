import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as log from './log.ts';

// The test calls functions that may create files in the working directory, so it uses a separate folder.
const folder = mkdtempSync(join(tmpdir(), 'tutti-hostile-'));
const home = process.cwd();
beforeAll(() => process.chdir(folder));
afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
});

const hostileArguments = [[], [null], [7], ['x y'], [{}], [[]], [() => 0]];

// biome-ignore lint/suspicious/noExplicitAny: as from a program without types.
const logs = Object.entries<any>(log);

it.each(logs)(
  '%s accepts or refuses any argument with its own error, never with an error of the JavaScript engine',
  async (_, one) => {
    for (const args of hostileArguments) {
      try {
        await one(...args);
      } catch (error) {
        expect(error).toMatchObject({ message: expect.stringMatching(/^[^\n]*expected [^\n]+, got [^\n]+$/) });
      }
    }
  },
);
