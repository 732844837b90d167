/**
 * Settings and the checks of arguments, for protocols of one's own: a setting has a default, a range and a description,
 * from which come its checks, its flag and its field in a link.
 *
 * @example
 * ```js
 * import { defaultsOf, integers, requireAllIn } from '@tutti/core/settings';
 *
 * const settings = { fanout: { default: 4, range: integers(1, 64), about: 'peers that a message is sent to' } };
 * requireAllIn({ fanout: 8 }, settings);
 * console.log(defaultsOf(settings));
 * ```
 *
 * ```text
 * { fanout: 4 }
 * ```
 *
 * @packageDocumentation
 */
export {
  expected,
  requireArray,
  requireFieldsOf,
  requireFunction,
  requireInteger,
  requireMethods,
  requireObject,
} from './errors.ts';
export { requirePort } from './protocol.ts';
export {
  type AnyRange,
  type ChoiceRange,
  defaultsOf,
  durations,
  type IntegerRange,
  integers,
  type NumberRange,
  oneOf,
  onOff,
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
