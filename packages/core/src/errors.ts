import { likeliest } from './likeliest.ts';

/**
 * Returns the message of an error that the caller has caused: the name of the value, the expected value and the actual
 * value.
 *
 * @example expected('share', 'a number from 0 to 0.9', 1) // "share: expected a number from 0 to 0.9, got 1"
 */
export function expected(label: string, what: string, got: unknown): string {
  return `${label}: expected ${what}, got ${shown(got)}`;
}

function shown(got: unknown): string {
  if (typeof got === 'string') return JSON.stringify(got);
  if (typeof got === 'function') return 'a function';
  if (Array.isArray(got)) return `an array of ${got.length}`;
  return typeof got === 'object' && got !== null ? 'an object' : String(got);
}

/** Returns the text. A text longer than `maxLength` characters is cut, and the result ends in "..." within that length. */
export function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 3)}...` : text;
}

/**
 * Checks that a value is an integer in [min, max].
 * @throws RangeError for any other value.
 */
export function requireInteger(label: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(expected(label, `an integer from ${min} to ${max}`, value));
  }
}

/**
 * Checks that a value is a finite number in [min, max].
 * @throws RangeError for any other value.
 */
export function requireNumber(label: string, value: number, min: number, max: number): void {
  if (!Number.isFinite(value) || value < min || value > max) {
    throw new RangeError(expected(label, `a number from ${min} to ${max}`, value));
  }
}

/** Returns whether a value is an object and not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Checks that a value is an object and not an array. @throws TypeError for any other value. */
export function requireObject(label: string, value: unknown, what = 'an object'): void {
  if (!isObject(value)) throw new TypeError(expected(label, what, value));
}

/**
 * Checks that a value is an array.
 * @throws TypeError for any other value.
 */
export function requireArray(label: string, value: unknown, what = 'an array'): void {
  if (!Array.isArray(value)) throw new TypeError(expected(label, what, value));
}

/**
 * Checks that a value is a string.
 * @throws TypeError for any other value.
 */
export function requireText(label: string, value: unknown): void {
  if (typeof value !== 'string') throw new TypeError(expected(label, 'a text', value));
}

/**
 * Checks that a value is a function.
 * @throws TypeError for any other value.
 */
export function requireFunction(label: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(expected(label, 'a function', value));
}

/**
 * Checks that a value is a Uint8Array of any realm.
 * @throws TypeError for any other value.
 */
export function requireBytes(label: string, value: unknown): void {
  if (!isBytes(value)) throw new TypeError(expected(label, 'a Uint8Array', value));
}

/**
 * Checks that a value is an Int32Array of any realm.
 * @throws TypeError for any other value.
 */
export function requireInt32Array(label: string, value: unknown, what = 'an Int32Array'): void {
  if (!isTyped(value, 'Int32Array')) throw new TypeError(expected(label, what, value));
}

/**
 * Returns whether a value is a typed array of this name. It reads the tag, because an array from another realm, such as
 * a frame, is not an instance of this realm's class.
 */
export function isTyped(value: unknown, name: string): boolean {
  return ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] === name;
}

/** Returns whether a value is a Uint8Array of any realm. */
export function isBytes(value: unknown): value is Uint8Array {
  return isTyped(value, 'Uint8Array');
}

/**
 * Checks that a value is an object with these methods.
 * @throws TypeError for any other value.
 */
export function requireMethods(label: string, value: unknown, names: readonly string[]): void {
  // The text is built only for an error, since this check runs for every node of every run.
  if (typeof value !== 'object' || value === null) requireObject(label, value, `an object with ${names.join(', ')}`);
  for (const name of names) {
    const method = (value as Record<string, unknown>)[name];
    if (typeof method !== 'function') requireFunction(`${label}.${name}`, method);
  }
}

/**
 * Checks an object whose fields are optional, so that a misspelt field is not silently ignored.
 *
 * @throws TypeError if `value` is not an object or has an unknown field.
 */
export function requireKnownFields(label: string, value: unknown, known: readonly string[]): void {
  requireObject(label, value);
  const other = Object.keys(value as object).find((field) => !known.includes(field));
  if (other === undefined) return;
  const meant = likeliest(other, known);
  throw new TypeError(
    `${expected(label, `no fields but ${known.join(', ')}`, other)}${meant === undefined ? '' : ` (Did you mean ${meant}?)`}`,
  );
}

/**
 * Checks an object that must have all fields of a default.
 *
 * @throws TypeError unless `value` has exactly the fields of `like`; the message refers to that object as `name`.
 */
export function requireFieldsOf(label: string, value: unknown, like: object, name: string): void {
  requireObject(label, value, `an object like that of ${name}`);
  requireKnownFields(label, value, Object.keys(like));
  for (const field of Object.keys(like))
    if (!Object.hasOwn(value as object, field))
      throw new TypeError(expected(`${label}.${field}`, 'a value', undefined));
}
