import { expect, it } from 'vitest';
import { digestOf, refusalsOf } from '../../../../tests/digests.ts';
import { fitLine } from './fit.ts';
import { confidenceInterval } from './interval.ts';

it('arguments of another kind are refused, and named', () => {
  const words = refusalsOf({ fitLine: [fitLine, [[1, 2]]], confidenceInterval: [confidenceInterval, [1, 2]] });
  expect([words.length, digestOf(words)]).toMatchInlineSnapshot(`
    [
      15,
      "f910ef898d97",
    ]
  `);
});
