import childProcess, { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
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
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { rethrow } from '../../test/compliance.ts';
import { FileLock, requireNoMount, requireOneName } from '../files.ts';
import { takeLock, tryKernelLock } from './kernelLock.ts';

const folder = mkdtempSync(join(tmpdir(), 'tutti-lock-'));
const children = new Set<ChildProcess>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});
let files = 0;
const newPath = (): string => {
  const own = join(folder, `${files++}`);
  mkdirSync(own);
  return join(own, 'file');
};

/** Program that locks each path on a line of its input, prints the outcome, and ends with its input. */
const program = `
import { FileLock } from ${JSON.stringify(new URL('../files.js', import.meta.url.replace('/src/', '/dist/')).href)};
import { createInterface } from 'node:readline';
console.log('ready');
for await (const path of createInterface({ input: process.stdin })) {
  try { new FileLock(path); console.log('held ' + process.pid); } catch (error) { console.log(error.code); }
}`;
const inNode = [process.execPath, '--input-type=module', '-e', program];
/** Command that runs a program as process 1 of a separate pid namespace, as in a container. */
const inContainer = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc'];
const hasContainers = spawnSync(inContainer[0]!, [...inContainer.slice(1), 'true']).status === 0;

/** Starts a process, in a container or not, that locks the paths which it gets. */
async function contender(isContained = false) {
  const [command, ...args] = isContained ? [...inContainer, ...inNode] : inNode;
  // unshare prints an error when its process is killed.
  const child = spawn(command!, args, { stdio: ['pipe', 'pipe', isContained ? 'ignore' : 'inherit'] });
  children.add(child);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => (await lines.next()).value;
  const give = (path: string) => child.stdin!.write(`${path}\n`);
  expect(await line()).toBe('ready');
  return {
    line,
    give,
    lock(path: string): Promise<string> {
      give(path);
      return line();
    },
    /** Kills the process. In a container, this function kills process 1, and the parent process ends afterwards. */
    async kill(): Promise<void> {
      const pid = child.pid!;
      const killed = isContained ? Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')) : pid;
      const ended = once(child, 'exit');
      process.kill(killed, 'SIGKILL');
      await ended;
      children.delete(child);
    },
  };
}

const isLocked = (code = 'locked') => expect.objectContaining({ code });

describe('a file lock', () => {
  let path: string;
  beforeEach(() => {
    path = newPath();
  });

  it('has one holder at a time, names the holder, and removes its file on release', () => {
    const lock = new FileLock(path);
    expect(statSync(`${path}.lock`).mode & 0o777).toBe(0o600);
    expect(() => new FileLock(path)).toThrow(
      expect.objectContaining({
        code: 'locked',
        message: `${path}: process ${process.pid} of ${hostname()} has it; wait until it ends, or choose another file`,
      }),
    );
    expect(() => new FileLock(path, { code: 'in-use', advice: 'stop it' })).toThrow(
      expect.objectContaining({ code: 'in-use', message: expect.stringMatching(/ has it; stop it$/) }),
    );
    lock.release();
    lock.release();
    new FileLock(path).release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it('is free after its process was killed, although the file remains', async () => {
    const holder = await contender();
    expect(await holder.lock(path)).toMatch('held');
    expect(() => new FileLock(path)).toThrow(isLocked());
    await holder.kill();
    expect(existsSync(`${path}.lock`)).toBe(true);
    new FileLock(path).release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['a process that runs', `${process.ppid}`],
    ['this process', JSON.stringify({ pid: process.pid, host: hostname() })],
    ['process 1 of this machine', JSON.stringify({ pid: 1, host: hostname() })],
    ['another machine', JSON.stringify({ pid: 7, host: 'elsewhere' })],
  ])('is free if its file names %s, because the operating system decides which process holds it', (_, content) => {
    writeFileSync(`${path}.lock`, content);
    const lock = new FileLock(path);
    expect(() => new FileLock(path)).toThrow(isLocked());
    lock.release();
  });

  it.each([
    ['a host of two lines', '{"pid":1,"host":"a\\nb"}'],
    ['a process id that is a text', '{"pid":"1","host":"a"}'],
    ['no JSON', 'x'.repeat(1000)],
  ])('names no holder if its file contains %s', (_, content) => {
    const lock = new FileLock(path);
    writeFileSync(`${path}.lock`, content);
    expect(() => new FileLock(path)).toThrow(`${path}: another process has it; `);
    lock.release();
  });

  it('is the same lock through any symbolic link to the file, existing or not', () => {
    const own = newPath();
    mkdirSync(own);
    symlinkSync(own, `${own}-folder`);
    symlinkSync(join(own, 'file'), `${own}-link`);
    mkdirSync(join(own, 'deep'));
    symlinkSync(join(own, 'deep'), `${own}-deep`);
    symlinkSync(`${own}-deep/../file`, `${own}-up`);
    // The system reads `..` after a link as the parent of the link's target.
    const names = [join(own, 'file'), `${own}-link`, join(`${own}-folder`, 'file'), `${own}-deep/../file`, `${own}-up`];
    for (const content of [undefined, 'there']) {
      if (content !== undefined) writeFileSync(names[0]!, content);
      for (const name of names) {
        const lock = new FileLock(name);
        expect(lock.target).toBe(names[0]);
        for (const other of names) expect(() => new FileLock(other)).toThrow(isLocked());
        lock.release();
      }
    }
  });

  it('refuses a symbolic link or a folder at the path of the lock file', () => {
    symlinkSync(`${path}.other`, `${path}.lock`);
    expect(() => new FileLock(path)).toThrow(isLocked('cannot-write'));
    expect(existsSync(`${path}.other`)).toBe(false);
    rmSync(`${path}.lock`);
    mkdirSync(`${path}.lock`);
    expect(() => new FileLock(path)).toThrow(isLocked('cannot-write'));
    for (const folder of [join(path, 'none'), process.execPath])
      expect(() => new FileLock(join(folder, 'file'))).toThrow(isLocked('cannot-write'));
  });

  it.each(['linux', 'darwin'])('refuses a pipe at the path of the lock file, as on %s', (platform) => {
    expect(spawnSync('mkfifo', [`${path}.lock`]).status).toBe(0);
    const own = Object.getOwnPropertyDescriptor(process, 'platform')!;
    Object.defineProperty(process, 'platform', { ...own, value: platform });
    onTestFinished(() => void Object.defineProperty(process, 'platform', own));
    expect(() => new FileLock(path)).toThrow('expected a regular file or nothing');
  });

  it('belongs to the second holder if the lock file of the first was removed', () => {
    const first = new FileLock(path);
    rmSync(`${path}.lock`);
    const second = new FileLock(path);
    first.release();
    expect(() => new FileLock(path)).toThrow(isLocked());
    second.release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it('is free after its holder could not read the state of the lock file', () => {
    const path = `${newPath()}.lock`;
    const isAt = () => rethrow(new Error('EACCES'));
    expect(() => takeLock(path, (name) => ({ ...tryKernelLock(name)!, isAt }))).toThrow('EACCES');
    takeLock(path)!.close();
  });

  it('is not acquired by a process that opened the lock file just before its removal', () => {
    const path = `${newPath()}.lock`;
    const holder = takeLock(path)!;
    let third: ReturnType<typeof takeLock>;
    let tries = 0;
    const late = takeLock(path, (name) => {
      if (tries++ > 0) return tryKernelLock(name);
      // This process has opened the old file, under a second name that represents its descriptor.
      linkSync(path, `${path}.descriptor`);
      rmSync(path);
      holder.close();
      const old = tryKernelLock(`${path}.descriptor`)!;
      third = takeLock(path);
      return old;
    });
    expect([late, tries, third === undefined]).toEqual([undefined, 2, false]);
    third!.close();
  });

  it.skipIf(process.platform !== 'linux').each([
    ['it has no program', { error: Object.assign(new Error(), { code: 'ENOENT' }) }, "the program 'flock' is missing"],
    ['the file system has none', { status: 66, stderr: 'flock: 0: No locks available\n' }, 'No locks available'],
    ['the program says nothing, and did not run', { status: null, error: new Error('EACCES') }, 'EACCES'],
    ['the runtime hands no open file to a program', { status: 0, stderr: '' }, 'cannot pass an open file'],
  ])('fails if %s', (_, outcome, why) => {
    const former = childProcess.spawnSync;
    childProcess.spawnSync = (() => outcome) as never;
    syncBuiltinESMExports();
    try {
      expect(() => new FileLock(path)).toThrow(
        expect.objectContaining({ code: 'lock-unavailable', message: expect.stringContaining(why) }),
      );
    } finally {
      childProcess.spawnSync = former;
      syncBuiltinESMExports();
    }
    new FileLock(path).release();
  });

  it('is acquired by exactly one of four concurrent processes, with a stale lock file or none', async () => {
    const paths = Array.from({ length: 40 }, newPath);
    for (const [index, path] of paths.entries()) if (index % 2 === 0) writeFileSync(`${path}.lock`, '999999');
    const all = await Promise.all(Array.from({ length: 4 }, () => contender()));
    for (const one of all) paths.forEach(one.give);
    const holders = paths.map(() => 0);
    for (const one of all)
      for (const [index] of paths.entries()) if ((await one.line()).startsWith('held')) holders[index]!++;
    expect(holders).toEqual(paths.map(() => 1));
    await Promise.all(all.map((one) => one.kill()));
  });

  it.skipIf(!hasContainers)('excludes other containers with the same process id, and ends with its own', async () => {
    const [first, second] = [await contender(true), await contender(true)];
    expect([await first.lock(path), await second.lock(path)]).toEqual(['held 1', 'locked']);
    expect(() => new FileLock(path)).toThrow(isLocked());
    expect(JSON.parse(readFileSync(`${path}.lock`, 'utf8'))).toEqual({ pid: 1, host: hostname() });
    await first.kill();
    expect(await second.lock(path)).toBe('held 1');
    await second.kill();
    const third = await contender(true);
    expect(await third.lock(path)).toBe('held 1');
    await third.kill();
  });
});

it('refuses a file with two hard links, because each name would have a separate lock', () => {
  expect(() => requireOneName('a', 1)).not.toThrow();
  expect(() => requireOneName('a', 2)).toThrow(expect.objectContaining({ code: 'ambiguous-names' }));
});

it('refuses a mount of a single file, whose other mounts would have separate locks', () => {
  const mounts =
    '36 35 8:1 /log /data/one\\040log rw,relatime - ext4 /dev/sda1 rw\n37 35 8:1 / /data rw - ext4 /dev/sda1 rw\n';
  expect(() => requireNoMount('/data/log', mounts)).not.toThrow();
  expect(() => requireNoMount('/data/one log', mounts)).toThrow(expect.objectContaining({ code: 'ambiguous-names' }));
  if (process.platform !== 'linux') return;
  expect(() => new FileLock('/proc')).toThrow(expect.objectContaining({ code: 'ambiguous-names' }));
});
