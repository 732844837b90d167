import { expect, it } from 'vitest';
import { digestOf, drawn } from '../../../../../tests/digests.ts';
import { randomScenario } from './draw.ts';
import { hunt, shrinkBroken } from './hunt.ts';

it('scenarios of the swarm are what they were', () => {
  const pins = drawn(300, (draw, seed) =>
    randomScenario(seed, draw.one([{}, {}, { maxNodes: 9 }, { without: ['window'] }])),
  );
  expect(digestOf(pins)).toMatchInlineSnapshot(`"aeae5de75820"`);
});

it('what breaks without a mechanism, and what it shrinks to, is what it was', () => {
  const pins = (['bounded-queue', 'window'] as const).map((without) => {
    const broken = hunt(1, 40, { without: [without], maxNodes: 10 });
    return broken && digestOf([broken, shrinkBroken(broken)]);
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "55d4824f2b41",
      undefined,
    ]
  `);
});
