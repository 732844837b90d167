import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callableOf, foreignErrorsOf, ownErrors } from '../../../tests/outcomes.ts';
import * as log from './log.ts';

// The test calls functions that may create files in the working directory, so it uses a separate folder.
const folder = mkdtempSync(join(tmpdir(), 'tutti-hostile-'));
const home = process.cwd();
beforeAll(() => process.chdir(folder));
afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
});

it.each(callableOf(log))(ownErrors, async (_, one) => expect(await foreignErrorsOf(one)).toEqual([]));
