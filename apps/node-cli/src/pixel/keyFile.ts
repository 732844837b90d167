import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { fromHex, toHex, WorldError } from '@tutti/transports';
import {
  loadPixel,
  type Pixel,
  type PixelKeyPair,
  type PixelSuiteName,
  pixelPossessionBytes,
  pixelPublicKeyBytes,
  suites,
} from '@tutti/wasm-bls/pixel';
import { kernelName } from '../kernel.ts';
import { pointedTo, readWhole } from '../output/files.ts';

/** A key file that was read, with what it is used by. */
export interface PixelKeyFile extends PixelKeyPair {
  readonly pixel: Pixel;
}

/** Pixel under a suite, on the library that TUTTI_BLS names. */
export function pixelOf(suite: PixelSuiteName): Promise<Pixel> {
  return loadPixel({ kernel: kernelName(), suite });
}

/** The suite of a key or a signature, by its first byte; undefined if there is none. */
export function suiteOf(bytes: Uint8Array): PixelSuiteName | undefined {
  return (Object.keys(suites) as PixelSuiteName[]).find((name) => suites[name].byte === bytes[0]);
}

/**
 * Reads what `replaceKeyFile` wrote. Nothing of the secret gets into an error. The key's points are not looked at.
 *
 * @throws WorldError `cannot-read` or `not-a-key-file`.
 */
export async function readKeyFile(path: string): Promise<PixelKeyFile> {
  const document = jsonObject(readWhole(path));
  const { version, kind } = document ?? {};
  if (version !== 1 || kind !== keyFileKind) throw notAKey(path, `"version": 1 and "kind": "${keyFileKind}"`);
  const bytes = (field: string, length?: number): Uint8Array => {
    const text = document![field];
    const read = typeof text === 'string' ? fromHex(text, length ?? text.length / 2) : undefined;
    if (read !== undefined) return read;
    throw notAKey(path, `hexadecimal digits${length === undefined ? '' : `, ${2 * length},`} as "${field}"`);
  };
  const publicKey = bytes('publicKey', pixelPublicKeyBytes);
  const proofOfPossession = bytes('proofOfPossession', pixelPossessionBytes);
  const secretKey = bytes('secretKey');
  const suite = suiteOf(publicKey);
  if (suite === undefined) throw notAKey(path, 'a "publicKey" of a known suite');
  const pixel = await pixelOf(suite);
  const fault = pixel.secretKeyFault(secretKey);
  if (fault !== undefined) throw notAKey(path, `a "secretKey" of the suite ${suite}, which this is not (${fault})`);
  return { pixel, publicKey, proofOfPossession, secretKey };
}

/**
 * Replaces the key in a file: the new file is written beside it, synced and renamed; then the old file's bytes are
 * overwritten. Whenever the machine stops, the file has the old key or the new one. Copies that a disk keeps of
 * overwritten blocks, or that others made, are not reached.
 *
 * @throws WorldError `cannot-write`.
 */
export function replaceKeyFile(path: string, pair: PixelKeyPair): void {
  // A link still leads to the key.
  const target = pointedTo(path);
  const beside = `${target}.${process.pid}.${randomBytes(4).toString('hex')}.part`;
  try {
    const old = existsSync(target) ? openSync(target, 'r+') : undefined;
    try {
      writeSynced(beside, keyFileText(pair));
      renameSync(beside, target);
      syncFolder(dirname(target));
      if (old !== undefined) overwrite(old);
    } finally {
      if (old !== undefined) closeSync(old);
    }
  } catch (cause) {
    rmSync(beside, { force: true });
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw cause;
    throw new WorldError('cannot-write', `${path}: cannot be written (${code})`, { cause });
  }
}

/** What a key file holds. */
export function keyFileText({ publicKey, proofOfPossession, secretKey }: PixelKeyPair): string {
  const document = {
    version: 1,
    kind: keyFileKind,
    publicKey: toHex(publicKey),
    proofOfPossession: toHex(proofOfPossession),
    secretKey: toHex(secretKey),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

const keyFileKind = 'tutti pixel key';

function writeSynced(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** So that the new name is on the disk before the old bytes go. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } catch (error) {
    // Some file systems know no such thing.
    if (!['EINVAL', 'EISDIR', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    closeSync(folder);
  }
}

/** An open file that has no name any more, or a name elsewhere. */
function overwrite(file: number): void {
  const zeroes = new Uint8Array(fstatSync(file).size);
  for (let at = 0; at < zeroes.length; ) at += writeSync(file, zeroes, 0, zeroes.length - at, at);
  fsyncSync(file);
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === 'object' && document !== null) return document as Record<string, unknown>;
  } catch {
    // The parser's message quotes the text, and the text is secret.
  }
  return undefined;
}

function notAKey(path: string, expected: string): WorldError {
  return new WorldError('not-a-key-file', `${path}: expected ${expected}; give a file that 'tutti pixel keygen' wrote`);
}
