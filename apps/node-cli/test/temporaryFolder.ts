import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Creates a folder for a test file, and removes it after the tests. @returns the folder's path. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-test-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a folder as {@link temporaryFolder} does. @returns the folder, with functions for the files in it. */
export function temporaryFiles() {
  const folder = temporaryFolder();
  /** Returns the path of a file in the folder. */
  const at = (name: string) => join(folder, name);
  /** Writes a file into the folder. @returns the file's path. */
  const write = (name: string, content: string | Uint8Array) => {
    writeFileSync(at(name), content);
    return at(name);
  };
  const writeJson = (name: string, content: unknown) => write(name, JSON.stringify(content));
  return { folder, at, write, writeJson };
}
