/**
 * Checks and readers of untrusted input: bytes, hexadecimal digits, JSON, and arguments that may be secret. An error of
 * these checks names the type of a value and never shows a text or bytes.
 *
 * @example
 * ```js
 * import { fromHex, parseJson, requireBytes, toHex } from '@tutti/core/input';
 *
 * console.log(toHex(fromHex('00ff')), parseJson('{"a":1}').a);
 * try {
 *   requireBytes('secret', 'hunter2');
 * } catch (error) {
 *   console.log(error.message);
 * }
 * ```
 *
 * ```text
 * 00ff 1
 * secret: expected a Uint8Array, got a text of 7 characters
 * ```
 *
 * @packageDocumentation
 */
export {
  mistaken,
  requireArray,
  requireBytes,
  requireBytesIn,
  requireFunction,
  requireInt32Array,
  requireMethods,
  requireObject,
  requireText,
} from './arguments.ts';
export { concat, fromHex, readUint, toHex, writeUint } from './bytes.ts';
export { isBytes, isObject, isTyped, shortened } from './errors.ts';
export { JsonError, parseJson, withoutMark } from './json.ts';
export { likeliest } from './likeliest.ts';
