/**
 * Each setting is declared only once, as data. The setting's default, check, command-line flag, link parameter and
 * schema are generated from this declaration.
 */

import { requireArray } from './arguments.ts';
import { expected, requireInteger } from './errors.ts';

/** A setting: its default, its range and its description. */
export interface Setting<T> {
  readonly default: T;
  readonly range: Range<T>;
  /** Description for help texts. The description begins with a lower-case letter and has no full stop. */
  readonly about: string;
}

/** Setting of a field that may be absent. The range applies if the field is present. */
export interface OptionalSetting<T> extends Pick<Setting<T>, 'range' | 'about'> {
  /** Default value; undefined for a field that is absent by default. */
  readonly default: T | undefined;
  readonly isOptional: true;
}

/** Table with a setting for each field of `S`. Omitting a setting is a compile-time error. */
export type SettingsOf<S> = { readonly [K in keyof S]-?: Setting<NonNullable<S[K]>> };

/** Table with a setting for each field of `S`; an optional field has a default only if the table states one. */
export type SparseSettingsOf<S> = {
  readonly [K in keyof S]-?: undefined extends S[K] ? OptionalSetting<NonNullable<S[K]>> : Setting<S[K]>;
};

/** Range of values that a setting accepts. */
export type Range<T> =
  | ([T] extends [number] ? IntegerRange | NumberRange : never)
  | ([T] extends [string | number] ? ChoiceRange<T> : never)
  | ([T] extends [boolean] ? SwitchRange : never)
  | (T extends readonly (infer Item)[] ? ListRange<Item> : never)
  | OwnRange<T>;

/** Range of integers, including both ends. */
export interface IntegerRange {
  readonly kind: 'integer';
  readonly min: number;
  readonly max: number;
}

/** Range of finite numbers. */
export interface NumberRange {
  readonly kind: 'number';
  readonly min: number;
  readonly max: number;
  /** Whether `max` itself is excluded. */
  readonly isOpen: boolean;
  readonly unit: 's' | 'ms' | 'us' | 'ns' | 'share' | 'factor';
}

/** Range of listed values. */
export interface ChoiceRange<T> {
  readonly kind: 'choice';
  readonly of: readonly T[];
}

/** Range of the values true and false. */
export interface SwitchRange {
  readonly kind: 'switch';
}

/** Range of lists whose items have a range of their own. */
export interface ListRange<Item> {
  readonly kind: 'list';
  readonly of: Range<Item>;
}

/** Range with a custom check. */
export interface OwnRange<T> {
  readonly kind: 'own';
  /** Checks a value. @throws RangeError for a value out of range, TypeError for a value of the wrong type. */
  validate(label: string, value: T): void;
}

/** Returns the range of integers from `min` to `max`. */
export function integers(min: number, max: number): IntegerRange {
  return { kind: 'integer', min, max };
}

/** Returns the range of numbers in a unit from `min` to `max`, including both ends. */
function numbersOf(unit: NumberRange['unit'], min: number, max: number): NumberRange {
  return { kind: 'number', min, max, isOpen: false, unit };
}

/** Returns a range of milliseconds, fractions included. */
export function durations(min: number, max: number): NumberRange {
  return numbersOf('ms', min, max);
}

/** Range for periods and waiting times, up to one hour, ms. */
export const periods: NumberRange = durations(0.001, 3_600_000);

/** Returns a range of seconds. */
export function seconds(min: number, max: number): NumberRange {
  return numbersOf('s', min, max);
}

/** Returns a range of microseconds. */
export function microseconds(min: number, max: number): NumberRange {
  return numbersOf('us', min, max);
}

/** Returns a range of factors. */
export function factors(min: number, max: number): NumberRange {
  return numbersOf('factor', min, max);
}

/** Setting for a seed, which is an unsigned 32-bit integer. */
export const seedSetting: Setting<number> = {
  default: 1,
  range: integers(0, 2 ** 32 - 1),
  about: `an integer from 0 to ${2 ** 32 - 1}`,
};

/** Range of shares from 0 to 1. */
export const shares: NumberRange = numbersOf('share', 0, 1);

/** Range of shares from 0 to less than 1. */
export const partialShares: NumberRange = { ...shares, isOpen: true };

/** Range of values for a switch. */
export const onOff: SwitchRange = { kind: 'switch' };

/** Returns the range that contains exactly the given values. */
export function oneOf<const T>(of: readonly T[]): ChoiceRange<T> {
  return { kind: 'choice', of };
}

/** Returns the range of lists whose items are all in the given range. */
export function listOf<Item>(of: Range<Item>): ListRange<Item> {
  return { kind: 'list', of };
}

/** Range of values whose type is not known at compile time. */
export type AnyRange = IntegerRange | NumberRange | ChoiceRange<unknown> | SwitchRange | AnyList | OwnRange<unknown>;

/** Range of lists whose type is not known at compile time. */
export interface AnyList {
  readonly kind: 'list';
  readonly of: AnyRange;
}

/**
 * Checks that a value is in a range.
 *
 * @throws RangeError with the label, the expected range and the actual value; TypeError if a list is expected and the
 * value is not a list. An {@link OwnRange} may throw other errors of these two types.
 */
export function requireIn<T>(label: string, value: T, range: Range<T> | AnyRange): void {
  const any = range as AnyRange;
  switch (any.kind) {
    case 'integer':
      requireInteger(label, value as number, any.min, any.max);
      return;
    case 'number':
      if (!isIn(any, value as number)) throw new RangeError(expected(label, numbersText(any), value));
      return;
    case 'choice':
      if (!any.of.includes(value)) throw new RangeError(expected(label, any.of.join(' or '), value));
      return;
    case 'switch':
      if (typeof value !== 'boolean') throw new RangeError(expected(label, 'true or false', value));
      return;
    case 'list':
      requireArray(label, value);
      for (const item of value as readonly unknown[]) requireIn(label, item, any.of);
      return;
    case 'own':
      any.validate(label, value);
  }
}

type AnySetting = Setting<unknown> & { readonly isOptional?: true };

/**
 * Checks that each field of an object is in the range of its setting.
 *
 * @param within name of the object that has the fields.
 * @throws RangeError or TypeError like {@link requireIn}, with the name of the field.
 */
export function requireAllIn<S>(values: S, settings: SettingsOf<S> | SparseSettingsOf<S>, within?: string): void {
  for (const [name, { range, isOptional }] of rowsOf(settings)) {
    const value = (values as Record<string, unknown>)[name];
    if (value === undefined && isOptional) continue;
    requireIn(within === undefined ? name : `${within}.${name}`, value, range);
  }
}

/** Returns the defaults of a table of settings. */
export function defaultsOf<S>(settings: SettingsOf<S>): { readonly [K in keyof S]-?: NonNullable<S[K]> };
export function defaultsOf<S>(settings: SparseSettingsOf<S>): S;
export function defaultsOf(settings: object): object {
  const values = rowsOf(settings).map(([name, setting]) => [name, setting.default]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function rowsOf(settings: object): [name: string, setting: AnySetting][] {
  return Object.entries(settings);
}

/** Returns whether a number is in a range. */
export function isIn({ min, max, isOpen }: NumberRange, value: number): boolean {
  return Number.isFinite(value) && value >= min && (isOpen ? value < max : value <= max);
}

/** Returns a description of a range of numbers in words. */
export function numbersText({ min, max, isOpen }: NumberRange): string {
  return `a number from ${min} to ${isOpen ? 'less than ' : ''}${max}`;
}
