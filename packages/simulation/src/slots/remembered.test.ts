import { expect, it } from 'vitest';
import { remembered } from './remembered.ts';

it('computes once for each key, and again what was asked for longest ago when there were too many', () => {
  const asked: number[] = [];
  const square = remembered(
    (x: number) => {
      asked.push(x);
      return { is: x * x };
    },
    String,
    2,
  );
  expect([1, 2, 1, 3, 1, 2].map((x) => square(x).is)).toEqual([1, 4, 1, 9, 1, 4]);
  expect(asked).toEqual([1, 2, 3, 2]);
  expect(square(2)).toBe(square(2));
});
