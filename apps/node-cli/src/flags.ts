import { type AttackShare, attacks, hornAttacks } from '@tutti/core';
import { UsageError } from './usageError.ts';

/** What came, quoted, short and on one line whatever it is. */
function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 37)}...` : text);
}

/** The one line about a bad value: the flag, what was expected, what came. */
export function badValue(flag: string, expected: string, got: string): UsageError {
  return new UsageError(`${flag}: expected ${expected}, got ${shown(got)}`);
}

/** Reads a flag's text; throws a UsageError that names the flag. */
export type FlagReader<T> = (text: string) => T;

/** Plain decimal digits only: `1e3`, `0x10`, `+5`, `1_000` and blanks are mistakes more often than meant. */
export function integerFlag(flag: string, least: number, most: number): FlagReader<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw badValue(flag, `an integer from ${least} to ${most}`, text);
  };
}

/** @param holds the range that `range` describes. */
export function numberFlag(flag: string, range: string, holds: (value: number) => boolean): FlagReader<number> {
  return (text) => {
    const value = /^(\d{1,15}\.?\d{0,15}|\.\d{1,15})$/.test(text) ? Number(text) : Number.NaN;
    if (holds(value)) return value;
    throw badValue(flag, range, text);
  };
}

/** A duration in ms, up to ten minutes. */
export function durationFlag(flag: string, leastMs = 0): FlagReader<number> {
  return numberFlag(flag, `milliseconds, a number from ${leastMs} to 600000`, (ms) => ms >= leastMs && ms <= 600_000);
}

export function choiceFlag<T extends string>(flag: string, choices: readonly T[]): FlagReader<T> {
  return (text) => {
    const choice = choices.find((one) => one === text);
    if (choice !== undefined) return choice;
    throw badValue(flag, choices.join(' or '), text);
  };
}

export const thresholdFlag = numberFlag(
  '--threshold',
  'a number over 0 and at most 1',
  (share) => share > 0 && share <= 1,
);

export const seedFlag = integerFlag('--seed', 0, 2 ** 32 - 1);

export const deadFlag = numberFlag('--dead', 'a number from 0 to under 1', (share) => share >= 0 && share < 1);

export const torFlag = numberFlag('--tor', 'a number from 0 to 1', (share) => share >= 0 && share <= 1);

/** NAME:SHARE, an attack and the share of all nodes that is Byzantine and behaves so. */
export const attackFlag: FlagReader<AttackShare> = (text) => {
  const [, name = '', share = ''] = /^([a-z-]+):(.+)$/.exec(text) ?? [];
  const names = [...new Set([...attacks, ...hornAttacks].map((attack) => attack.name))];
  if (!names.includes(name)) throw badValue('--attack', `NAME:SHARE with one of ${names.join(', ')}`, text);
  const read = numberFlag('--attack', 'a share from 0 to under 1 behind the colon', (value) => value < 1);
  return { name, share: read(share) };
};
