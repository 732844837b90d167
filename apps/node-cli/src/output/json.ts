import { WorldError } from '@tutti/core/errors';
import { parseJson as parse } from '@tutti/core/input';
import { readWhole } from './files.ts';

/** A file that a flag or an argument names, as JSON. @throws WorldError `not-json`, and what readWhole throws. */
export function readJson(path: string): unknown {
  return parseJson(path, readWhole(path));
}

/** @throws WorldError `not-json`. */
export function parseJson(path: string, text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw new WorldError('not-json', `${path}: expected JSON, got ${(cause as Error).message}`, { cause });
  }
}
