/**
 * Settings, and checks and readers of untrusted input: arguments, bytes, hexadecimal digits and JSON.
 *
 * A setting has a default, a range and a description, from which its check, its flag and its field in a link are made.
 * The argument checks name the expected value and the type of the actual value, and never show a text or bytes, which
 * may be secret. {@link EnvironmentError} is the error for a fault outside the program: a file, an address, an input.
 * Such an error has a stable code for programs and a one-line message for people.
 *
 * @example
 * ```js
 * import { defaultsOf, fromHex, integers, parseJson, requireAllIn, requireBytes, toHex } from '@tutti/core/input';
 *
 * const settings = { fanout: { default: 4, range: integers(1, 64), about: 'peers that a message is sent to' } };
 * requireAllIn({ fanout: 8 }, settings);
 * console.log(defaultsOf(settings));
 * console.log(toHex(fromHex('00ff')), parseJson('{"a":1}').a);
 * try {
 *   requireBytes('secret', 'hunter2');
 * } catch (error) {
 *   console.log(error.message);
 * }
 * ```
 *
 * ```text
 * { fanout: 4 }
 * 00ff 1
 * secret: expected a Uint8Array, got a text of 7 characters
 * ```
 *
 * @packageDocumentation
 */
export {
  likeliest,
  requireArray,
  requireBytes,
  requireBytesIn,
  requireFieldsOf,
  requireFunction,
  requireInt32Array,
  requireKnownFields,
  requireMethods,
  requireObject,
  requireText,
  suggestion,
  wrongType,
} from './arguments.ts';
export { concat, fromHex, readUint, toHex, writeUint } from './bytes.ts';
export {
  EnvironmentError,
  expected,
  isBytes,
  isObject,
  isTyped,
  requireInteger,
  requireNumber,
  shortened,
  shownValue,
} from './errors.ts';
export { JsonError, parseJson, withoutMark } from './json.ts';
export {
  type AnyList,
  type AnyRange,
  type ChoiceRange,
  defaultsOf,
  durations,
  factors,
  type IntegerRange,
  integers,
  isIn,
  type ListRange,
  listOf,
  microseconds,
  type NumberRange,
  numbersText,
  type OptionalSetting,
  type OwnRange,
  oneOf,
  onOff,
  partialShares,
  type Range,
  requireAllIn,
  requireIn,
  type Setting,
  type SettingsOf,
  type SparseSettingsOf,
  type SwitchRange,
  seconds,
  seedSetting,
  shares,
} from './setting.ts';
export { partOf, requireThreshold } from './shares.ts';
