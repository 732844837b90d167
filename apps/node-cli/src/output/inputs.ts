import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { readNamedBytes, textOf } from './files.ts';

/** File that a command has read, as reported in the results. */
export interface InputFile {
  readonly file: string;
  /** SHA-256 hash of the file's content, hexadecimal. */
  readonly sha256: string;
}

const inputs = new AsyncLocalStorage<Map<string, InputFile>>();

/** Runs a command, and records the files that the command reads for {@link inputFiles}. */
export function withInputs<T>(run: () => T): T {
  return inputs.run(new Map(), run);
}

/** Returns the files that this command has read with {@link readInput}, sorted by name; undefined if there are none. */
export function inputFiles(): readonly InputFile[] | undefined {
  const read = [...(inputs.getStore()?.values() ?? [])].sort((a, b) => (a.file < b.file ? -1 : 1));
  return read.length === 0 ? undefined : read;
}

/** Returns a row for each file that this command has read, for `pairTable`. */
export function inputRows(): (readonly [name: string, file: string])[] {
  return (inputFiles() ?? []).map(({ file, sha256 }) => ['input', `${file}, SHA-256 ${sha256}`]);
}

/** Returns one line for each file that this command has read; an empty text if there are none. */
export function inputText(): string {
  return inputRows()
    .map(([name, file]) => `${name}  ${file}\n`)
    .join('');
}

/** Reads a file that affects the result, as `readNamed` does, and records the file with its hash for the results. */
export function readInput(path: string, maxBytes?: number): { readonly text: string; readonly input: InputFile } {
  const bytes = readNamedBytes(path, maxBytes);
  const input = { file: path, sha256: createHash('sha256').update(bytes).digest('hex') };
  inputs.getStore()?.set(path, input);
  return { text: textOf(path, bytes), input };
}
