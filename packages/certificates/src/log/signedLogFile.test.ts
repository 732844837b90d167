import { createHash } from 'node:crypto';
import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { type LogCall, type OnCall, systemError, TestDisk } from '../../test/testDisk.ts';
import { messageHash } from '../verification/certificate.ts';
import { openSignedLog, readSignedLog } from './signedLogFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'tutti-signed-'));
let files = 0;
const newPath = (): string => join(folder, `log-${files++}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hashOf = (number: number): Uint8Array => messageHash(Uint8Array.of(number));
const [a, b, c] = [hashOf(101), hashOf(102), hashOf(103)] as const;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const key = new Uint8Array(48).fill(3);
const registry = new Uint8Array(32).fill(4);

/** Path of a log on a test disk. */
const path = '/log/signed';
const open = (disk: TestDisk, onCall?: OnCall) => openSignedLog(path, disk.files(onCall));
/** Creates a disk with a log of these heights, each with a different message. */
function diskWith(...heights: readonly (number | undefined)[]): TestDisk {
  const disk = new TestDisk();
  const log = open(disk);
  for (const [index, height] of heights.entries())
    log.record({ message: hashOf(index), height: height === undefined ? undefined : BigInt(height) });
  log.close();
  return disk;
}

/** Creates a disk with this file at the log's path. */
function diskOf(content: string | Uint8Array): TestDisk {
  const disk = new TestDisk();
  disk.put(path, content);
  return disk;
}

/** Returns the heights for which the log refuses to sign a message. */
const refusedOf = (log: ReturnType<typeof open>, heights: readonly bigint[], message: Uint8Array): bigint[] =>
  heights.filter((height) => {
    try {
      log.record({ message, height });
      return false;
    } catch (error) {
      expect(error).toEqual(signed);
      return true;
    }
  });

/** Returns an interchange file of this key. */
const fileOf = (...blocks: readonly { readonly slot: string; readonly signing_root?: string }[]): string =>
  JSON.stringify({
    metadata: { interchange_format_version: '5', genesis_validators_root: hex(registry) },
    data: [{ pubkey: hex(key), signed_blocks: blocks }],
  });

/** Returns the text of a log in the format of version 1. */
function firstVersion(...contents: readonly string[]): string {
  const sumOf = (line: string) => createHash('sha256').update(`tutti signed log v1 ${line}`).digest('hex').slice(0, 8);
  return contents.map((content) => `${content} ${sumOf(content)}\n`).join('');
}

const failed = expect.objectContaining({ code: 'signed-log-failed' });
const damaged = expect.objectContaining({ code: 'signed-log-damaged' });
const signed = expect.objectContaining({ code: 'already-signed' });

describe('a signed log file', () => {
  it('has one message per height, also after restarts, and accepts the same message again', () => {
    const own = newPath();
    const first = openSignedLog(own);
    first.record({ message: a, height: 7n });
    first.record({ message: b, height: undefined });
    expect(() => first.record({ message: b, height: 7n })).toThrow(/^height 7: expected the message .*signed once$/);
    first.close();
    const second = openSignedLog(own);
    second.record({ message: a, height: 7n });
    expect(() => second.record({ message: b, height: 7n })).toThrow('height 7');
    second.record({ message: b, height: 8n });
    second.close();
    expect(readFileSync(own, 'utf8').split('\n')).toHaveLength(5);
    expect(statSync(own).mode & 0o777).toBe(0o600);
  });

  it('can be opened once at a time, through any symbolic link', () => {
    const own = newPath();
    symlinkSync(own, `${own}-link`);
    const log = openSignedLog(`${own}-link`);
    log.record({ message: a, height: 1n });
    for (const name of [own, `${own}-link`])
      expect(() => openSignedLog(name)).toThrow(
        expect.objectContaining({
          code: 'signed-log-locked',
          message: expect.stringMatching(
            `process ${process.pid} of .* has it; two signers with one key would sign twice`,
          ),
        }),
      );
    log.close();
    log.close();
    openSignedLog(own).close();
    expect(readdirSync(folder).filter((name) => /lock|part/.test(name))).toEqual([]);
  });

  it('is refused with a second hard link, and is not rewritten if it gets one', () => {
    const own = newPath();
    const log = openSignedLog(own);
    log.record({ message: a, height: 1n });
    const text = log.exportInterchange(key, registry);
    linkSync(own, `${own}-hard`);
    const severalNames = expect.objectContaining({ code: 'ambiguous-names' });
    expect(() => openSignedLog(`${own}-hard`)).toThrow(severalNames);
    log.record({ message: a, height: 2n });
    // After a rewrite, the second name would still lead to the earlier content, and another process could open it.
    expect(() => log.importInterchange(text, key, registry)).toThrow(severalNames);
    expect(statSync(own).nlink).toBe(2);
    log.close();
    expect(() => openSignedLog(own)).toThrow(severalNames);
    rmSync(`${own}-hard`);
    openSignedLog(own).close();
  });

  it('signs nothing after it is closed', () => {
    const log = open(new TestDisk());
    log.close();
    expect(() => log.record({ message: a, height: 1n })).toThrow(failed);
    expect(() => log.check()).toThrow(failed);
    expect(() => log.importInterchange('{}', key, registry)).toThrow(failed);
  });

  it.each<[string, away: (disk: TestDisk) => void, back?: (disk: TestDisk) => void]>([
    ['moved', (disk) => disk.rename(path, '/log/elsewhere'), (disk) => disk.rename('/log/elsewhere', path)],
    ['removed', (disk) => disk.remove(path)],
    ['replaced', (disk) => disk.put(path, disk.textOf(path))],
  ])('signs nothing while its file is %s', (_, away, back) => {
    const disk = new TestDisk();
    const log = open(disk);
    log.record({ message: a, height: 1n });
    away(disk);
    const names = disk.names;
    expect(() => log.record({ message: b, height: 2n })).toThrow('was moved, removed or changed while it is open');
    expect(() => log.check()).toThrow(failed);
    expect(disk.names).toEqual(names);
    if (back === undefined) return;
    back(disk);
    log.record({ message: b, height: 2n });
    log.check();
  });

  it('signs nothing after another process wrote to its file', () => {
    const own = newPath();
    const log = openSignedLog(own);
    log.record({ message: a, height: 1n });
    writeFileSync(own, 'x', { flag: 'a' });
    expect(() => log.record({ message: b, height: 2n })).toThrow('was moved, removed or changed while it is open');
    log.close();
  });

  it.each(['/dev/null', folder])('refuses a device or folder: %s', (name) => {
    expect(() => openSignedLog(name)).toThrow(failed);
    expect(() => readSignedLog(name)).toThrow(failed);
  });
});

it('a log that cannot be opened is not locked', () => {
  const own = newPath();
  writeFileSync(own, 'x');
  expect(() => openSignedLog(own)).toThrow(damaged);
  writeFileSync(own, '');
  openSignedLog(own).close();
});

it('a log releases its lock although its file cannot be closed', () => {
  const release = vi.fn();
  const files = { ...diskWith(5).files(), lock: () => ({ target: path, release }) };
  const log = openSignedLog(path, files);
  files.closeSync = () => {
    throw new Error('EIO');
  };
  expect(() => log.close()).toThrow('EIO');
  expect(release).toHaveBeenCalledOnce();
});

it('a rewritten log keeps its mode, and its owner if root rewrites it', () => {
  const disk = diskWith(5);
  disk.own(path, { mode: 0o640, uid: 7n, gid: 8n });
  const owners: string[] = [];
  const log = openSignedLog(path, { ...disk.files(), fchownSync: (_, uid, gid) => owners.push(`${uid} ${gid}`) });
  log.importInterchange(log.exportInterchange(key, registry), key, registry);
  expect(disk.files().statSync(path)!.mode).toBe(0o640n);
  expect(owners).toEqual(process.getuid?.() === 0 ? ['7 8'] : []);
});

describe('the text of a log', () => {
  const text = diskWith(5, undefined, 9, 6).textOf(path);
  /** Returns the heights at which no other message can be signed. */
  const closedOf = (content: string): number[] => refusedOf(open(diskOf(content)), [5n, 6n, 9n], c).map(Number);

  it('is refused and left unchanged if a line was changed, moved or removed', () => {
    const lines = text.split('\n').slice(0, -1);
    expect(closedOf(text)).toEqual([5, 6, 9]);
    const changes: (readonly [number, string[]])[] = lines.slice(0, -1).map((_, k) => [k + 1, lines.toSpliced(k, 1)]);
    changes.push([2, lines.toSpliced(1, 2, lines[2]!, lines[1]!)], [3, lines.toSpliced(1, 0, lines[1]!)]);
    for (const [k, line] of lines.entries()) changes.push([k + 1, lines.with(k, line.replace(/[5-9a]|2$/, '4'))]);
    for (const [number, changed] of changes) {
      const content = `${changed.join('\n')}\n`;
      const disk = diskOf(content);
      expect(() => open(disk), content).toThrow(damaged);
      expect(() => open(disk)).toThrow(
        new RegExp(`^${path}: line ${number === 1 ? '[12]' : number} is (not what was written|of another version)`),
      );
      expect([disk.textOf(path), disk.names, disk.openFiles]).toEqual([content, [path], 0]);
    }
  });

  it('is refused and left unchanged, byte for byte, if it is not the text of a log', () => {
    for (const bytes of [
      Buffer.concat([Buffer.alloc(300, 0xff), Buffer.from('\nabc')]),
      Buffer.concat([Buffer.from(text, 'latin1'), Buffer.from([0xff])]),
      Buffer.from(text.replaceAll('\n', '\r\n')),
      Buffer.from(`\ufeff${text}`),
      Buffer.from(`${text}\n`),
      Buffer.alloc(3_000_000, '0'),
      Buffer.from(text.slice(0, 9)),
      Buffer.from(`${text}hello`),
    ]) {
      const disk = diskOf(bytes);
      expect(() => open(disk)).toThrow(damaged);
      expect(disk.bytesOf(path).equals(bytes)).toBe(true);
      expect([disk.names, disk.openFiles]).toEqual([[path], 0]);
    }
  });

  it('keeps a complete last line without line end', () => {
    expect(closedOf(text.slice(0, -1))).toEqual([5, 6, 9]);
    const disk = diskOf(text.slice(0, -1));
    const log = open(disk);
    log.record({ message: c, height: 10n });
    log.close();
    open(disk).close();
  });

  it('loses an incomplete last line, cut at any byte', () => {
    const [last] = text.split('\n').slice(-2);
    for (let cut = 2; cut <= last!.length; cut++) expect(closedOf(text.slice(0, -cut)), `${cut}`).toEqual([5, 9]);
    expect(closedOf(`${text.slice(0, -20)}\0\0\0\0`)).toEqual([5, 9]);
  });

  it('loses a last line of any length whose bytes are all unwritten, and no further bytes', () => {
    const longest = `${2n ** 64n - 1n} ${'0'.repeat(64)} 00000000\n`.length;
    for (const length of [1, longest - 1, longest])
      expect(closedOf(`${text}${'\0'.repeat(length)}`), `${length}`).toEqual([5, 6, 9]);
    expect(() => closedOf(`${text}${'\0'.repeat(longest + 1)}`)).toThrow(damaged);
  });

  it.each([
    ['1', firstVersion, 3],
    ['2', chained, 4],
  ])('is refused with two messages of a height, version %s, with the number of the second line', (_, textOf, line) => {
    const content = textOf(`5 ${hex(a)}`, `- ${hex(b)}`, `5 ${hex(b)}`);
    const disk = diskOf(content);
    expect(() => open(disk)).toThrow(damaged);
    expect(() => open(disk)).toThrow(`line ${line} has a second message of height 5, so two signers wrote`);
    expect(disk.textOf(path)).toBe(content);
    open(diskOf(textOf(`5 ${hex(a)}`, `5 ${hex(a)}`))).close();
  });

  it('is refused with a height that was closed when it was written', () => {
    for (const height of [6, 7]) {
      const disk = diskOf(chained(`5 ${hex(a)}`, '<= 7', `${height} ${hex(b)}`));
      expect(() => open(disk)).toThrow(`line 4 has a second message of height ${height}`);
    }
    expect(() => open(diskOf(chained(`5 ${hex(a)}`, '<= 7', `5 ${hex(a)}`, `8 ${hex(b)}`)))).not.toThrow();
  });

  it('is refused with a height or watermark of more than 64 bits', () => {
    for (const line of [`${2n ** 64n} ${hex(a)}`, `<= ${2n ** 64n}`])
      expect(() => open(diskOf(chained(line)))).toThrow('line 2 is not what was written');
    open(diskOf(chained(`${2n ** 64n - 1n} ${hex(a)}`, `<= ${2n ** 64n - 1n}`)));
  });

  it('may be of version 1, and is rewritten in version 2', () => {
    const content = firstVersion(`5 ${hex(a)}`, `- ${hex(b)}`, `4 ${hex(c)}`, '<= 4', `9 ${hex(b)}`);
    const closed = { [content]: [5, 9], [content.slice(0, -1)]: [5, 9], [content.slice(0, -2)]: [5], '': [] };
    for (const [former, heights] of Object.entries(closed)) {
      expect(closedOf(former)).toEqual(heights);
      const disk = diskOf(former);
      open(disk).close();
      expect(disk.textOf(path)).toMatch(/^tutti signed log 2\n/);
      expect(disk.textOf(path)).not.toContain('- ');
    }
    const log = open(diskOf(content));
    expect(() => log.record({ message: a, height: 4n })).toThrow(signed);
    log.record({ message: c, height: 4n });
  });

  it('a log file is read in pieces of at most 1 MiB, and the result does not depend on the size of the pieces', () => {
    const disk = diskOf(chained(...Array.from({ length: 30_000 }, (_, height) => `${height} ${hex(a)}`)));
    expect(disk.bytesOf(path).length).toBeGreaterThan(2 ** 21);
    const log = open(disk);
    expect(disk.largestRead).toBe(2 ** 20);
    for (const height of [0n, 14_000n, 29_999n]) expect(() => log.record({ message: b, height })).toThrow(signed);
    log.record({ message: b, height: 30_000n });
  });

  it('can be read while another process has it open', () => {
    const own = newPath();
    const log = openSignedLog(own);
    log.record({ message: b, height: 9n });
    log.record({ message: a, height: 5n });
    expect(readSignedLog(own)).toEqual({
      heights: [
        [5n, hex(a)],
        [9n, hex(b)],
      ],
      watermark: undefined,
      version: 2,
      bytes: statSync(own).size,
    });
    log.close();
    writeFileSync(own, 'x');
    expect(() => readSignedLog(own)).toThrow(damaged);
    expect(() => readSignedLog(`${own}-none`)).toThrow('expected a signed log, got no file');
  });
});

/** Returns the text of a log in the format of version 2. */
function chained(...contents: readonly string[]): string {
  const first = 'tutti signed log 2';
  const sumOf = (before: string, line: string) =>
    createHash('sha256').update(`tutti signed log v2 ${before} ${line}`).digest('hex').slice(0, 8);
  let sum = sumOf('', first);
  return [
    first,
    ...contents.map((content) => {
      sum = sumOf(sum, content);
      return `${content} ${sum}`;
    }),
    '',
  ].join('\n');
}

class Killed extends Error {}

/** Runs a process once per file system call except reads, killed at this call or within a write; then to its end. */
function killedAtEachStep(written: number, run: (onCall: OnCall, step: number) => void): void {
  let step = 0;
  let steps: number;
  do {
    let isDead = false;
    steps = 0;
    run((call) => {
      if (isDead) throw new Killed();
      if (call === 'readSync' || steps++ !== step) return undefined;
      isDead = true;
      if (call === 'writeSync' && written > 0) return written;
      throw new Killed();
    }, step);
  } while (steps > step++);
}

/** Runs a simulated process until it ends or is killed. */
function process_(disk: TestDisk, onCall: OnCall, life: (log: ReturnType<typeof open>) => void): void {
  try {
    life(open(disk, onCall));
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
}

const powerCuts = [false, true].flatMap((data) => [false, true].map((names) => ({ data, names })));

describe('a recorded message', () => {
  /** Signs a message for height 1 if the log allows it. */
  const sign = (released: Set<string>, message: Uint8Array) => (log: ReturnType<typeof open>) => {
    try {
      log.record({ message, height: 1n });
      released.add(hex(message));
    } catch (error) {
      if (error instanceof Killed || (error as { code?: string }).code !== 'already-signed') throw error;
    }
  };
  const disks: readonly (readonly [string, () => TestDisk])[] = [
    ['that is new', () => new TestDisk()],
    ['with heights', () => diskWith(5, 6)],
    ['of the first version', () => diskOf(firstVersion(`5 ${hex(a)}`))],
    ['whose last line is torn', () => diskOf(diskWith(5, 6).textOf(path).slice(0, -9))],
  ];

  it.each(disks)('a recorded message survives a power failure at any point, in a log %s', (_, made) => {
    let released = 0;
    for (const written of [0, 1, 40, 75])
      killedAtEachStep(written, (onCall, step) => {
        const disk = made();
        const own = new Set<string>();
        process_(disk, onCall, (log) => {
          sign(own, a)(log);
          log.record({ message: b, height: 2n });
          log.close();
        });
        released += own.size;
        for (const survivors of powerCuts) {
          const both = new Set(own);
          sign(both, b)(open(disk.afterPowerCut(survivors)));
          expect(both.size, `${step} ${JSON.stringify(survivors)}`).toBeLessThan(2);
        }
      });
    expect(released).toBeGreaterThan(8);
  });

  it('a recorded message survives a power failure if it was read from unsynced data of a killed process and signed again', () => {
    let twice = 0;
    for (const [, made] of disks)
      killedAtEachStep(94, (onCall, killAt) => {
        const first = made();
        const released = new Set<string>();
        process_(first, onCall, sign(released, a));
        killedAtEachStep(0, (onNextCall, cutAt) => {
          const second = first.afterKill();
          const again = new Set(released);
          process_(second, onNextCall, sign(again, a));
          for (const survivors of powerCuts) {
            const all = new Set(again);
            sign(all, b)(open(second.afterPowerCut(survivors)));
            expect(all.size, `${killAt} ${cutAt} ${JSON.stringify(survivors)}`).toBeLessThan(2);
          }
          if (again.size > released.size) twice++;
        });
      });
    expect(twice).toBeGreaterThan(0);
  });

  it('a recorded message survives a kill or a power failure during an import, and the import is complete or absent', () => {
    const file = fileOf({ slot: '50', signing_root: hex(c) }, { slot: '100' });
    const seen = new Set<string>();
    for (const written of [0, 30])
      killedAtEachStep(written, (onCall) => {
        const disk = diskWith(5, 120);
        let isImported = false;
        process_(disk, onCall, (log) => {
          log.importInterchange(file, key, registry);
          isImported = true;
        });
        for (const next of [disk.afterKill(), ...powerCuts.map((survivors) => disk.afterPowerCut(survivors))]) {
          const log = open(next);
          for (const height of [5n, 120n]) expect(() => log.record({ message: b, height })).toThrow(signed);
          const closed = refusedOf(log, [50n, 99n, 100n], b);
          seen.add(String(closed));
          if (isImported) expect(closed).toEqual([50n, 99n, 100n]);
          log.record({ message: b, height: 101n });
        }
      });
    expect([...seen].sort()).toEqual(['', '50,99,100']);
  });
});

describe('a write that fails', () => {
  it('for lack of space is undone and signs nothing, and the next write succeeds when there is space', () => {
    for (let room = 0; room < 95; room++) {
      const disk = diskWith(5);
      const log = open(disk);
      const before = disk.textOf(path);
      disk.room = room;
      if (room >= 76) {
        log.record({ message: a, height: 1n });
        continue;
      }
      expect(() => log.record({ message: a, height: 1n })).toThrow(failed);
      expect(() => log.record({ message: a, height: 1n })).toThrow(/^\/log\/signed: cannot be used: ENOSPC/);
      expect(disk.textOf(path)).toBe(before);
      expect(() => log.check()).toThrow(failed);
      disk.room = 1000;
      log.check();
      // The log has no message of height 1, so any message may be signed.
      log.record({ message: b, height: 1n });
      expect(() => log.record({ message: a, height: 1n })).toThrow(signed);
      log.close();
      expect([disk.names, disk.openFiles]).toEqual([[path], 0]);
      expect(refusedOf(open(disk), [1n, 5n], a)).toEqual([1n, 5n]);
    }
  });

  it('is undone before the next write if it could not be undone at once', () => {
    const disk = diskWith(5);
    let isBroken = true;
    const log = open(disk, (call) => {
      if (isBroken && call === 'ftruncateSync') throw systemError('EIO');
      return isBroken && call === 'writeSync' ? 10 : undefined;
    });
    disk.room = 10;
    const before = disk.textOf(path);
    expect(() => log.record({ message: a, height: 1n })).toThrow(failed);
    disk.room = 1000;
    expect(disk.textOf(path)).toHaveLength(before.length + 10);
    expect(() => log.record({ message: b, height: 1n })).toThrow(failed);
    isBroken = false;
    log.record({ message: b, height: 1n });
    log.close();
    expect(disk.textOf(path)).toMatch(before);
    expect(() => open(disk).record({ message: a, height: 1n })).toThrow(signed);
  });

  it('a write is repeated after a failed sync, because a second sync can succeed without writing', () => {
    const disk = diskWith(5);
    const calls: string[] = [];
    let isBroken = false;
    const log = open(disk, (call, about) => {
      calls.push(`${call} ${about}`);
      if (isBroken && call === 'fsyncSync' && about === path) throw systemError('EIO');
    });
    isBroken = true;
    expect(() => log.record({ message: a, height: 1n })).toThrow(/^\/log\/signed: cannot be used: EIO/);
    isBroken = false;
    calls.length = 0;
    log.record({ message: b, height: 1n });
    expect(calls).toContain(`renameSync ${path}`);
    expect(refusedOf(open(disk.afterPowerCut({ data: false, names: false })), [1n, 5n], a)).toEqual([1n, 5n]);
  });

  it('during a rewrite keeps the previous file, and the rewrite is repeated', () => {
    for (const broken of ['openSync', 'writeSync', 'fsyncSync', 'renameSync', 'folder'] as const) {
      const disk = diskWith(5);
      let isBroken = false;
      const log = open(disk, (call, about) => {
        if (isBroken && (broken === 'folder' ? call === 'fsyncSync' && about === '/log' : call === broken))
          throw systemError('EIO');
      });
      const file = fileOf({ slot: '50', signing_root: hex(a) });
      isBroken = true;
      expect(() => log.importInterchange(file, key, registry), broken).toThrow(failed);
      expect(() => log.check(), broken).toThrow(failed);
      isBroken = false;
      log.check();
      expect(disk.names).toEqual([path]);
      // The failed import recorded no heights.
      log.record({ message: b, height: 10n });
      expect(() => log.record({ message: b, height: 5n })).toThrow(signed);
      log.close();
      expect(disk.openFiles).toBe(0);
      open(disk).record({ message: c, height: 50n });
    }
  });

  it('is reported by check() until writing succeeds again, and check() writes nothing without an earlier failure', () => {
    const disk = diskWith(5);
    const calls: LogCall[] = [];
    const log = open(disk, (call) => void calls.push(call));
    calls.length = 0;
    log.check();
    expect(calls).toEqual([]);
    disk.room = 0;
    expect(() => log.record({ message: a, height: 6n })).toThrow(failed);
    expect(() => log.check()).toThrow(failed);
    expect(() => log.check()).toThrow(failed);
    disk.room = 1000;
    log.check();
    calls.length = 0;
    log.check();
    expect(calls).toEqual([]);
  });

  it('during opening leaves the log closed and unchanged', () => {
    for (const content of [firstVersion(`5 ${hex(a)}`), undefined]) {
      const disk = content === undefined ? new TestDisk() : diskOf(content);
      disk.room = 10;
      expect(() => open(disk)).toThrow(failed);
      expect([disk.names, disk.openFiles]).toEqual([content === undefined ? [] : [path], 0]);
      if (content !== undefined) expect(disk.textOf(path)).toBe(content);
    }
  });
});

describe('the length of a log', () => {
  const linesOf = (disk: TestDisk): number => disk.textOf(path).split('\n').length - 1;

  it.runIf(isWhole)(
    'a log file has at most 81,922 lines and 8 MB: the header, 65,536 heights, a watermark, and 16,384 obsolete lines',
    () => {
      const disk = new TestDisk();
      // Height 65,536 below the maximum, so that every height in this test has the maximum number of digits.
      const least = 2n ** 64n - 1n - 65_536n;
      const log = open(disk);
      log.importInterchange(fileOf({ slot: String(least) }), key, registry);
      for (let k = 1n; k <= 65_536n; k++) log.record({ message: a, height: least + k });
      for (let k = 0; k < 16_384; k++) log.record({ message: a, height: undefined });
      expect(linesOf(disk)).toBe(81_922);
      expect(disk.bytesOf(path).length).toBeLessThan(8e6);
      log.record({ message: a, height: undefined });
      expect(linesOf(disk)).toBe(65_538);
      log.close();
      const heights = [least, least + 1n, least + 65_536n];
      expect(refusedOf(open(disk), heights, b)).toEqual(heights);
    },
  );

  it('stays constant while heights ascend, and no height is signed again after a restart', () => {
    const disk = new TestDisk();
    let most = 0;
    const log = open(disk);
    const last = isWhole ? 200_000n : 90_000n;
    for (let height = 1n; height <= last; height++) {
      log.record({ message: a, height });
      if (height % 1000n === 0n) most = Math.max(most, linesOf(disk));
    }
    expect(most).toBeLessThan(65_539);
    log.close();
    const again = open(disk);
    for (let height = 1n; height <= last; height += 9973n)
      expect(() => again.record({ message: b, height })).toThrow(signed);
  });

  it('a log file with more than 16,384 obsolete lines is compacted when it is opened', () => {
    for (const lines of [16_384, 16_385]) {
      const disk = diskOf(chained(...Array.from({ length: lines }, () => `- ${hex(a)}`), `7 ${hex(b)}`));
      const log = open(disk);
      expect(linesOf(disk)).toBe(lines > 16_384 ? 2 : lines + 2);
      expect(() => log.record({ message: a, height: 7n })).toThrow(signed);
    }
  });

  it('a log that cannot be compacted grows, continues to sign, and is compacted later', () => {
    const disk = new TestDisk();
    let isBroken = false;
    let attempts = 0;
    const log = open(disk, (call) => {
      if (call === 'openSync' && isBroken && attempts++ >= 0) throw systemError('ENOSPC');
    });
    isBroken = true;
    for (let k = 0; k < 16_384 + 3 * 4096; k++) log.record({ message: a, height: undefined });
    expect(attempts).toBe(3);
    log.check();
    isBroken = false;
    for (let k = 0; k < 4097; k++) log.record({ message: a, height: undefined });
    expect(linesOf(disk)).toBeLessThan(4097);
    let most = 0;
    for (let k = 0; k < 16_385; k++) {
      log.record({ message: a, height: undefined });
      if (k % 100 === 0) most = Math.max(most, linesOf(disk));
    }
    expect(most).toBeLessThan(16_386);
  });
});
