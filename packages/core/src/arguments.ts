import { isBytes, isTyped } from './errors.ts';

/**
 * Checks of the arguments of public functions. They run before any argument is stored. Each error is one line and names
 * the argument, the expected type and the actual type. It never shows a value that may be secret.
 */

/** Creates the error for a value of the wrong type. It names the actual type and never shows the value. */
export function mistaken(label: string, what: string, got: unknown): TypeError {
  return new TypeError(`${label}: expected ${what}, got ${kindOf(got)}`);
}

function kindOf(got: unknown): string {
  if (typeof got === 'number' || typeof got === 'boolean' || got === null || got === undefined) return String(got);
  if (typeof got === 'string') return `a text of ${got.length} characters`;
  if (isBytes(got)) return `${got.length} bytes`;
  if (Array.isArray(got)) return `an array of ${got.length}`;
  return typeof got === 'object' ? 'an object' : `a ${typeof got}`;
}

/**
 * Checks that a value is an object and not an array. The error does not show the value.
 * @throws TypeError for any other value.
 */
export function requireObject(label: string, value: unknown, what = 'an object'): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw mistaken(label, what, value);
}

/**
 * Checks that a value is an object with these methods. The error does not show the value.
 * @throws TypeError for any other value.
 */
export function requireMethods(label: string, value: unknown, names: readonly string[]): void {
  requireObject(label, value, `an object with ${names.join(', ')}`);
  for (const name of names) requireFunction(`${label}.${name}`, (value as Record<string, unknown>)[name]);
}

/**
 * Checks that a value is a function. The error does not show the value.
 * @throws TypeError for any other value.
 */
export function requireFunction(label: string, value: unknown): void {
  if (typeof value !== 'function') throw mistaken(label, 'a function', value);
}

/**
 * Checks that a value is an array. The error does not show the value.
 * @throws TypeError for any other value.
 */
export function requireArray(label: string, value: unknown): void {
  if (!Array.isArray(value)) throw mistaken(label, 'an array', value);
}

/**
 * Checks that a value is a string. The error does not show the value.
 * @throws TypeError for any other value.
 */
export function requireText(label: string, value: unknown): void {
  if (typeof value !== 'string') throw mistaken(label, 'a text', value);
}

/**
 * Checks that a value is a Uint8Array. The error does not show the value.
 * @throws TypeError for any other value.
 */
export function requireBytes(label: string, value: unknown): void {
  if (!isBytes(value)) throw mistaken(label, 'a Uint8Array', value);
}

/**
 * Checks that a value is an Int32Array. The error does not show the value.
 * @throws TypeError for any other value.
 */
export function requireInt32Array(label: string, value: unknown): void {
  if (!isTyped(value, 'Int32Array')) throw mistaken(label, 'an Int32Array', value);
}

/**
 * Checks that a value is an object whose fields of these names are Uint8Arrays. The error does not show them.
 * @throws TypeError for any other value.
 */
export function requireBytesIn(label: string, value: unknown, names: readonly string[]): void {
  requireObject(label, value);
  for (const name of names) requireBytes(`${label}.${name}`, (value as Record<string, unknown>)[name]);
}
