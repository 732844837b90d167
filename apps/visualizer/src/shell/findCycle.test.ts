import { expect, it } from 'vitest';
import { findCycle } from './findCycle.ts';

it.each([
  ['no cycle, though two ways lead to one', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, undefined],
  ['a cycle off the way', { a: ['b'], b: ['c', 'd'], c: [], d: ['e'], e: ['b'] }, ['b', 'd', 'e', 'b']],
  ['one that imports itself', { a: [], b: ['b'] }, ['b', 'b']],
])('findCycle: %s', (_, imports, found) => {
  expect(findCycle(new Map(Object.entries(imports)))).toEqual(found);
});
