import { WorldError } from '@tutti/transports/errors';
import { readWhole } from './files.ts';

/** A file that a flag or an argument names, as JSON. @throws WorldError `not-json`, and what readWhole throws. */
export function readJson(path: string): unknown {
  return parseJson(path, readWhole(path));
}

/** @throws WorldError `not-json`. */
export function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not the parser's error, which quotes the text.
    throw new WorldError('not-json', `${path}: expected JSON, got what does not parse`);
  }
}
