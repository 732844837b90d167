import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { sha256 } from '@noble/hashes/sha2.js';
import { requireText } from '../arguments.ts';
import { fromHex, toHex } from '../hex.ts';
import { WorldError } from '../worldError.ts';
import { SignedHeights, type SignedLog, type SignedStatement } from './signedLog.ts';

/** What a log asks of the file system; a test puts a failing one in its place. */
export interface LogFiles {
  readonly openSync: typeof openSync;
  readonly writeSync: (fd: number, bytes: Uint8Array) => number;
  readonly fsyncSync: typeof fsyncSync;
  readonly ftruncateSync: typeof ftruncateSync;
  readonly closeSync: typeof closeSync;
}

const systemFiles: LogFiles = {
  openSync,
  writeSync: (fd, bytes) => writeSync(fd, bytes),
  fsyncSync,
  ftruncateSync,
  closeSync,
};

/** A log in a file. */
export interface SignedLogFile extends SignedLog {
  /**
   * Returns at once where the last write succeeded. After one that failed it tries to write, so that a service knows
   * whether it can sign again.
   *
   * @throws WorldError `signed-log-failed` while the file cannot be written.
   */
  check(): void;
  /**
   * What was signed, as EIP-3076 has it: heights as `signed_blocks`, the messages' hashes as signing roots.
   *
   * @param registry digest, 32 bytes, in the place of the genesis validators root.
   */
  exportInterchange(publicKey: Uint8Array, registry: Uint8Array): string;
  /**
   * Takes what another signer of the key signed; then nothing at or below its greatest height is signed but what it
   * signed.
   *
   * @throws WorldError `interchange-malformed` or `interchange-of-another`.
   */
  importInterchange(text: string, publicKey: Uint8Array, registry: Uint8Array): void;
}

/**
 * Opens the log of what a key signed, and locks it: two signers with one key would not know of each other. A line is
 * `height message checksum`; it is written and synced before `record` returns. What a crash left of a last line is cut
 * off, since its signature never left.
 *
 * @throws WorldError `signed-log-locked` while another process has it, `signed-log-damaged` for a line that is not what
 *   was written, `signed-log-failed` where the file cannot be used.
 */
export function openSignedLog(path: string, files: LogFiles = systemFiles): SignedLogFile {
  requireText('path', path);
  const unlock = lock(path);
  try {
    return new OpenLog(path, files, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

class OpenLog implements SignedLogFile {
  readonly #heights = new SignedHeights();
  readonly #files: LogFiles;
  readonly #unlock: () => void;
  readonly #fd: number;
  /** Length of what is written for certain. */
  #bytes = 0;
  #broken = false;

  constructor(path: string, files: LogFiles, unlock: () => void) {
    this.#files = files;
    this.#unlock = unlock;
    const isNew = !existsSync(path);
    this.#fd = failing(path, () => files.openSync(path, 'a+', 0o600));
    try {
      this.#read(path);
      if (isNew) syncFolder(dirname(path), files);
    } catch (error) {
      files.closeSync(this.#fd);
      throw error;
    }
  }

  record(statement: SignedStatement): void {
    if (!this.#heights.isNew(statement)) return;
    this.#append(`${statement.height ?? '-'} ${toHex(statement.message)}`);
    if (statement.height !== undefined) this.#heights.add(statement.height, toHex(statement.message));
  }

  check(): void {
    if (this.#broken) this.#append(`- ${'0'.repeat(64)}`);
  }

  close(): void {
    this.#files.closeSync(this.#fd);
    this.#unlock();
  }

  exportInterchange(publicKey: Uint8Array, registry: Uint8Array): string {
    const signed = [...this.#heights.entries].sort(([a], [b]) => (a < b ? -1 : 1));
    const blocks = signed.map(([slot, hash]) => ({ slot: String(slot), signing_root: `0x${hash}` }));
    const { lowest } = this.#heights;
    if (lowest !== undefined && !signed.some(([slot]) => slot >= lowest))
      blocks.push({ slot: String(lowest) } as (typeof blocks)[number]);
    const data = [{ pubkey: `0x${toHex(publicKey)}`, signed_blocks: blocks, signed_attestations: [] }];
    const metadata = { interchange_format_version: '5', genesis_validators_root: `0x${toHex(registry)}` };
    return `${JSON.stringify({ metadata, data }, undefined, 2)}\n`;
  }

  importInterchange(text: string, publicKey: Uint8Array, registry: Uint8Array): void {
    const blocks = readInterchange(text, toHex(publicKey), toHex(registry));
    let lowest = this.#heights.lowest;
    for (const { slot, root } of blocks) {
      if (lowest === undefined || slot > lowest) lowest = slot;
      if (root === undefined) continue;
      this.record({ message: root, height: slot });
    }
    if (lowest === undefined) return;
    this.#append(`<= ${lowest}`);
    this.#heights.lowest = lowest;
  }

  #append(line: string): void {
    const bytes = new TextEncoder().encode(`${line} ${checksum(line)}\n`);
    // What a write that failed left of its line.
    if (this.#broken) this.#files.ftruncateSync(this.#fd, this.#bytes);
    this.#broken = true;
    for (let at = 0; at < bytes.length; ) at += this.#files.writeSync(this.#fd, bytes.subarray(at));
    this.#files.fsyncSync(this.#fd);
    this.#broken = false;
    this.#bytes += bytes.length;
  }

  #read(path: string): void {
    const text = failing(path, () => readFileSync(path, 'utf8'));
    const end = text.lastIndexOf('\n') + 1;
    if (end < text.length) {
      this.#files.ftruncateSync(this.#fd, Buffer.byteLength(text.slice(0, end)));
      this.#files.fsyncSync(this.#fd);
    }
    this.#bytes = Buffer.byteLength(text.slice(0, end));
    const lines = text.slice(0, end).split('\n').slice(0, -1);
    for (const [index, line] of lines.entries()) {
      const [, content = '', first, second = '', sum] =
        /^((\d{1,20}|-|<=) ([0-9a-f]{1,64})) ([0-9a-f]{8})$/.exec(line) ?? [];
      if (first === undefined || sum !== checksum(content))
        throw new WorldError(
          'signed-log-damaged',
          `${path}: line ${index + 1} is not what was written; restore the file, for without it a height may be signed twice`,
        );
      if (first === '<=') this.#heights.lowest = BigInt(second);
      else if (first !== '-') this.#heights.add(BigInt(first), second);
    }
  }
}

function checksum(line: string): string {
  return toHex(sha256(new TextEncoder().encode(`tutti signed log v1 ${line}`)).subarray(0, 4));
}

function readInterchange(
  text: string,
  publicKey: string,
  registry: string,
): { readonly slot: bigint; readonly root: Uint8Array | undefined }[] {
  const malformed = (what: string): WorldError =>
    new WorldError('interchange-malformed', `interchange: expected EIP-3076 of version 5, got ${what}`);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw malformed('no JSON');
  }
  const { metadata, data } = (document ?? {}) as {
    readonly metadata?: { readonly interchange_format_version?: unknown; readonly genesis_validators_root?: unknown };
    readonly data?: unknown;
  };
  if (metadata?.interchange_format_version !== '5') throw malformed('another version');
  const root = metadata.genesis_validators_root;
  if (root !== `0x${registry}`)
    throw new WorldError(
      'interchange-of-another',
      `interchange: expected what was signed for registry 0x${registry}, got that for ${String(root)}`,
    );
  if (!Array.isArray(data)) throw malformed('no list of keys');
  const mine = (data as { pubkey?: unknown; signed_blocks?: unknown }[]).filter(
    (one) => one?.pubkey === `0x${publicKey}`,
  );
  return mine.flatMap(({ signed_blocks: blocks }) => {
    if (!Array.isArray(blocks)) throw malformed('no signed_blocks');
    return (blocks as { slot?: unknown; signing_root?: unknown }[]).map(({ slot, signing_root: signed }) => {
      if (typeof slot !== 'string' || !/^\d{1,20}$/.test(slot)) throw malformed('a slot that is no decimal text');
      const bytes = typeof signed === 'string' ? fromHex(signed.replace(/^0x/, ''), 32) : undefined;
      if (signed !== undefined && bytes === undefined) throw malformed('a signing_root that is no 32 bytes');
      return { slot: BigInt(slot), root: bytes };
    });
  });
}

/** Takes the lock beside the file; one whose process is gone is taken over. @returns what gives it back. */
function lock(path: string): () => void {
  const name = `${path}.lock`;
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const fd = openSync(name, 'wx', 0o600);
      writeSync(fd, String(process.pid));
      closeSync(fd);
      return () => unlinkSync(name);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new WorldError('signed-log-failed', `${name}: ${(cause as Error).message}`, { cause });
      const holder = Number(readFileSync(name, 'utf8'));
      if (isAlive(holder))
        throw new WorldError(
          'signed-log-locked',
          `${path}: process ${holder} has it; two signers with one key would sign twice, end one`,
        );
      unlinkSync(name);
    }
  }
  throw new WorldError('signed-log-locked', `${path}: another process took it at the same time; try again`);
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function failing<T>(path: string, task: () => T): T {
  try {
    return task();
  } catch (cause) {
    throw new WorldError('signed-log-failed', `${path}: ${(cause as Error).message}`, { cause });
  }
}

/** So that a new file's name outlives a crash. */
function syncFolder(folder: string, files: LogFiles): void {
  const fd = files.openSync(folder, 'r');
  try {
    files.fsyncSync(fd);
  } finally {
    files.closeSync(fd);
  }
}
