import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leanProfiles } from '@tutti/ethereum/lean';
import { afterAll, expect, it } from 'vitest';
import { profileOf } from './leanFlags.ts';

const folder = mkdtempSync(join(tmpdir(), 'tutti-lean-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const profile = JSON.stringify(leanProfiles['lean-2026-09']);

function read(text: string): unknown {
  const path = join(folder, 'profile.json');
  writeFileSync(path, text);
  return profileOf(path);
}

it('a profile is read up to 100,000 characters in lines of 1,000, and nothing is read of more', () => {
  const filled = (length: number): string => `${profile}\n${`${' '.repeat(999)}\n`.repeat(length / 1000)}`;
  const short = filled(99_000);
  expect(read(`${short}${' '.repeat(100_000 - short.length)}`)).toMatchObject({ validators: expect.any(Number) });
  expect(() => read(filled(100_000))).toThrow(/expected at most 100000 characters, got 100\d\d\d$/);
  expect(() => read(`${profile}\n${' '.repeat(1000)}`)).not.toThrow();
  // What reads a line takes its square, and a line of settings is short.
  expect(() => read(`a: ${'# '.repeat(600)}`)).toThrow('expected lines of at most 1000 characters, got one of 1203');
});

it('a profile of JSON that is nested too deep, or names a field twice, is refused in one line', () => {
  expect(() => read(`{"cores": ${'['.repeat(99_000)}`)).toThrow(/got one of/);
  expect(() => read(`{"cores": ${'[\n'.repeat(40_000)}`)).toThrow('expected JSON, got values nested over 100 deep');
  expect(() => read('{"cores": 1, "cores": 2}')).toThrow('expected JSON, got an object with one name twice');
});
