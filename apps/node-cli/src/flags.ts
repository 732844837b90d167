import { isThreshold, thresholdForm } from '@tutti/core';
import { badText, choiceText, durationText, integerText, numberText, type TextReader } from '@tutti/core/simulation';
import { UsageError } from './usageError.ts';

/** The one line about a bad value: the flag, what was expected, what came. */
export function badValue(flag: string, expected: string, got: string): UsageError {
  return new UsageError(badText(flag, expected, got).message);
}

/** Reads a flag's text; throws a UsageError that names the flag. */
export type FlagReader<T> = (text: string) => T;

/** Reads a flag as core reads the text. */
export function flagOf<T>(flag: string, read: TextReader<T>): FlagReader<T> {
  return (text) => {
    try {
      return read(flag, text);
    } catch (error) {
      throw error instanceof RangeError ? new UsageError(error.message) : error;
    }
  };
}

export function integerFlag(flag: string, least: number, most: number): FlagReader<number> {
  return flagOf(flag, integerText(least, most));
}

/** @param holds the range that `range` describes. */
export function numberFlag(flag: string, range: string, holds: (value: number) => boolean): FlagReader<number> {
  return flagOf(flag, numberText(range, holds));
}

/** A duration in ms, up to ten minutes. */
export function durationFlag(flag: string, leastMs = 0): FlagReader<number> {
  return flagOf(flag, durationText(leastMs));
}

export function choiceFlag<T extends string>(flag: string, choices: readonly T[]): FlagReader<T> {
  return flagOf(flag, choiceText(choices));
}

export const thresholdFlag = numberFlag('--threshold', thresholdForm, isThreshold);

/** For commands that play several sizes, to which no single count applies. */
export const thresholdShareFlag = numberFlag(
  '--threshold',
  'a share over 0 and up to 1',
  (share) => share > 0 && share <= 1,
);

export const seedFlag = integerFlag('--seed', 0, 2 ** 32 - 1);

export const deadFlag = numberFlag('--dead', 'a number from 0 to under 1', (share) => share >= 0 && share < 1);

export const torFlag = numberFlag('--tor', 'a number from 0 to 1', (share) => share >= 0 && share <= 1);
