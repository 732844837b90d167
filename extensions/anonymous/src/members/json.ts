import { isObject } from '@tutti/core/input';
import { parseJson } from '@tutti/node-cli/command';

/** Returns the value that a JSON text encodes; undefined if the text is not JSON. */
export function parsedOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Returns the fields of the object that a JSON text encodes; an empty result if the text does not encode an object. */
export function fieldsOf(text: string): Record<string, unknown> {
  const value = parsedOrUndefined(text);
  return isObject(value) ? { ...value } : {};
}
