import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import type { SignedStatement } from '@tutti/certificates/groups';
import { EnvironmentError } from '@tutti/core/input';
import { expect, it } from 'vitest';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { type CheckedLog, placesOfKey, WatchedLog } from './memberFiles.ts';

const { folder, at, write } = temporaryFiles();
const keyAt = (name: string) => write(name, '{}');

it('a key has one signed log, through any links', () => {
  const key = keyAt('key');
  symlinkSync(key, at('link'));
  const places = { signedLog: `${key}.signed`, certificateFolder: `${key}.certificates` };
  expect(placesOfKey(key)).toEqual(places);
  expect(placesOfKey(at('link'))).toEqual(places);
  for (const name of ['deep', 'out']) mkdirSync(at(name));
  symlinkSync(at('deep'), at('out/to-deep'));
  expect(placesOfKey(`${folder}/out/to-deep/../key`)).toEqual(places);
});

it('refuses a key whose signed log is at the name of a link, and a key with two names', () => {
  symlinkSync(keyAt('logged'), at('other'));
  write('other.signed', '');
  expect(() => placesOfKey(at('other'))).toThrow(/other: expected its signed log at .*logged\.signed, got/);
  linkSync(keyAt('twice'), at('again'));
  expect(() => placesOfKey(at('again'))).toThrow(/again: expected a key file with one name, got 2 names/);
});

it.skipIf(process.platform !== 'linux')('refuses a key that is a mount, because each mount has a separate log', () => {
  expect(() => placesOfKey('/proc')).toThrow('/proc: is a mount of a single file');
});

const statement = (height: bigint | undefined): SignedStatement => ({ message: new Uint8Array(32).fill(1), height });
const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

/** Creates a log of statements by height, on a disk that the test can fill. */
function watched() {
  const disk = { isFull: false, writes: [] as string[] };
  const known = new Map<string, number>();
  let isFailing = false;
  const log: CheckedLog = {
    record({ message, height }) {
      const byte = known.get(String(height));
      if (byte === message[0]) return;
      if (byte !== undefined) throw new EnvironmentError('already-signed', `height ${height}: is signed`);
      isFailing = disk.isFull;
      if (isFailing) throw full();
      disk.writes.push(`${height}:${message[0]}`);
      if (height !== undefined) known.set(String(height), message[0]!);
    },
    check() {
      if (isFailing && disk.isFull) throw full();
      isFailing = false;
    },
    close() {},
  };
  const lines: string[] = [];
  return { disk, lines, log: new WatchedLog(log, 'key.signed', (line) => lines.push(line)) };
}

it('with a full disk, each statement fails with one code, and the failure is reported once', () => {
  const { disk, log, lines } = watched();
  disk.isFull = true;
  for (const height of [1n, 2n, undefined])
    expect(() => log.record(statement(height))).toThrow(
      expect.objectContaining({
        code: 'signed-log-failed',
        message: 'key.signed: cannot be written (ENOSPC), so this member has stopped signing; free space on its disk',
      }),
    );
  expect(log.failure()).toMatchObject({ code: 'signed-log-failed' });
  expect(lines).toEqual([
    'tutti: key.signed: cannot be written (ENOSPC), so this member has stopped signing; free space on its disk\n',
  ]);
});

it('a health check repeats the failed write, so a member is healthy as soon as its disk has space', () => {
  const { disk, log, lines } = watched();
  disk.isFull = true;
  expect(() => log.record(statement(1n))).toThrow();
  expect(log.failure()).toBeDefined();
  disk.isFull = false;
  expect([log.failure(), disk.writes, lines.at(-1)]).toEqual([
    undefined,
    [],
    'tutti: key.signed is writable again; this member resumes signing\n',
  ]);
  log.record(statement(1n));
  expect([log.failure(), disk.writes, lines.length]).toEqual([undefined, ['1:1'], 2]);
});

it('a known statement does not show that the disk has space, and a written one does', () => {
  const { disk, log } = watched();
  log.record(statement(1n));
  disk.isFull = true;
  expect(() => log.record(statement(2n))).toThrow();
  log.record(statement(1n));
  expect(log.failure()).toBeDefined();
  disk.isFull = false;
  log.record(statement(3n));
  expect([log.failure(), disk.writes]).toEqual([undefined, ['1:1', '3:1']]);
});

it.each([
  ['(ENOSPC), so this member has stopped signing; free space on its disk', full()],
  ['(EACCES), so this member has stopped signing', Object.assign(new Error('denied'), { code: 'EACCES' })],
  ['(x: no space left), so this member has stopped signing', undefined],
])('the failure of a log is reported with its cause, and advice only if the disk is full: %s', (why, cause) => {
  const error = new EnvironmentError('signed-log-failed', 'x: no space left', { cause });
  const record = () => {
    throw error;
  };
  const lines: string[] = [];
  const log = new WatchedLog({ record, check() {}, close() {} }, 'key.signed', (line) => lines.push(line));
  expect(() => log.record(statement(1n))).toThrow(EnvironmentError);
  expect(lines).toEqual([`tutti: key.signed: cannot be written ${why}\n`]);
});
