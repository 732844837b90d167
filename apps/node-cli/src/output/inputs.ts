import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { readNamedBytes, textOf } from './files.ts';

/** A file that a command has read, as results name it. */
export interface InputFile {
  readonly file: string;
  /** Of its content. */
  readonly sha256: string;
}

const inputs = new AsyncLocalStorage<Map<string, InputFile>>();

/** Runs a command, whose files {@link inputFiles} then names. */
export function withInputs<T>(run: () => T): T {
  return inputs.run(new Map(), run);
}

/** {@link readNamed} of a file that decides the result: results name it with its hash. */
export function readInput(path: string, maxBytes?: number): { readonly text: string; readonly input: InputFile } {
  const bytes = readNamedBytes(path, maxBytes);
  const input = { file: path, sha256: createHash('sha256').update(bytes).digest('hex') };
  inputs.getStore()?.set(path, input);
  return { text: textOf(path, bytes), input };
}

/** The files that this command has read so far, in the order of their names; undefined if there are none. */
export function inputFiles(): readonly InputFile[] | undefined {
  const read = [...(inputs.getStore()?.values() ?? [])].sort((a, b) => (a.file < b.file ? -1 : 1));
  return read.length === 0 ? undefined : read;
}
