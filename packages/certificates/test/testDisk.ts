import type { BigIntStats } from 'node:fs';
import { dirname } from 'node:path';
import type { LogFiles } from '../src/log/signedLogFile.ts';

interface Inode {
  readonly ino: bigint;
  mode: number;
  uid: bigint;
  gid: bigint;
  bytes: Buffer;
  length: number;
  /** Content on the disk after the last sync: the first `length` bytes of a buffer that no later write changes. */
  synced: { readonly bytes: Buffer; readonly length: number };
}

const root = { uid: 0n, gid: 0n };

/** Kinds of unsynced changes that survive a power failure. */
export interface Survivors {
  readonly data: boolean;
  readonly names: boolean;
}

export type LogCall = Exclude<keyof LogFiles, 'lock'>;

/** Called before each file system call; may throw, or return the number of bytes that a write writes. */
export type OnCall = (call: LogCall, about: string) => unknown;

/** Returns an error of the file system with a code. */
export const systemError = (code: string): Error =>
  Object.assign(new Error(`${code}: the test disk says so`), { code });

/** A disk in memory with a single folder. The disk tracks which parts of its files are synced. */
export class TestDisk {
  #names: Map<string, Inode>;
  #syncedNames: Map<string, Inode>;
  readonly #open = new Map<number, { readonly path: string; readonly inode: Inode | undefined }>();
  #nextFd = 100;
  #nextIno = 1n;
  /** Free space, bytes. */
  room = Number.POSITIVE_INFINITY;
  /** Maximum length of a read so far, bytes. */
  largestRead = 0;

  constructor(names: Map<string, Inode> = new Map()) {
    this.#names = names;
    this.#syncedNames = new Map(names);
    for (const { ino } of names.values()) if (ino >= this.#nextIno) this.#nextIno = ino + 1n;
  }

  /** Number of files that are still open. */
  get openFiles(): number {
    return this.#open.size;
  }

  get names(): string[] {
    return [...this.#names.keys()];
  }

  bytesOf(path: string): Buffer {
    const { bytes, length } = this.#names.get(path)!;
    return Buffer.from(bytes.subarray(0, length));
  }

  textOf(path: string): string {
    return this.bytesOf(path).toString('latin1');
  }

  /** Creates a file whose content is already synced. */
  put(path: string, content: string | Uint8Array): void {
    const bytes = Buffer.from(content as string, 'latin1');
    const { length } = bytes;
    const inode = { ino: this.#nextIno++, mode: 0o600, ...root, bytes, length, synced: { bytes, length } };
    this.#names.set(path, inode);
    this.#syncedNames.set(path, inode);
  }

  own(path: string, owner: Pick<Inode, 'mode' | 'uid' | 'gid'>): void {
    Object.assign(this.#names.get(path)!, owner);
  }

  remove(path: string): void {
    this.#names.delete(path);
  }

  rename(from: string, to: string): void {
    this.#names.set(to, this.#names.get(from)!);
    this.#names.delete(from);
  }

  /** Returns the disk in the state that the next process finds after this process is killed. */
  afterKill(): TestDisk {
    const next = new TestDisk(this.#names);
    next.#syncedNames = this.#syncedNames;
    return next;
  }

  /** Returns the disk in its state after a power failure and a restart of the machine. */
  afterPowerCut({ data, names }: Survivors): TestDisk {
    const found = [...(names ? this.#names : this.#syncedNames)].map(([name, inode]): [string, Inode] => {
      const bytes = Buffer.from(
        data ? inode.bytes.subarray(0, inode.length) : inode.synced.bytes.subarray(0, inode.synced.length),
      );
      return [name, { ...inode, bytes, length: bytes.length, synced: { bytes, length: bytes.length } }];
    });
    return new TestDisk(new Map(found));
  }

  files(onCall: OnCall = () => {}): LogFiles {
    return {
      lock: (path) => ({ target: path, release: () => {} }),
      openSync: (path, flags, mode = 0o666) => {
        onCall('openSync', path);
        return this.#opened(path, flags, mode);
      },
      readSync: (fd, buffer, offset, length, position) => {
        onCall('readSync', this.#pathOf(fd));
        const { bytes, length: end } = this.#inodeOf(fd);
        this.largestRead = Math.max(this.largestRead, length);
        return bytes.copy(buffer, offset, Math.min(position, end), Math.min(position + length, end));
      },
      writeSync: (fd, bytes) => {
        const most = onCall('writeSync', this.#pathOf(fd));
        return this.#written(fd, typeof most === 'number' ? bytes.subarray(0, most) : bytes);
      },
      fsyncSync: (fd) => {
        onCall('fsyncSync', this.#pathOf(fd));
        this.#sync(fd);
      },
      ftruncateSync: (fd, length) => {
        onCall('ftruncateSync', this.#pathOf(fd));
        this.#inodeOf(fd).length = length;
      },
      fchownSync: (fd) => void onCall('fchownSync', this.#pathOf(fd)),
      closeSync: (fd) => {
        onCall('closeSync', this.#pathOf(fd));
        this.#open.delete(fd);
      },
      fstatSync: (fd) => statsOf(this.#inodeOf(fd)),
      statSync: (path) => {
        const inode = this.#names.get(path);
        return inode && statsOf(inode);
      },
      renameSync: (from, to) => {
        onCall('renameSync', to);
        this.rename(from, to);
      },
      rmSync: (path) => {
        onCall('rmSync', path);
        this.#names.delete(path);
      },
    };
  }

  #pathOf(fd: number): string {
    const open = this.#open.get(fd);
    if (open === undefined) throw systemError('EBADF');
    return open.path;
  }

  #inodeOf(fd: number): Inode {
    this.#pathOf(fd);
    return this.#open.get(fd)!.inode!;
  }

  #opened(path: string, flags: string | number, mode: number): number {
    const fd = this.#nextFd++;
    if (this.names.some((name) => dirname(name) === path) || flags === 'r') {
      this.#open.set(fd, { path, inode: undefined });
      return fd;
    }
    let inode = this.#names.get(path);
    if (flags === 'ax+') {
      if (inode !== undefined) throw systemError('EEXIST');
      const synced = { bytes: Buffer.alloc(0), length: 0 };
      inode = { ino: this.#nextIno++, mode, ...root, bytes: Buffer.alloc(64), length: 0, synced };
      this.#names.set(path, inode);
    }
    if (inode === undefined) throw systemError('ENOENT');
    this.#open.set(fd, { path, inode });
    return fd;
  }

  #written(fd: number, bytes: Uint8Array): number {
    const inode = this.#inodeOf(fd);
    if (this.room === 0 && bytes.length > 0) throw systemError('ENOSPC');
    const count = Math.min(bytes.length, this.room);
    this.room -= count;
    if (inode.length < inode.synced.length) inode.bytes = Buffer.from(inode.bytes);
    if (inode.length + count > inode.bytes.length) {
      const larger = Buffer.alloc(2 * (inode.length + count));
      inode.bytes.copy(larger, 0, 0, inode.length);
      inode.bytes = larger;
    }
    inode.bytes.set(bytes.subarray(0, count), inode.length);
    inode.length += count;
    return count;
  }

  #sync(fd: number): void {
    const { inode } = this.#open.get(fd)!;
    if (inode === undefined) this.#syncedNames = new Map(this.#names);
    else inode.synced = { bytes: inode.bytes, length: inode.length };
  }
}

function statsOf({ ino, mode, uid, gid, length }: Inode): BigIntStats {
  const stats = { dev: 1n, ino, nlink: 1n, size: BigInt(length), mode: BigInt(mode), uid, gid };
  return { ...stats, isFile: () => true } as BigIntStats;
}
