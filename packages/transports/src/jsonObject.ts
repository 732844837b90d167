import { isObject } from '@tutti/core/input';

/** The object that a peer's JSON is; undefined where it is anything else, or no JSON. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
