import { expect, it } from 'vitest';
import { circle } from './circle.ts';

it.each([
  ['no circle, though two ways lead to one', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, undefined],
  ['a circle off the way', { a: ['b'], b: ['c', 'd'], c: [], d: ['e'], e: ['b'] }, ['b', 'd', 'e', 'b']],
  ['one that imports itself', { a: [], b: ['b'] }, ['b', 'b']],
])('circle: %s', (_, imports, found) => {
  expect(circle(new Map(Object.entries(imports)))).toEqual(found);
});
