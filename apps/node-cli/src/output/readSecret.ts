import { statSync } from 'node:fs';
import { readWhole } from './files.ts';
import { warn } from './warnings.ts';

/**
 * Reads a text file with secrets, and warns if other users can read it.
 *
 * @throws WorldError `cannot-read`, `not-utf8`.
 */
export function readSecret(path: string): string {
  const text = readWhole(path);
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    warn(`${path}: other users can read these secrets; protect them with chmod 600`);
  return text;
}
