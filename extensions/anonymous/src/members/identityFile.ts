import { EnvironmentError, fromHex, toHex } from '@tutti/core/input';
import { readSecret, writeWhole } from '@tutti/node-cli/command';
import { type IdentityKeyPair, identityPublicKey } from '../ring.ts';
import { fieldsOf } from './json.ts';

const keyBytes = 32;
/** File mode for a secret: only the file's owner may read and write it. */
export const secretMode = 0o600;

/** Writes an identity to a file. @throws EnvironmentError `cannot-write`. */
export function writeIdentity(path: string, { secretKey, publicKey }: IdentityKeyPair): void {
  const document = { version: 1, kind: 'identity', publicKey: toHex(publicKey), secretKey: toHex(secretKey) };
  writeWhole(path, `${JSON.stringify(document, undefined, 2)}\n`, secretMode);
}

/**
 * Reads an identity from a file, and warns if other users can read the file.
 *
 * @throws EnvironmentError `cannot-read`, `not-utf8` or `bad-identity`.
 */
export function readIdentity(path: string): IdentityKeyPair {
  return readSecret(path, (text) => parsedIdentity(text, path));
}

function parsedIdentity(text: string, path: string): IdentityKeyPair {
  const { version, kind, publicKey, secretKey } = fieldsOf(text);
  const [publicBytes, secretBytes] = [fromHex(publicKey, keyBytes), fromHex(secretKey, keyBytes)];
  if (version !== 1 || kind !== 'identity' || publicBytes === undefined || secretBytes === undefined)
    throw new EnvironmentError(
      'bad-identity',
      `${path}: expected an identity of version 1 with "publicKey" and "secretKey"; make one with 'tutti anonymous keygen'`,
    );
  if (publicOf(secretBytes) !== toHex(publicBytes))
    throw new EnvironmentError('bad-identity', `${path}: secretKey does not belong to publicKey; the file was changed`);
  return { publicKey: publicBytes, secretKey: secretBytes };
}

/** Returns the public key of a secret key, in hexadecimal digits; undefined if the bytes are not a secret key. */
function publicOf(secretKey: Uint8Array): string | undefined {
  try {
    return toHex(identityPublicKey(secretKey));
  } catch {
    return undefined;
  }
}
