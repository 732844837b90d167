import {
  type BigIntStats,
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { EnvironmentError, requireBytes, requireText, toHex } from '@tutti/core/input';
import { FileLock, type FileLockOptions, pointedTo, syncFolder } from '@tutti/transports/files';
import { formatInterchange, type InterchangeReport, parseInterchange, withImported } from './interchange.ts';
import { LineChain, type LogContent, minLines, readLog } from './logFormat.ts';
import { SignedHeights, type SignedLog, type SignedStatement } from './signedLog.ts';

/** File system calls that a log uses. Tests replace these calls with failing ones. */
export interface LogFiles {
  readonly lock: (path: string, options: FileLockOptions) => Pick<FileLock, 'target' | 'release'>;
  readonly openSync: (path: string, flags: string | number, mode?: number) => number;
  readonly readSync: (fd: number, buffer: Uint8Array, offset: number, length: number, position: number) => number;
  readonly writeSync: (fd: number, bytes: Uint8Array) => number;
  readonly fsyncSync: (fd: number) => void;
  readonly ftruncateSync: (fd: number, length: number) => void;
  readonly fchownSync: (fd: number, uid: number, gid: number) => void;
  readonly closeSync: (fd: number) => void;
  readonly fstatSync: (fd: number) => BigIntStats;
  /** Returns the file's status, or undefined if the path does not exist. */
  readonly statSync: (path: string) => BigIntStats | undefined;
  readonly renameSync: (from: string, to: string) => void;
  readonly rmSync: (path: string) => void;
}

const systemFiles: LogFiles = {
  lock: (path, options) => new FileLock(path, options),
  openSync,
  readSync,
  writeSync: (fd, bytes) => writeSync(fd, bytes),
  fsyncSync,
  ftruncateSync,
  fchownSync,
  closeSync,
  fstatSync: (fd) => fstatSync(fd, { bigint: true }),
  statSync: (path) => statSync(path, { bigint: true, throwIfNoEntry: false }),
  renameSync,
  rmSync: (path) => rmSync(path, { force: true }),
};

/** A signed log in a file. */
export interface SignedLogFile extends SignedLog {
  /**
   * Checks that the log can be written; returns immediately if the last write succeeded. After a failed write, the
   * function tries to write again, so that a service knows whether it can sign.
   *
   * @throws EnvironmentError `signed-log-failed` as long as the file cannot be written.
   */
  check(): void;
  /**
   * Returns the signed messages in the format of EIP-3076, with heights as `signed_blocks` and message hashes as
   * signing roots. If there is a watermark, it is exported as the smallest slot, so that other signers sign nothing at
   * or below it.
   *
   * @param registry digest of the registry, 32 bytes, which replaces the genesis validators root.
   */
  exportInterchange(publicKey: Uint8Array, registry: Uint8Array): string;
  /**
   * Imports either all or none of the messages that another signer with the same key has signed. At or below the
   * highest imported height, the key then signs only messages that the log stores, not those with a conflict.
   *
   * @throws EnvironmentError `interchange-malformed`; `interchange-of-another` for a file of another registry or
   * without the key; `signed-log-failed`.
   */
  importInterchange(text: string, publicKey: Uint8Array, registry: Uint8Array): InterchangeReport;
}

/** Content of a log's file, for display. */
export interface SignedLogSummary {
  /** Heights with the hexadecimal hashes of their messages, in ascending order. */
  readonly heights: readonly (readonly [height: bigint, message: string])[];
  /** Height at or below which nothing new is signed; undefined if there is none. */
  readonly watermark: bigint | undefined;
  /** Version of the file's format. */
  readonly version: 1 | 2;
  readonly bytes: number;
}

/**
 * Opens and locks the log of a key. The lock is necessary because two signers with one key would not know each other's
 * signatures. `record` writes a line and syncs it before it returns.
 *
 * The file is rewritten when it has more than 16,384 obsolete lines, both on opening and while it is open. The file has
 * at most 81,922 lines, or 8 MB, unless rewriting the file fails. A rewritten file replaces the previous file
 * atomically.
 *
 * @throws EnvironmentError `signed-log-locked` while another process has the file open; `signed-log-damaged` for a
 * changed line or a second message at one height, and the file is left as it is; `ambiguous-names` for a file with a
 * second hard link; `signed-log-failed` if the file cannot be used.
 */
export function openSignedLog(path: string, files: LogFiles = systemFiles): SignedLogFile {
  requireText('path', path);
  const lock = files.lock(path, {
    code: 'signed-log-locked',
    advice: 'two signers with one key would sign twice, end one',
  });
  try {
    return new OpenLog(path, files, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Reads a log without locking it. Another process may be writing to the log at the same time.
 *
 * @throws EnvironmentError `signed-log-damaged`, `signed-log-failed`.
 */
export function readSignedLog(path: string): SignedLogSummary {
  requireText('path', path);
  return failing(path, () => {
    const fd = openLog(path, pointedTo(path), systemFiles, constants.O_RDONLY);
    if (fd === undefined)
      throw new EnvironmentError('signed-log-failed', `${path}: expected a signed log, got no file`);
    try {
      const { heights, version } = readAll(path, fd, systemFiles);
      const sorted = [...heights.entries].sort(([a], [b]) => (a < b ? -1 : 1));
      return { heights: sorted, watermark: heights.watermark, version, bytes: Number(fstatSync(fd).size) };
    } finally {
      closeSync(fd);
    }
  });
}

/**
 * Maximum number of obsolete lines in the file. Obsolete lines contain forgotten heights, former watermarks, and
 * messages without a height.
 */
const maxObsoleteLines = 16_384;

/** Number of lines to add after a failed rewrite of the file before the next attempt. */
const linesToNextTry = 4096;

/** Repair that is required after a failed write, before the next write. */
type Repair = 'none' | 'undo' | 'rewrite';

class OpenLog implements SignedLogFile {
  readonly #path: string;
  readonly #target: string;
  readonly #files: LogFiles;
  readonly #lock: Pick<FileLock, 'target' | 'release'>;
  #heights: SignedHeights;
  #chain: LineChain;
  #lines: number;
  /** Descriptor of the open file; undefined if the replacement by a rewritten file failed. */
  #fd: number | undefined;
  #place: BigIntStats | undefined;
  /** Number of bytes that were definitely written. */
  #bytes = 0n;
  #repair: Repair = 'none';
  #hasFailed = false;
  #shortenOver = maxObsoleteLines;
  #isClosed = false;

  constructor(path: string, files: LogFiles, lock: Pick<FileLock, 'target' | 'release'>) {
    this.#path = path;
    this.#target = lock.target;
    this.#files = files;
    this.#lock = lock;
    const content = failing(path, () => this.#open());
    this.#heights = content?.heights ?? new SignedHeights();
    this.#chain = new LineChain(content?.sum);
    this.#lines = content?.lines ?? 0;
    try {
      const isCurrent = content?.version === 2 && content.isWhole && this.#obsoleteLines <= maxObsoleteLines;
      failing(path, () => (isCurrent ? this.#sync() : this.#rewrite(this.#heights)));
    } catch (error) {
      this.#closeFile();
      throw error;
    }
  }

  get #obsoleteLines(): number {
    return this.#lines - minLines(this.#heights);
  }

  record(statement: SignedStatement): void {
    this.#requireOpen();
    if (!this.#heights.isNew(statement)) return;
    const { height, message } = statement;
    const hash = toHex(message);
    this.#trying(() => {
      this.#mend();
      this.#append(height, hash);
    });
    if (height !== undefined) this.#heights.add(height, hash);
    if (this.#obsoleteLines > this.#shortenOver) this.#shorten();
  }

  check(): void {
    this.#requireOpen();
    if (this.#hasFailed) this.#trying(() => this.#rewrite(this.#heights));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      this.#closeFile();
    } finally {
      this.#lock.release();
    }
  }

  exportInterchange(publicKey: Uint8Array, registry: Uint8Array): string {
    requireKeyAndDigest(publicKey, registry);
    return formatInterchange(this.#heights, publicKey, registry);
  }

  importInterchange(text: string, publicKey: Uint8Array, registry: Uint8Array): InterchangeReport {
    requireText('text', text);
    requireKeyAndDigest(publicKey, registry);
    this.#requireOpen();
    const interchange = parseInterchange(text, toHex(publicKey), toHex(registry));
    const { heights, report } = withImported(this.#heights, interchange);
    this.#trying(() => this.#rewrite(heights));
    this.#heights = heights;
    return report;
  }

  /** Opens and reads the file. Returns undefined if the file does not exist. */
  #open(): LogContent | undefined {
    const files = this.#files;
    this.#fd = openLog(this.#path, this.#target, files, constants.O_RDWR | constants.O_APPEND);
    if (this.#fd === undefined) return undefined;
    try {
      this.#place = files.fstatSync(this.#fd);
      this.#bytes = this.#place.size;
      requireOneName(this.#path, this.#place);
      return readAll(this.#path, this.#fd, files);
    } catch (error) {
      this.#closeFile();
      throw error;
    }
  }

  #append(height: bigint | undefined, hash: string): void {
    this.#requireInPlace();
    const files = this.#files;
    const chain = new LineChain(this.#chain.sum);
    const bytes = new TextEncoder().encode(`${chain.statement(height, hash)}\n`);
    this.#repair = 'undo';
    writeAll(files, this.#fd!, bytes);
    // After a failed sync, the content of the disk is unknown, and a second sync may report success without writing the
    // data.
    this.#repair = 'rewrite';
    files.fsyncSync(this.#fd!);
    this.#repair = 'none';
    this.#bytes += BigInt(bytes.length);
    this.#chain = chain;
    this.#lines++;
  }

  /**
   * Syncs the file and its folder. A killed process may have left lines, or a file name, that are not synced and that a
   * power failure would undo.
   */
  #sync(): void {
    this.#files.fsyncSync(this.#fd!);
    syncFolder(dirname(this.#target), this.#files);
  }

  /** Repairs the file after a failed write. */
  #mend(): void {
    if (this.#repair === 'undo') this.#undo();
    else if (this.#repair === 'rewrite') this.#rewrite(this.#heights);
  }

  #undo(): void {
    this.#files.ftruncateSync(this.#fd!, Number(this.#bytes));
    this.#repair = 'none';
  }

  /** Checks that the path still leads to this process's file, and that no other process has changed the file. */
  #requireInPlace(): void {
    const standing = this.#files.statSync(this.#target);
    const place = this.#place;
    if (place === undefined ? standing === undefined : standing?.ino === place.ino && standing.dev === place.dev) {
      // A partial line from a failed write of this process is removed later.
      if (this.#repair !== 'none' || (standing?.size ?? 0n) === this.#bytes) return;
    }
    throw new EnvironmentError(
      'signed-log-failed',
      `${this.#path}: was moved, removed or changed while it is open, so nothing is signed; put it back, or start again`,
    );
  }

  /** Rewrites the log without obsolete lines. The new file replaces the previous file atomically. */
  #rewrite(heights: SignedHeights): void {
    this.#requireInPlace();
    const files = this.#files;
    // A second name would still lead to the previous file, which another process could open.
    if (this.#fd !== undefined) requireOneName(this.#path, files.fstatSync(this.#fd));
    const part = `${this.#target}.part`;
    files.rmSync(part);
    const fd = files.openSync(part, 'ax+', this.#place === undefined ? 0o600 : Number(this.#place.mode & 0o777n));
    let written: { readonly chain: LineChain; readonly lines: number };
    let place: BigIntStats;
    try {
      if (this.#place !== undefined) keepOwner(files, fd, this.#place);
      written = writeWholeLog(files, fd, heights);
      files.fsyncSync(fd);
      place = files.fstatSync(fd);
      // Windows does not replace a file that is open, so the file is closed first.
      this.#repair = 'rewrite';
      this.#closeFile();
      files.renameSync(part, this.#target);
    } catch (error) {
      files.closeSync(fd);
      ifPossible(() => files.rmSync(part));
      throw error;
    }
    this.#fd = fd;
    this.#place = place;
    this.#bytes = place.size;
    this.#chain = written.chain;
    this.#lines = written.lines;
    syncFolder(dirname(this.#target), files);
    this.#repair = 'none';
  }

  /**
   * Rewrites the file to shorten it. A failure does no harm, because the longer file contains all recorded statements.
   */
  #shorten(): void {
    try {
      failing(this.#path, () => this.#rewrite(this.#heights));
      this.#shortenOver = maxObsoleteLines;
    } catch {
      this.#shortenOver = this.#obsoleteLines + linesToNextTry;
    }
  }

  /** Converts a file-system error to an EnvironmentError, and notes that a write has failed. */
  #trying(write: () => void): void {
    try {
      failing(this.#path, write);
      this.#hasFailed = false;
    } catch (error) {
      this.#hasFailed = true;
      if (this.#repair === 'undo') ifPossible(() => this.#undo());
      throw error;
    }
  }

  #requireOpen(): void {
    if (this.#isClosed)
      throw new EnvironmentError('signed-log-failed', `${this.#path}: expected an open log, got a closed one`);
  }

  #closeFile(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd !== undefined) this.#files.closeSync(fd);
  }
}

/**
 * Opens a log's file without creating it. Returns undefined if the file does not exist. Only regular files are opened,
 * because a pipe would block the caller.
 */
function openLog(path: string, target: string, files: LogFiles, flags: number): number | undefined {
  const standing = files.statSync(target);
  if (standing === undefined) return undefined;
  if (standing.isFile()) return files.openSync(target, flags);
  throw new EnvironmentError('signed-log-failed', `${path}: expected a regular file, got something else`);
}

function readAll(path: string, fd: number, files: LogFiles): LogContent {
  return readLog(path, (buffer, offset, length, position) => files.readSync(fd, buffer, offset, length, position));
}

function writeAll(files: LogFiles, fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += files.writeSync(fd, bytes.subarray(at));
}

function writeWholeLog(files: LogFiles, fd: number, heights: SignedHeights) {
  const pieces = LineChain.whole(heights);
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
    writeAll(files, fd, new TextEncoder().encode(value));
  }
}

/**
 * Gives the new file the owner of the previous file. If root rewrites the log of a service for an import, the service
 * must be able to open the log again.
 */
function keepOwner(files: LogFiles, fd: number, former: BigIntStats): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = files.fstatSync(fd);
  if (uid !== former.uid || gid !== former.gid) files.fchownSync(fd, Number(former.uid), Number(former.gid));
}

/** Checks that the file has only one name, because a second name would have a separate lock. */
function requireOneName(path: string, { nlink }: BigIntStats): void {
  if (nlink > 1n)
    throw new EnvironmentError(
      'ambiguous-names',
      `${path}: has ${nlink} names (hard links), by which two signers could open it; remove all names but one`,
    );
}

/** Cleans up after a failed write. A failure does no harm, because the next write cleans up again. */
function ifPossible(cleanUp: () => void): void {
  try {
    cleanUp();
  } catch {}
}

function requireKeyAndDigest(publicKey: Uint8Array, registry: Uint8Array): void {
  requireBytes('publicKey', publicKey);
  requireBytes('registry', registry);
}

function failing<T>(path: string, task: () => T): T {
  try {
    return task();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (cause instanceof EnvironmentError || typeof code !== 'string') throw cause;
    throw new EnvironmentError('signed-log-failed', `${path}: cannot be used: ${message}`, { cause });
  }
}
