/**
 * Settings and the checks of arguments. A setting has a default, a range and a description, from which its check, its
 * flag and its field in a link are made. {@link handelSettings} and {@link sanFerminSettings} are the settings of
 * protocols. A protocol of your own can have a table too.
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
  requireArray,
  requireBytes,
  requireFieldsOf,
  requireFunction,
  requireInt32Array,
  requireKnownFields,
  requireMethods,
  requireObject,
  requireText,
} from './arguments.ts';
export { sanFerminSettings } from './baselines/sanFermin.ts';
export { expected, requireInteger, requireNumber } from './errors.ts';
export { backOffRule, handelSettings, validateHandelConfig } from './handel/config.ts';
export { type HornParameters, hornSettings, validateHornParameters } from './horn/parameters.ts';
export { requirePort } from './protocol.ts';
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
