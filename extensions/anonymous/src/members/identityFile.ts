import { fromHex, toHex, WorldError } from '@tutti/core/input';
import { parseJson, readSecret, readWhole, writeWhole } from '@tutti/node-cli/command';
import { type IdentityKeyPair, identityPublicKey, type Ring } from '../ring.ts';
import { openRing } from './openRings.ts';

const keyBytes = 32;
/** File mode for an identity: only the file's owner may read it. */
const secretMode = 0o600;

/** Writes an identity to a file. @throws WorldError `cannot-write`. */
export function writeIdentity(path: string, { secretKey, publicKey }: IdentityKeyPair): void {
  const document = { version: 1, kind: 'identity', publicKey: toHex(publicKey), secretKey: toHex(secretKey) };
  writeWhole(path, `${JSON.stringify(document, undefined, 2)}\n`, secretMode);
}

/**
 * Reads an identity from a file, and warns if other users can read the file.
 *
 * @throws WorldError `cannot-read` or `bad-identity`.
 */
export function readIdentity(path: string): IdentityKeyPair {
  return readSecret(path, (text) => parsedIdentity(text, path));
}

function parsedIdentity(text: string, path: string): IdentityKeyPair {
  const { version, kind, publicKey, secretKey } = (parsed(text) ?? {}) as Record<string, unknown>;
  const [publicBytes, secretBytes] = [fromHex(publicKey, keyBytes), fromHex(secretKey, keyBytes)];
  if (version !== 1 || kind !== 'identity' || publicBytes === undefined || secretBytes === undefined)
    throw new WorldError(
      'bad-identity',
      `${path}: expected an identity of version 1 with "publicKey" and "secretKey"; make one with 'tutti anonymous keygen'`,
    );
  if (publicOf(secretBytes) !== toHex(publicBytes))
    throw new WorldError('bad-identity', `${path}: secretKey does not belong to publicKey; the file was changed`);
  return { publicKey: publicBytes, secretKey: secretBytes };
}

/**
 * Reads a ring from a file: a JSON array of public keys with 64 hexadecimal digits each, in the order on which all
 * members agree.
 *
 * @throws WorldError `cannot-read` or `bad-ring`.
 */
export function readRing(path: string): Ring {
  const list = parsed(readWhole(path));
  const keys = Array.isArray(list) ? list.map((key) => fromHex(key, keyBytes)) : [];
  if (keys.length === 0 || keys.includes(undefined))
    throw new WorldError(
      'bad-ring',
      `${path}: expected a JSON array of public keys, 64 hexadecimal digits each; 'tutti anonymous keygen' prints one`,
    );
  return openRing(keys as Uint8Array[], path);
}

function publicOf(secretKey: Uint8Array): string | undefined {
  try {
    return toHex(identityPublicKey(secretKey));
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
