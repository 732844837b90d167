import { spawn } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runMain } from '../../../apps/node-cli/test/runMain.ts';
import { sampled, strided } from '../../../tests/sampled.ts';

// Each process writes to its own folder.
const outer = mkdtempSync(join(tmpdir(), 'tutti-killed-'));
afterAll(() => rmSync(outer, { recursive: true, force: true }));
const atFirst = join(outer, 'first.json');

const pixel = (...args: string[]) => runMain(['pixel', ...args]);

beforeAll(async () => {
  expect(await pixel('keygen', atFirst)).toMatchObject({ code: 0 });
  expect(await pixel('update', atFirst, '--to', '5')).toMatchObject({ code: 0 });
});

interface Place {
  readonly folder: string;
  readonly key: string;
}

/** Creates a folder with a key of period 5. */
function place(name: string): Place {
  const folder = join(outer, name);
  mkdirSync(folder);
  // Folder for removed files, so that their removal can be undone.
  mkdirSync(`${folder}.saved`);
  const key = join(folder, 'k.json');
  copyFileSync(atFirst, key);
  return { folder, key };
}

const shim = new URL('./stoppingFs.mjs', import.meta.url).href;
const bin = fileURLToPath(new URL('../../../apps/node-cli/bin/tutti.js', import.meta.url));

/** Runs `pixel update --to 9` in a process that stops at a file-system call. */
function update(
  { folder, key }: Place,
  at: number,
  how: 'kill' | 'half' | 'cut' | 'lose' | 'pause',
  more: Record<string, string> = {},
) {
  const env = { TUTTI_STOP_AT: `${at}`, TUTTI_STOP_HOW: how, TUTTI_STOP_FOLDER: folder, ...more };
  const child = spawn(process.execPath, ['--import', shim, bin, 'pixel', 'update', key, '--to', '9'], {
    stdio: ['pipe', 'pipe', how === 'pause' ? 'ignore' : 'inherit'],
    env: { ...process.env, TUTTI_PROGRESS: 'none', ...env },
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  return { child, ended };
}

async function periodOf(key: string): Promise<number> {
  const { code, out, err } = await pixel('inspect', key, '--json');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out).time;
}

/** The process stops at one of 22 calls. */
const { first, step } = strided(22);

/**
 * Returns the first tested call for a variant of stopping. Variants start at different calls, so that together they
 * cover more of the calls.
 */
const from = (way: number): number => 1 + ((first - 1 + 2 * way) % step);

const isZero = (file: number) => readFileSync(file).every((byte) => byte === 0);

it.each(
  sampled(
    [
      ['is killed', 'kill', 11, 0],
      ['is killed half-way through a write', 'half', 3, 0],
      ['loses power', 'cut', 11, 1],
      ['loses power, and of files more than of the folder', 'lose', 11, 2],
    ] as const,
    1,
  ),
)(
  'an update that %s leaves one of the two keys, and after the next command no other file, at any call',
  async (name, how, least, way) => {
    for (let at = from(way); ; at += step) {
      const there = place(`${name} ${at}`);
      const old = openSync(there.key, 'r');
      const { code, signal } = await update(there, at, how).ended;
      // In every state that a killed process leaves, the key file is valid without any repair.
      const period = await periodOf(there.key);
      expect([5, 9]).toContain(period);
      expect(readdirSync(there.folder).filter((left) => left !== 'k.json' && !left.startsWith('k.json.lock'))).toEqual(
        [],
      );
      // The old key's bytes are overwritten even if no file name leads to them any more.
      expect([at, period, isZero(old)]).toEqual([at, period, period === 9]);
      closeSync(old);
      expect(await pixel('update', there.key, '--to', '20')).toMatchObject({ code: 0, err: '' });
      expect(readdirSync(there.folder)).toEqual(['k.json']);
      if (code === 0) {
        expect(at).toBeGreaterThan(least);
        break;
      }
      expect(signal).toBe('SIGKILL');
    }
  },
);

it('succeeds on a file system without hard links', async () => {
  const there = place('no links');
  const old = openSync(there.key, 'r');
  expect(await update(there, 1e6, 'kill', { TUTTI_STOP_LINKS: 'none' }).ended).toMatchObject({ code: 0 });
  expect(isZero(old)).toBe(true);
  closeSync(old);
  expect(readdirSync(there.folder)).toEqual(['k.json']);
});

it.each(
  sampled(
    [
      ['', false, 0],
      [', though somebody removed its lock', true, 1],
    ] as const,
    1,
  ),
)('while an update is suspended%s, no other update changes the file back, at any call', async (name, unlocked, way) => {
  for (let at = from(way); ; at += step) {
    const there = place(`paused${name} ${at}`);
    const { child, ended } = update(there, at, 'pause');
    const stopped = await Promise.race([
      new Promise<boolean>((resolve) => child.stdout.once('data', (text) => resolve(!`${text}`.includes('period')))),
      ended.then(() => false),
    ]);
    if (!stopped) {
      expect(await ended).toMatchObject({ code: 0 });
      expect(at).toBeGreaterThan(5);
      break;
    }
    if (unlocked) rmSync(`${there.key}.lock`, { force: true });
    const periods = [5];
    for (const to of [7, 20]) {
      const isLocked = existsSync(`${there.key}.lock`);
      const { code, err } = await pixel('update', there.key, '--to', `${to}`);
      if (isLocked) expect(err).toMatch(/ has it; /);
      if (code === 0) periods.push(to);
      else expect(err).toMatch(/ has it; |choose a later period/);
    }
    child.stdout.resume();
    child.stdin.end();
    if ((await ended).code === 0) periods.push(9);
    expect(periods.length).toBeGreaterThan(1);
    const latest = Math.max(...periods);
    expect([at, await periodOf(there.key)]).toEqual([at, latest]);
    expect(existsSync(`${there.key}.lock`)).toBe(false);
    expect(readdirSync(there.folder)).toEqual(['k.json']);
  }
});
