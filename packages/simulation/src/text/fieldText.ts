/**
 * Readers and writers for the text forms of values in flags, links and forms, so that all three accept the same texts
 * and report the same errors.
 */

import {
  type AnyRange,
  durations,
  expected,
  isIn,
  numbersText,
  type OwnRange,
  type Range,
  requireArray,
  requireObject,
  requireText,
  shortened,
  suggestion,
} from '@tutti/core/input';

/**
 * Reads a text that a user typed. @throws RangeError with the label, the expected form and the actual text, on one
 * line.
 */
export type TextReader<T> = (label: string, text: string) => T;

/** Returns the error for an invalid text. The message quotes the text, shortened and on one line. */
export function badText(label: string, what: string, text: string): RangeError {
  requireText('text', text);
  return new RangeError(expected(label, what, shortened(text, 40)));
}

/**
 * Returns a reader of integers: decimal digits, or an exponent as in `1e6`. The reader rejects `0x10`, `+5`, `1_000`,
 * blanks and `1k` (1,024 for some users), which are usually mistakes.
 */
export function integerText(min: number, max: number): TextReader<number> {
  return (label, text) => {
    const value = /^(\d{1,15}|\d{1,3}e\d{1,2})$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw badText(label, `an integer from ${min} to ${max}`, text);
  };
}

/**
 * Returns a reader of plain decimals.
 * @param holds returns whether a value is in the range that `range` describes.
 */
export function numberText(range: string, holds: (value: number) => boolean): TextReader<number> {
  return (label, text) => {
    const value = /^(\d{1,15}\.?\d{0,350}|\.\d{1,350})$/.test(text) ? Number(text) : Number.NaN;
    if (holds(value)) return value;
    throw badText(label, range, text);
  };
}

/** Returns a reader of durations from `minMs` to 600,000 ms. */
export function durationText(minMs = 0): TextReader<number> {
  return readerOf(durations(minMs, 600_000));
}

/**
 * Returns the error for an unknown word. The message suggests the most similar known word.
 *
 * @param text the complete text.
 * @param what the expected form.
 * @param word the unknown part of the text.
 */
export function badChoice(
  label: string,
  choices: readonly string[],
  text: string,
  what?: string,
  word = text,
): RangeError {
  requireArray('choices', choices);
  const bad = badText(label, what ?? choices.join(' or '), text);
  // A correctly spelt choice is not the cause of the error.
  return choices.includes(word) ? bad : new RangeError(`${bad.message}${suggestion(word, choices)}`);
}

/** Returns a reader for one of the given words. */
export function choiceText<const T extends string>(choices: readonly T[]): TextReader<T> {
  requireArray('choices', choices);
  return (label, text) => {
    const choice = choices.find((one) => one === text);
    if (choice !== undefined) return choice;
    throw badChoice(label, choices, text);
  };
}

/**
 * Returns the text of a number from 0 to less than 1e15, without an exponent. {@link numberText} reads it back exactly.
 */
export function plainDecimal(value: number): string {
  const text = String(value);
  const [mantissa, exponent] = text.split('e-');
  return exponent === undefined ? text : `0.${'0'.repeat(Number(exponent) - 1)}${mantissa!.replace('.', '')}`;
}

/** A range with its own text forms. */
export interface TextRange<T> extends OwnRange<T> {
  readonly read: TextReader<T>;
  write(value: T): string;
}

const unitTexts = {
  s: 'seconds, ',
  ms: 'milliseconds, ',
  us: 'microseconds, ',
  ns: 'nanoseconds, ',
  share: '',
  factor: '',
};

/**
 * Returns a reader for the values in a range; for a list, a reader for one item. @throws TypeError for a range of kind
 * `own` without texts.
 */
export function readerOf<T>(range: Range<T> | AnyRange): TextReader<T> {
  requireObject('range', range);
  return anyReader(range as AnyRange) as TextReader<T>;
}

function anyReader(range: AnyRange): TextReader<unknown> {
  switch (range.kind) {
    case 'integer':
      return integerText(range.min, range.max);
    case 'number':
      return numberText(`${unitTexts[range.unit]}${numbersText(range)}`, (value) => isIn(range, value));
    case 'choice': {
      const read = choiceText(range.of.map(String));
      return (label, text) => range.of.find((one) => String(one) === read(label, text));
    }
    case 'switch': {
      const read = choiceText(['on', 'off']);
      return (label, text) => read(label, text) === 'on';
    }
    case 'list':
      return anyReader(range.of);
    case 'own':
      return textsOf(range).read;
  }
}

/**
 * Returns a value of a range as texts that {@link readerOf} reads back exactly: one text, or one per item of a list.
 */
export function textsIn<T>(range: Range<T> | AnyRange, value: T): readonly string[] {
  const any = range as AnyRange;
  return any.kind === 'list' ? (value as readonly unknown[]).map((item) => textIn(any.of, item)) : [textIn(any, value)];
}

function textIn(range: AnyRange, value: unknown): string {
  if (range.kind === 'own') return textsOf(range).write(value);
  if (range.kind === 'switch') return value ? 'on' : 'off';
  return typeof value === 'number' ? plainDecimal(value) : String(value);
}

/** Returns the form of a range's values in help, such as `<ms>`. */
export function rangeForm(range: AnyRange): string {
  requireObject('range', range);
  if (range.kind === 'number') return `<${range.unit}>`;
  return range.kind === 'integer' ? '<n>' : range.kind === 'switch' ? '<on|off>' : '<name>';
}

function textsOf(range: OwnRange<unknown>): TextRange<unknown> {
  if (!('read' in range && 'write' in range)) throw new TypeError(expected('range', 'one with texts', range));
  return range as TextRange<unknown>;
}
