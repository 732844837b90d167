import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Names the code that results come from: 8 hexadecimal digits over the files of core, so that a run is never taken from
 * before a change to the protocol or the simulator. What only says which runs there are, the experiments, is left out.
 */
export function codeStamp(): string {
  const folder = dirname(fileURLToPath(import.meta.resolve('@tutti/core')));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[jt]s$/.test(path) && !/\.d\.ts$|\.test\.ts$|^experiments\b/.test(path))
    .sort();
  const hash = createHash('sha256');
  for (const path of files)
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(folder, path)))
      .update('\0');
  return hash.digest('hex').slice(0, 8);
}
