import { existsSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporaryFolder.ts';
import { appendTo, PatientOutput, type Unwritten } from './patientOutput.ts';

const folder = temporaryFolder();

function patient(path: string) {
  const unwritten: Unwritten = { lines: 0, documents: 0 };
  const lines: string[] = [];
  const output = new PatientOutput(path, 'lines', unwritten, (line) => lines.push(line));
  return { unwritten, lines, output, append: appendTo(path, output) };
}

it('appends lines after the existing ones', () => {
  const path = join(folder, 'lines');
  writeFileSync(path, 'first\n');
  const { append, lines } = patient(path);
  append('second\n');
  append('third\n');
  expect(readFileSync(path, 'utf8')).toBe('first\nsecond\nthird\n');
  expect(lines).toEqual([]);
});

it('ends an incomplete last line before it writes the next', () => {
  const path = join(folder, 'torn');
  writeFileSync(path, '{"whole":1}\n{"torn":');
  const { append } = patient(path);
  expect(readFileSync(path, 'utf8')).toBe('{"whole":1}\n{"torn":');
  append('{"next":1}\n');
  append('{"last":1}\n');
  expect(readFileSync(path, 'utf8')).toBe('{"whole":1}\n{"torn":\n{"next":1}\n{"last":1}\n');
});

// Every write to this device fails as it would on a full disk.
it.skipIf(!existsSync('/dev/full'))('a full disk is counted and reported once, and again after it had space', () => {
  const path = join(folder, 'link');
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
  expect(lines.slice(1)).toEqual([`tutti: ${path} is writable again; 3 lines are missing\n`]);
  expect(unwritten.lines).toBe(3);
});

it('refuses a path that cannot be written at once, and rethrows internal errors', () => {
  expect(() => patient(join(folder, 'none', 'lines'))).toThrow(
    expect.objectContaining({ code: 'cannot-write', message: expect.stringMatching(/cannot be written \(ENOENT\)$/) }),
  );
  const { output, unwritten } = patient(join(folder, 'lines'));
  const fault = () => {
    throw new RangeError('ours');
  };
  expect(() => output.attempt(fault)).toThrow('ours');
  expect(unwritten.lines).toBe(0);
});
