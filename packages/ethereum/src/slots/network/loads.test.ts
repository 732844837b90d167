import { expect, it } from 'vitest';
import { noLoad, scaled, sumOf } from './loads.ts';

const load = { receivedBytes: 1, sentBytes: 2, controlBytes: 3, copies: 4, duplicates: 5, coreSeconds: 6 };
const twice = { receivedBytes: 2, sentBytes: 4, controlBytes: 6, copies: 8, duplicates: 10, coreSeconds: 12 };

it('loads are added and scaled in each of their parts', () => {
  expect(sumOf([])).toEqual(noLoad);
  expect(sumOf([load, load])).toEqual(twice);
  expect(scaled(load, 2)).toEqual(twice);
  expect(sumOf([load, scaled(load, -1)])).toEqual(noLoad);
});
