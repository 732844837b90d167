import { statSync } from 'node:fs';
import { readWhole } from './files.ts';
import { warn } from './warnings.ts';

/**
 * Reads a text file with secrets, and warns if other users can read it. A file without secrets causes no warning,
 * because `parse` throws first.
 *
 * @param parse returns the secrets of the text.
 * @throws WorldError `cannot-read`, `not-utf8`, and the errors of `parse`.
 */
export function readSecret<T>(path: string, parse: (text: string) => T): T {
  const secrets = parse(readWhole(path));
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    warn(`${path}: other users can read these secrets; protect the file with chmod 600`);
  return secrets;
}
