import { expect, it } from 'vitest';
import { shortened, shownValue } from './errors.ts';

it('shortened(text, maxLength) returns the text, or its beginning and an ellipsis within the given number of characters', () => {
  expect(shortened('twelve chars', 12)).toBe('twelve chars');
  expect(shortened('twelve chars', 11)).toBe('twelve c...');
});

it('any value is displayed on one short line', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  const circle: unknown[] = [];
  circle.push(circle);
  expect([undefined, null, 'a\nb', { a: 1 }, 1n, deep, circle, shownValue].map(shownValue)).toEqual([
    ...['nothing', 'null', '"a\\nb"', '{"a":1}', 'a value of type bigint', 'a value of type object'],
    ...['a value of type object', 'a value of type function'],
  ]);
  expect(shownValue('x'.repeat(1000))).toHaveLength(60 + ' (1002 characters)'.length);
});
