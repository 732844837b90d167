import { expect, it } from 'vitest';
import { Allowance } from './allowance.ts';

it('spends what may be spent at once, then what a second earns', () => {
  const allowance = new Allowance(10, 3, 0);
  expect([1, 2, 3, 4].map(() => allowance.spend(1, 0))).toEqual([true, true, true, false]);
  expect([allowance.spend(1, 99), allowance.spend(1, 100), allowance.spend(1, 199)]).toEqual([false, true, false]);
});

it('saves no more than may be spent at once', () => {
  const allowance = new Allowance(10, 2, 0);
  expect([1, 2, 3].map(() => allowance.spend(1, 60_000))).toEqual([true, true, false]);
});

it('a clock that steps back earns nothing twice', () => {
  const allowance = new Allowance(1000, 1, 0);
  expect(allowance.spend(1, 10)).toBe(true);
  expect(allowance.spend(1, 5)).toBe(false);
  expect(allowance.spend(1, 10)).toBe(false);
});
