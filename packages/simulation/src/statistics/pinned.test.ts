import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf, refusalsOf } from '../../../../tests/digests.ts';
import { fitLine } from './fit.ts';
import { confidenceInterval } from './interval.ts';

it('lines through drawn points, and intervals of their means, are what they were', () => {
  const pins = drawn(80, (draw) => {
    const points = draw.list(draw.integer(0, 40), () => [draw.integer(-3, 3), draw.number(-5, 5)] as const);
    const line = outcomeOf(() => {
      const fit = fitLine(points);
      return [fit, fit.at(2.5)];
    });
    return [line, confidenceInterval(points.map(([, y]) => y))];
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"e460ff65bcb2"`);
});

it('arguments of another kind are refused with the words they were', () => {
  const words = refusalsOf({ fitLine: [fitLine, [[1, 2]]], confidenceInterval: [confidenceInterval, [1, 2]] });
  expect([words.length, digestOf(words)]).toMatchInlineSnapshot(`
    [
      15,
      "f910ef898d97",
    ]
  `);
});
