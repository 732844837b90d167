/**
 * The error for a fault outside the program: a file, an address, an input. It has a stable code for programs and a
 * message of one line for people.
 *
 * @example
 * ```js
 * import { WorldError } from '@tutti/core/errors';
 *
 * try {
 *   throw new WorldError('port-taken', '127.0.0.1:9000: taken; choose another port');
 * } catch (error) {
 *   if (error instanceof WorldError) console.log(`${error.code}: ${error.message}`);
 * }
 * ```
 *
 * ```text
 * port-taken: 127.0.0.1:9000: taken; choose another port
 * ```
 *
 * @packageDocumentation
 */
export { shownValue, WorldError } from './worldError.ts';
