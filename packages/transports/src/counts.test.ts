import { expect, it } from 'vitest';
import { Counts } from './counts.ts';

it('counts by code and prints the codes in alphabetical order', () => {
  const counts = new Counts();
  counts.add('b');
  counts.addAll({ a: 2, b: 3 });
  expect(Object.entries(counts.toRecord())).toEqual([
    ['a', 2],
    ['b', 4],
  ]);
});
