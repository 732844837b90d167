import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { FileLock } from './fileLock.ts';

const folder = mkdtempSync(join(tmpdir(), 'tutti-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Of a process that has ended. */
const gone = spawnSync(process.execPath, ['--version']).pid;

it('one has it at a time, and who releases it leaves nothing', () => {
  const path = join(folder, 'a');
  const lock = new FileLock(path);
  expect(() => new FileLock(path)).toThrow(
    expect.objectContaining({
      code: 'locked',
      message: expect.stringMatching(`^${path}: process ${process.pid} of ${hostname()} writes to it; `),
    }),
  );
  expect(existsSync(`${path}.lock.takeover`)).toBe(false);
  lock.release();
  new FileLock(path).release();
  expect(readdirSync(folder)).toEqual([]);
});

it('that of a process that was killed is taken over', () => {
  const path = join(folder, 'b');
  writeFileSync(`${path}.lock`, JSON.stringify({ pid: gone, host: hostname() }));
  const lock = new FileLock(path);
  expect(() => new FileLock(path)).toThrow(expect.objectContaining({ code: 'locked' }));
  lock.release();
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  ['of another machine', JSON.stringify({ pid: gone, host: `not-${hostname()}` })],
  ['that says nothing yet', ''],
  ['of something else', '[]'],
])('one %s is left alone', (_, content) => {
  const path = join(folder, 'c');
  writeFileSync(`${path}.lock`, content);
  expect(() => new FileLock(path)).toThrow(expect.objectContaining({ code: 'locked' }));
  expect(existsSync(`${path}.lock.takeover`)).toBe(false);
  rmSync(`${path}.lock`);
});

it('where nothing can be written it says so', () => {
  expect(() => new FileLock(join(folder, 'none', 'd'))).toThrow(expect.objectContaining({ code: 'cannot-write' }));
});
