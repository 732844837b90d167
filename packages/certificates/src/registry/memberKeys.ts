import { blsLengths, networkKeyBytes } from '@tutti/core';
import { EnvironmentError, fromHex, isObject, parseJson, toHex } from '@tutti/core/input';

/** Secret keys of a member for `joinGroup`, with the corresponding public key. */
export interface MemberKey {
  readonly publicKey: Uint8Array;
  /** BLS secret key, 32 bytes. */
  readonly secretKey: Uint8Array;
  /** Secret of the member's network key, 32 bytes. */
  readonly networkSecret: Uint8Array;
}

/** Length of a BLS secret key, bytes. */
const secretKeyBytes = 32;

/**
 * Reads one member's keys from the text of a file that `tutti registry keygen` wrote.
 *
 * @param index position among the secrets of the file, from 0.
 * @throws EnvironmentError `not-a-key-file` for any other text, or if the file has no secret at this position. The
 * error message contains no part of a secret.
 */
export function memberKey(text: string, index = 0): MemberKey {
  const keys = memberKeys(text, 'key file');
  const key = keys[index];
  if (key === undefined) throw notKeys('key file', `a secret ${index}, got ${keys.length} secrets`);
  return key;
}

/**
 * Reads the keys of all members from the text of a file that `tutti registry keygen` wrote, in the order of the file.
 *
 * @param name name of the file, for errors.
 * @throws EnvironmentError `not-a-key-file`. The error message contains no part of a secret.
 */
export function memberKeys(text: string, name: string): MemberKey[] {
  const { version, secrets } = jsonObject(text, name);
  if (version !== 1 || !Array.isArray(secrets) || secrets.length === 0)
    throw notKeys(name, '"version": 1 and a list of "secrets"');
  const keys = secrets.map((own: Record<string, unknown> | null, index) => {
    const bytes = (field: string, length: number): Uint8Array => {
      const read = fromHex(own?.[field], length);
      if (read !== undefined) return read;
      throw notKeys(name, `${2 * length} hexadecimal digits as "${field}" of secret ${index}`);
    };
    const ofMinSig = fromHex(own?.publicKey, blsLengths['min-sig'].publicKey);
    return {
      publicKey: ofMinSig ?? bytes('publicKey', blsLengths['min-pk'].publicKey),
      secretKey: bytes('secretKey', secretKeyBytes),
      networkSecret: bytes('networkSecret', networkKeyBytes),
    };
  });
  if (new Set(keys.map(({ publicKey }) => toHex(publicKey))).size < keys.length)
    throw notKeys(name, 'each "publicKey" once');
  return keys;
}

function jsonObject(text: string, name: string): Readonly<Record<string, unknown>> {
  try {
    const document = parseJson(text);
    if (isObject(document)) return document;
  } catch {
    // The parser's error message would quote the text, which is secret.
  }
  throw notKeys(name, 'a JSON object');
}

function notKeys(name: string, expected: string): EnvironmentError {
  return new EnvironmentError(
    'not-a-key-file',
    `${name}: expected ${expected}; use a file that 'tutti registry keygen' wrote`,
  );
}
