import { parseJson } from '@tutti/node-cli/command';

/** Returns the value of a JSON text; undefined if the text is not JSON. */
export function parsedOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Returns the fields of the object in a JSON text; no fields if the text is not a JSON object. */
export function fieldsOf(text: string): Record<string, unknown> {
  const value = parsedOrUndefined(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
