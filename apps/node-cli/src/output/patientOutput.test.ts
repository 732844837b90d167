import { existsSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { appendTo, PatientOutput, type Unwritten } from './patientOutput.ts';

const { at, folder, write } = temporaryFiles();

function patient(path: string) {
  const unwritten: Unwritten = { lines: 0, documents: 0 };
  const lines: string[] = [];
  const output = new PatientOutput(path, 'lines', unwritten, (line) => lines.push(line));
  return { unwritten, lines, output, append: appendTo(path, output) };
}

it.each([
  ['', 'next\nlast\n'],
  ['first\n', 'first\nnext\nlast\n'],
  ['first\ntorn', 'first\ntorn\nnext\nlast\n'],
])('appends lines to %j, and first ends an incomplete last line', (before, after) => {
  const path = write('lines', before);
  const { append, lines } = patient(path);
  expect(readFileSync(path, 'utf8')).toBe(before);
  append('next\n');
  append('last\n');
  expect(readFileSync(path, 'utf8')).toBe(after);
  expect(lines).toEqual([]);
});

// Every write to this device fails as it would on a full disk.
it.skipIf(!existsSync('/dev/full'))('a full disk is counted and reported once, and again after it had space', () => {
  const path = at('link');
  symlinkSync('/dev/full', path);
  const { append, lines, unwritten } = patient(path);
  for (let line = 0; line < 3; line++) append('lost\n');
  expect(unwritten).toEqual({ lines: 3, documents: 0 });
  expect(lines).toEqual([
    `tutti: ${path}: cannot be written (ENOSPC); the command continues and counts missing output\n`,
  ]);
  unlinkSync(path);
  // The part of a line that was written before the disk was full.
  writeFileSync(path, 'half');
  append('kept\n');
  append('kept too\n');
  expect(readFileSync(path, 'utf8')).toBe('half\nkept\nkept too\n');
  expect(lines.slice(1)).toEqual([`tutti: ${path} is writable again; missing lines: 3\n`]);
  expect(unwritten.lines).toBe(3);
});

it('refuses a path that cannot be written at once, and rethrows internal errors', () => {
  expect(() => patient(join(folder, 'none', 'lines'))).toThrow(
    expect.objectContaining({ code: 'cannot-write', message: expect.stringMatching(/cannot be written \(ENOENT\)$/) }),
  );
  const { output, unwritten } = patient(at('lines'));
  const fault = () => {
    throw new RangeError('ours');
  };
  expect(() => output.attempt(fault)).toThrow('ours');
  expect(unwritten.lines).toBe(0);
});
