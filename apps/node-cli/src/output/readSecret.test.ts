import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporaryFolder.ts';
import { withWarnings } from '../context.ts';
import { readSecret } from './files.ts';

const folder = temporaryFolder();

it.skipIf(process.platform === 'win32')('warns about a file with secrets that other users can read', () => {
  const path = join(folder, 'token');
  writeFileSync(path, 'secret\n');
  const said = (mode: number): string[] => {
    chmodSync(path, mode);
    const lines: string[] = [];
    withWarnings(
      (line) => lines.push(line),
      () => expect(readSecret(path, (text) => text.trim())).toBe('secret'),
    );
    return lines;
  };
  expect(said(0o600)).toEqual([]);
  for (const mode of [0o640, 0o604, 0o620])
    expect(said(mode)).toEqual([`${path}: other users can read these secrets; protect the file with chmod 600`]);
});

it('warns of no file that has no secrets', () => {
  const path = join(folder, 'public');
  writeFileSync(path, '{}', { mode: 0o644 });
  const refused = (): never => {
    throw new RangeError('no secrets');
  };
  const lines: string[] = [];
  withWarnings(
    (line) => lines.push(line),
    () => expect(() => readSecret(path, refused)).toThrow('no secrets'),
  );
  expect(lines).toEqual([]);
});
