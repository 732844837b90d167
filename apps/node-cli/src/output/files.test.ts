import { spawnSync } from 'node:child_process';
import fs, {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { EnvironmentError } from '@tutti/core/input';
import { afterEach, expect, it, vi } from 'vitest';
import { outcomeOf } from '../../../../tests/outcomes.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { withWarnings } from '../context.ts';
import { isFolder, readSecret, readWhole, requireFolderOf, requireNamed, requirePlace, writeWhole } from './files.ts';
import { host, isRunning } from './temporaryFiles.ts';

const { at: inFolder, folder, write } = temporaryFiles();
/** Process id of an ended process. */
const gone = spawnSync(process.execPath, ['--version']).pid;
const coded = (code: string) => expect.objectContaining({ code });

it('writeWhole replaces the file with the requested mode, and leaves no other file', () => {
  const path = write('a', 'old');
  writeWhole(path, 'new', 0o600);
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['a']);
});

it('writeWhole writes parts one after another, and nothing if one of them fails', () => {
  const path = inFolder('parts');
  writeWhole(path, ['some ', Uint8Array.of(0x74, 0x65), 'xt']);
  expect(readFileSync(path, 'utf8')).toBe('some text');
  for (const error of [new RangeError('no more'), new EnvironmentError('cannot-read', 'no more')]) {
    const broken = (function* () {
      yield 'half';
      throw error;
    })();
    expect(() => writeWhole(path, broken)).toThrow(error);
    expect(readFileSync(path, 'utf8')).toBe('some text');
  }
  rmSync(path);
  expect(readdirSync(folder)).toEqual(['a']);
});

it('writeWhole replaces the target of a link, existing or not, and keeps the link', () => {
  const own = mkdtempSync(inFolder('links-'));
  const at = (name: string) => join(own, name);
  symlinkSync('target', at('link'));
  symlinkSync('link', at('further'));
  writeWhole(at('link'), 'first');
  expect(readFileSync(at('target'), 'utf8')).toBe('first');
  writeWhole(at('further'), 'second');
  expect(readFileSync(at('target'), 'utf8')).toBe('second');
  expect(readdirSync(own).sort()).toEqual(['further', 'link', 'target']);
  for (const name of ['link', 'further']) expect(lstatSync(at(name)).isSymbolicLink()).toBe(true);
  symlinkSync('loop', at('loop'));
  expect(() => writeWhole(at('loop'), 'x')).toThrow(coded('cannot-write'));
  rmSync(own, { recursive: true });
});

it.runIf(existsSync('/dev/null'))('replaces no folder and no device, also not through a link', () => {
  const link = inFolder('null');
  symlinkSync('/dev/null', link);
  for (const path of [folder, '/dev/null', link]) {
    expect(() => requirePlace(path, true)).toThrow(coded('not-a-file'));
    expect(() => writeWhole(path, 'x')).toThrow(coded('not-a-file'));
  }
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  rmSync(link);
});

it('a path that ends with a slash names a folder', () => {
  expect(() => requirePlace(`${inFolder('missing')}/`, true, 'a')).toThrow(coded('no-such-folder'));
  requirePlace(`${folder}/`, true, 'a');
});

it('a path below a file is rejected as not writable', () => {
  const path = join(folder, 'a', 'b');
  for (const check of [requireFolderOf, (below: string) => requirePlace(below, true, 'c'), writeWhole])
    expect(() => check(path, '')).toThrow(coded('cannot-write'));
  expect(isFolder(path)).toBe(false);
});

it('requirePlace refuses to replace a file or folder without force, and accepts - for the standard output', () => {
  const path = inFolder('a');
  expect(() => requirePlace(path, false)).toThrow(coded('file-exists'));
  expect(() => requirePlace(folder, undefined, 'a')).toThrow(coded('file-exists'));
  requirePlace(path, true);
  requirePlace(folder, false, 'b');
  requirePlace('-', false);
  expect(() => requireNamed('-', true)).toThrow(coded('not-a-file'));
  expect(() => requireNamed(folder, true)).toThrow(coded('not-a-file'));
});

it('the next write removes partial files of killed runs of this machine, and nothing else', () => {
  const kept = [
    'a.json',
    // Temporary files of a running process, of another machine or container, and without a host in the name.
    `c.${process.ppid}.${host}.0123abcd.part`,
    `d.${gone}.not-${host}.0123abcd.part`,
    `d.${process.pid}.not-${host}.0123abcd.part`,
    `d.${gone}.7-${host}.0123abcd.part`,
    `e.${gone}.0123abcd.part`,
    'my.part',
  ].sort();
  const there = () => {
    const place = mkdtempSync(inFolder('parts-'));
    const left = [`a.json.${gone}.${host}.0123abcd.part`, `b.${process.pid}.${host}.0123abcd.part`];
    for (const file of [...left, ...kept]) writeFileSync(join(place, file), '');
    return place;
  };
  const written = there();
  writeWhole(join(written, 'a.json'), 'x');
  expect(readdirSync(written).sort()).toEqual(kept);
  const tried = there();
  requireFolderOf(join(tried, 'result.json'));
  expect(readdirSync(tried).sort()).toEqual(kept);
});

it('an abandoned entry that cannot be removed does not keep the next write from removing others', () => {
  const place = mkdtempSync(inFolder('stuck-'));
  const [before, stuck, after] = ['a', 'b', 'c'].map((name) => `${name}.${gone}.${host}.0123abcd.part`);
  for (const file of [before!, after!]) writeFileSync(join(place, file), '');
  // A folder is not removed like a file, even by root.
  mkdirSync(join(place, stuck!));
  requireFolderOf(join(place, 'result.json'));
  expect(readdirSync(place)).toEqual([stuck]);
});

function withFs(other: Partial<typeof fs>, run: () => void): void {
  const own = Object.fromEntries(Object.keys(other).map((name) => [name, fs[name as keyof typeof fs]]));
  Object.assign(fs, other);
  syncBuiltinESMExports();
  try {
    run();
  } finally {
    Object.assign(fs, own);
    syncBuiltinESMExports();
  }
}

it('a folder whose names cannot be read can still be written', () => {
  const readdirSync = () => {
    throw Object.assign(new Error('denied'), { code: 'EACCES' });
  };
  withFs({ readdirSync }, () => writeWhole(join(mkdtempSync(inFolder('unlisted-')), 'a'), 'x'));
});

const inContainer = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc'];

it.skipIf(spawnSync('unshare', [...inContainer, 'true']).status !== 0)(
  'the partial file of another container with the same host name remains, although its process id is unused here',
  () => {
    const place = mkdtempSync(inFolder('shared-'));
    const part = `a.json.${process.pid}.${host}.0123abcd.part`;
    writeFileSync(join(place, part), '');
    const files = new URL('./files.js', import.meta.url.replace('/src/', '/dist/')).href;
    const program = `(await import('${files}')).writeWhole(${JSON.stringify(join(place, 'b.json'))}, 'x');`;
    const node = [process.execPath, '--input-type=module', '-e', program];
    const { status, stderr } = spawnSync('unshare', [...inContainer, ...node], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    expect(readdirSync(place).sort()).toEqual([part, 'b.json'].sort());
  },
);

// A folder in which even root cannot create a file.
it.skipIf(!existsSync('/proc/self'))('requireFolderOf detects before the work that the folder is not writable', () => {
  for (const path of ['/proc/result.json', '/proc'])
    expect(() => requireFolderOf(path)).toThrow(/: no file can be written in \/proc /);
});

it('a file is synced before it is renamed, so that a power cut leaves no empty file', () => {
  const calls: string[] = [];
  const recorded = (name: 'fsyncSync' | 'renameSync') => {
    const own = fs[name] as (...args: unknown[]) => void;
    return { [name]: (...args: unknown[]) => [calls.push(name), own(...args)] };
  };
  withFs({ ...recorded('fsyncSync'), ...recorded('renameSync') }, () => writeWhole(inFolder('synced'), 'new'));
  expect(calls).toEqual(['fsyncSync', 'renameSync']);
  rmSync(inFolder('synced'));
});

afterEach(() => vi.restoreAllMocks());

it.each([
  ['answers', undefined, true],
  ['belongs to another user', 'EPERM', true],
  ['does not exist', 'ESRCH', false],
])('a process that %s is running: %3$s', (_, code, running) => {
  vi.spyOn(process, 'kill').mockImplementation(() => {
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    return true;
  });
  expect(isRunning(process.pid + 1)).toBe(running);
});

it('a text file that is not UTF-8 is refused in one line', () => {
  const path = write('latin1.json', Buffer.from('{"member": "Zoë"}', 'latin1'));
  expect(() => readWhole(path)).toThrow(`${path}: expected UTF-8, got another encoding; save it as UTF-8`);
});

/** Returns the warnings of reading a file with this content and mode as secrets. */
function warningsOf(mode: number, parse: (text: string) => string): string[] {
  const path = write('token', 'secret\n');
  chmodSync(path, mode);
  const lines: string[] = [];
  const warn = (line: string) => lines.push(line);
  withWarnings(warn, () => outcomeOf(() => readSecret(path, parse)));
  return lines;
}

it.skipIf(process.platform === 'win32')('warns only about a file with secrets that other users can read', () => {
  const line = `${inFolder('token')}: other users can read these secrets; protect the file with chmod 600`;
  for (const mode of [0o640, 0o604, 0o620]) expect(warningsOf(mode, String)).toEqual([line]);
  expect(warningsOf(0o600, String)).toEqual([]);
  const refused = () => {
    throw new RangeError('no secrets');
  };
  expect(warningsOf(0o644, refused)).toEqual([]);
});
