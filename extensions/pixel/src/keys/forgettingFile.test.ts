import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ForgettingFile, readForgetting } from './forgettingFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'tutti-forgetting-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'key');

it.each([
  [
    'was replaced',
    'old',
    () => {
      writeFileSync(`${path}.other`, 'other');
      renameSync(`${path}.other`, path);
    },
  ],
  ['was written to', 'old', () => writeFileSync(path, 'other')],
  ['appeared', undefined, () => writeFileSync(path, 'other')],
] as const)('a file that %s in spite of the lock is not replaced, and no file is left', (_, before, change) => {
  rmSync(path, { force: true });
  if (before !== undefined) writeFileSync(path, before);
  const file = new ForgettingFile(path);
  change();
  expect(() => file.replace('new')).toThrow(expect.objectContaining({ code: 'modified-concurrently' }));
  file.close();
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['key'], 'other']);
});

it('a path through a file is refused with the path and the reason', () => {
  writeFileSync(path, '');
  const inside = join(path, 'key');
  expect(() => readForgetting(inside, String)).toThrow(expect.objectContaining({ code: 'cannot-read' }));
  expect(() => new ForgettingFile(inside)).toThrow(expect.objectContaining({ code: 'cannot-write' }));
});
