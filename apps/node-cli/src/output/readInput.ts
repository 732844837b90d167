import { createHash } from 'node:crypto';
import { readNamedBytes, textOf } from './files.ts';
import { type InputFile, nameInput } from './inputs.ts';

/** Reads a file that affects the result, as `readNamed` does, and records it with its hash for the results. */
export function readInput(path: string, maxBytes?: number): { readonly text: string; readonly input: InputFile } {
  const bytes = readNamedBytes(path, maxBytes);
  const input = { file: path, sha256: createHash('sha256').update(bytes).digest('hex') };
  nameInput(input);
  return { text: textOf(path, bytes), input };
}
