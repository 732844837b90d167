import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

const left = (id?: string) => JSON.stringify({ pid: gone, host: hostname(), id });

it('neither a takeover that was killed nor a lock that was being made keeps others out', () => {
  const path = join(folder, 'e');
  const part = `${path}.lock.${gone}.${hostname().replaceAll(/[^A-Za-z0-9-]/g, '-')}.01234567.part`;
  writeFileSync(part, '');
  writeFileSync(`${path}.lock`, left('aaaaaaaa'));
  writeFileSync(`${path}.lock.aaaaaaaa`, left('bbbbbbbb'));
  writeFileSync(`${path}.lock.aaaaaaaa.bbbbbbbb`, left('cccccccc'));
  new FileLock(path).release();
  writeFileSync(`${path}.lock.dddddddd`, left());
  new FileLock(path).release();
  expect(readdirSync(folder)).toEqual([]);
});

it('who has the same process id in a container that was started again takes over its own lock', () => {
  const path = join(folder, 'f');
  writeFileSync(`${path}.lock`, JSON.stringify({ pid: process.pid, host: hostname(), id: 'aaaaaaaa' }));
  const lock = new FileLock(path);
  expect(() => new FileLock(path)).toThrow(expect.objectContaining({ code: 'locked' }));
  lock.release();
});

it('a file has one lock, whatever links lead to it, there or not yet', () => {
  const own = join(folder, 'own');
  mkdirSync(own);
  symlinkSync(own, join(folder, 'folder'));
  symlinkSync(join(own, 'file'), join(folder, 'link'));
  const names = [join(own, 'file'), join(folder, 'link'), join(folder, 'folder', 'file')];
  for (const content of [undefined, 'there']) {
    if (content !== undefined) writeFileSync(names[0]!, content);
    for (const name of names) {
      const lock = new FileLock(name);
      for (const other of names) expect(() => new FileLock(other)).toThrow(expect.objectContaining({ code: 'locked' }));
      lock.release();
    }
  }
  for (const name of ['own', 'folder', 'link']) rmSync(join(folder, name), { recursive: true });
});

it('a lock that was removed by hand and taken by another stays with it', () => {
  const path = join(folder, 'g');
  const first = new FileLock(path);
  rmSync(`${path}.lock`);
  const second = new FileLock(path);
  first.release();
  expect(existsSync(`${path}.lock`)).toBe(true);
  second.release();
});

it.each([
  ['of another machine', JSON.stringify({ pid: gone, host: `not-${hostname()}` })],
  ['that says nothing yet', ''],
  ['of something else', '[]'],
  ['with a path as its id', left('../../x')],
])('one %s is left alone', (_, content) => {
  const path = join(folder, 'c');
  writeFileSync(`${path}.lock`, content);
  expect(() => new FileLock(path)).toThrow(expect.objectContaining({ code: 'locked' }));
  expect(readdirSync(folder)).toEqual(['c.lock']);
  rmSync(`${path}.lock`);
});

it('where nothing can be written it says so', () => {
  expect(() => new FileLock(join(folder, 'none', 'd'))).toThrow(expect.objectContaining({ code: 'cannot-write' }));
});
