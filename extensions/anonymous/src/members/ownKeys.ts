import { type MemberKey, memberKeys } from '@tutti/certificates';
import { blsLengths } from '@tutti/core';
import { EnvironmentError } from '@tutti/core/input';
import { readSecret } from '@tutti/node-cli/command';

/**
 * Reads the secrets of members from a file that `tutti registry keygen` wrote, and warns if other users can read the
 * file. Set-ups require `min-pk` keys.
 *
 * @throws EnvironmentError `not-a-key-file`, also for `min-sig` keys; EnvironmentError `cannot-read` or `not-utf8`.
 */
export function readOwnKeys(path: string): MemberKey[] {
  return readSecret(path, (text) => {
    const keys = memberKeys(text, path);
    if (keys.some(({ publicKey }) => publicKey.length !== blsLengths['min-pk'].publicKey))
      throw new EnvironmentError(
        'not-a-key-file',
        `${path}: expected min-pk keys, got min-sig keys; use keys made without --variant min-sig`,
      );
    return keys;
  });
}
