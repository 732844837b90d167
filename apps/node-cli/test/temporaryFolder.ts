import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/**
 * Creates a folder for the files of one test file, and removes the folder after the tests. @returns the folder's path.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns a function that writes a file into a folder, and returns the file's path. */
export const writerOf = (folder: string) => (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
