import { EnvironmentError, fromHex, toHex } from '@tutti/core/input';
import { kernelName, parseJson, refuseToOverwrite } from '@tutti/node-cli/command';
import {
  loadPixel,
  type Pixel,
  type PixelKeyPair,
  type PixelSuiteName,
  pixelPossessionBytes,
  pixelPublicKeyBytes,
  suites,
} from '../index.ts';
import { ForgettingFile, readForgetting } from './forgettingFile.ts';

/** Content of a key file, with the scheme of the key. */
interface PixelKeyFile extends PixelKeyPair {
  readonly pixel: Pixel;
}

/** Returns Pixel with a suite, on the library that TUTTI_BLS names. */
export function pixelOf(suite: PixelSuiteName): Promise<Pixel> {
  return loadPixel({ engine: kernelName(false), suite });
}

/** Returns the suite that the first byte of a key or signature indicates; undefined for any other byte. */
export function suiteOf(bytes: Uint8Array): PixelSuiteName | undefined {
  return (Object.keys(suites) as PixelSuiteName[]).find((name) => suites[name].byte === bytes[0]);
}

/**
 * Reads a key file, calls a synchronous function with its content, and overwrites the bytes of the secret key when the
 * function returns or throws. Other users' read access to the file causes a warning. No error contains any part of the
 * secret. The points of the key are not checked. Earlier contents that a killed update left are overwritten and removed
 * first.
 *
 * @throws EnvironmentError `cannot-read`, `not-utf8` or `not-a-key-file`; `locked` or `cannot-write` if an earlier
 * content cannot be removed; the errors of `use`.
 */
export async function withKeyFile<T>(path: string, use: (file: PixelKeyFile) => T): Promise<T> {
  return withPixel(
    path,
    readForgetting(path, (text) => parseKeyFile(path, text)),
    use,
  );
}

function parseKeyFile(path: string, text: string): PixelKeyPair {
  const document = jsonObject(text);
  const { version, kind } = document ?? {};
  if (version !== 1 || kind !== keyFileKind) throw notAKey(path, `"version": 1 and "kind": "${keyFileKind}"`);
  const bytes = (field: string, length?: number): Uint8Array => {
    const read = fromHex(document![field], length);
    if (read !== undefined) return read;
    throw notAKey(path, `hexadecimal digits${length === undefined ? '' : `, ${2 * length},`} as "${field}"`);
  };
  return {
    publicKey: bytes('publicKey', pixelPublicKeyBytes),
    proofOfPossession: bytes('proofOfPossession', pixelPossessionBytes),
    secretKey: bytes('secretKey'),
  };
}

/**
 * Checks the lengths, suite and times of a secret key, calls a function with the key and its scheme, and overwrites the
 * bytes of the secret key on every path.
 */
async function withPixel<T>(path: string, pair: PixelKeyPair, use: (file: PixelKeyFile) => T): Promise<T> {
  try {
    const suite = suiteOf(pair.publicKey);
    if (suite === undefined) throw notAKey(path, 'a "publicKey" of a known suite');
    const pixel = await pixelOf(suite);
    const fault = pixel.secretKeyFault(pair.secretKey);
    if (fault !== undefined) throw notAKey(path, `a "secretKey" of the suite ${suite}, which this is not (${fault})`);
    return use({ pixel, ...pair });
  } finally {
    pair.secretKey.fill(0);
  }
}

/**
 * Writes a new key to a file.
 *
 * @param force whether to replace and overwrite an existing key.
 * @throws EnvironmentError `file-exists`, and the errors of `ForgettingFile`.
 */
export function writeKeyFile(path: string, pair: PixelKeyPair, force: boolean | undefined): void {
  const file = new ForgettingFile(path);
  try {
    if (!force) refuseToOverwrite(path);
    file.replace(keyFileText(pair));
  } finally {
    file.close();
  }
}

/**
 * Replaces the key in a file by the key of a later period, and overwrites the old key's bytes. The file is locked from
 * before it is read until the update ends. The key never returns to an earlier period.
 *
 * @returns the previous period.
 * @throws EnvironmentError `period-expired`, `damaged-key`, and the errors of `withKeyFile` and `ForgettingFile`.
 */
export async function updateKeyFile(path: string, to: number, entropy: Uint8Array): Promise<number> {
  // A missing file is reported as missing and is not locked. A file that other users can read causes a warning.
  readForgetting(path, (text) => parseKeyFile(path, text)).secretKey.fill(0);
  const file = new ForgettingFile(path);
  try {
    return await withPixel(path, parseKeyFile(path, file.text ?? ''), ({ pixel, secretKey, ...rest }) => {
      const time = pixel.timeOf(secretKey);
      if (to <= time)
        throw new EnvironmentError(
          'period-expired',
          `${path}: expected a period after ${time}, the period of the key, got ${to}; choose a later period`,
        );
      const updated = usable(path, () => pixel.update(secretKey, to, entropy));
      try {
        file.replace(keyFileText({ ...rest, secretKey: updated }));
      } finally {
        updated.fill(0);
      }
      return time;
    });
  } finally {
    file.close();
  }
}

/**
 * Calls a function that uses a secret key. @throws EnvironmentError `damaged-key` for a secret key with invalid points.
 */
export function usable<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (cause) {
    if (cause instanceof RangeError) throw damaged(path);
    throw cause;
  }
}

/** Returns the error for a key file whose secret key does not belong to its public key. */
export function damaged(path: string): EnvironmentError {
  return new EnvironmentError(
    'damaged-key',
    `${path}: its secret key is not that of its public key; it was damaged or changed`,
  );
}

/** Returns the content of a key file. */
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

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const document: unknown = parseJson(text);
    if (typeof document === 'object' && document !== null) return document as Record<string, unknown>;
  } catch {
    // The parser's error message would quote the text, which is secret.
  }
  return undefined;
}

function notAKey(path: string, expected: string): EnvironmentError {
  return new EnvironmentError(
    'not-a-key-file',
    `${path}: expected ${expected}; use a file that 'tutti pixel keygen' wrote`,
  );
}
