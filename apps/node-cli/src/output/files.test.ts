import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readWhole, refuseToOverwrite, writeWhole } from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'tutti-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('writeWhole replaces what was there, with the mode asked for, and leaves nothing beside it', () => {
  const path = join(folder, 'a');
  writeFileSync(path, 'old');
  writeWhole(path, 'new', 0o600);
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['a']);
});

it('writeWhole that fails leaves what was there, and nothing beside it', () => {
  const path = join(folder, 'taken');
  mkdirSync(path);
  expect(() => writeWhole(path, 'text')).toThrow(expect.objectContaining({ code: 'cannot-write' }));
  expect(readdirSync(folder).sort()).toEqual(['a', 'taken']);
});

it('writeWhole writes parts one after another, and nothing when one cannot be made', () => {
  const path = join(folder, 'parts');
  writeWhole(path, ['some ', Uint8Array.of(0x74, 0x65), 'xt']);
  expect(readFileSync(path, 'utf8')).toBe('some text');
  const broken = (function* () {
    yield 'half';
    throw new RangeError('no more');
  })();
  expect(() => writeWhole(path, broken)).toThrow('no more');
  expect(readFileSync(path, 'utf8')).toBe('some text');
  rmSync(path);
  expect(readdirSync(folder).sort()).toEqual(['a', 'taken']);
});

it('refuseToOverwrite refuses a file that exists', () => {
  expect(() => refuseToOverwrite(join(folder, 'a'))).toThrow(expect.objectContaining({ code: 'file-exists' }));
  refuseToOverwrite(join(folder, 'b'));
});

it('readWhole of nothing says so', () => {
  const path = join(folder, 'b');
  expect(() => readWhole(path)).toThrow(
    expect.objectContaining({ code: 'cannot-read', message: `${path}: cannot be read (ENOENT)` }),
  );
});
