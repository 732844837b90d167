import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';

export const packageFolder = fileURLToPath(new URL('..', import.meta.url));
export const installedModules = join(packageFolder, '..', '..', 'node_modules');

/** Runs a module in a new Node process, because a thread has only one kernel. Returns exit code and output. */
export const inNewNode = (program: string, cwd = packageFolder, flags: readonly string[] = []) =>
  spawnSync(process.execPath, [...flags, '--input-type=module', '-e', program], { cwd, encoding: 'utf8' });

/** Copies these folders of the package for each test. Returns a function that returns the folder of the copy. */
export function copyForEachTest(...parts: readonly string[]): () => string {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tutti-copy-'));
    for (const part of parts) cpSync(join(packageFolder, part), join(folder, part), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  return () => folder;
}
