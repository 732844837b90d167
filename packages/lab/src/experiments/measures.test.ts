import { expect, it } from 'vitest';
import { change, threeDigits } from './measures.ts';

it.each([
  [0, '0'],
  [3, '3'],
  [0.4567, '0.46'],
  [-12.345, '-12.3'],
  [931.6, '932'],
  [4000, '4,000'],
  [1234567.8, '1,234,568'],
])('%d is written as %s', (value, text) => {
  expect(threeDigits(value)).toBe(text);
});

it('a change is written with its amount and direction', () => {
  expect(change(120, 100)).toBe('20.0 % more');
  expect(change(60, 80, 'longer', 'shorter')).toBe('25 % shorter');
});
