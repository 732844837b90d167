import { RandomStream } from '@tutti/core';
import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf } from '../../../../../tests/digests.ts';
import { AttackSearch, type SearchClass, triedAs } from './attackSearch.ts';
import { changed, movedPlacement, oneOf, randomComposition, randomPlacement } from './draw.ts';
import { HillClimb } from './hillClimb.ts';

it('what is drawn and changed is what it was', () => {
  const pins = drawn(100, (_, seed) => {
    const random = new RandomStream(seed, 'pinned');
    let composition = randomComposition(random);
    let placement = seed % 3 === 0 ? undefined : randomPlacement(random);
    return [
      [composition, placement, oneOf(random, [1, 2, 3])],
      Array.from({ length: 30 }, () => {
        composition = changed(composition, random);
        placement = movedPlacement(placement, random);
        return [composition, placement];
      }),
    ];
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"75113c53c701"`);
});

it('a search proposes what it did, and keeps the worst', () => {
  const pins = drawn(12, (draw, seed) => {
    const search = new AttackSearch({
      ...{ nodes: 64, share: 0.3, seed, objective: draw.one(['mean', 'last']), ids: draw.one(['drawn', 'chosen']) },
      ...(draw.chance(0.6) && { verifyMs: draw.one([[4], [4, 8], [1, 2, 3]]) }),
      ...(draw.chance(0.6) && { from: ['light@0', '1of16:invalid@front', 'mixed@50~3/-'] }),
      ...(draw.chance(0.5) && { world: { threshold: 0.75 } }),
    });
    const told: unknown[] = [];
    for (let round = 0; round < 12; round++) {
      const trials = search.propose(draw.integer(1, 6));
      const results = trials.map((trial) => {
        const [meanMs, maxMs] = [draw.integer(1, 9), draw.integer(1, 9)];
        return { ...trial, stuck: draw.one([0, 0, 0, 1]), meanMs, maxMs };
      });
      search.learn(results);
      told.push(trials, search.tried, search.classes satisfies readonly SearchClass[]);
    }
    const trial = { plan: 'light@0', verifyMs: 7 };
    const timeToThresholdMs = { min: 1, mean: 2, max: 3 };
    return digestOf([
      told,
      search.scenario(trial),
      search.silence(5),
      triedAs(trial, { live: 9, reached: 7, timeToThresholdMs } as never),
    ]);
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "da903186807c",
      "945219faaacc",
      "29fabe752d9d",
      "46e7edc123c4",
      "2d4cb6a347e6",
      "5f3f560a9af1",
      "02766c7fb5ce",
      "0fbeded57405",
      "636b52bf9eb7",
      "5317aeb86567",
      "d0dc74f3e85f",
      "216e067059fd",
    ]
  `);
});

it('a climb ends where there is nothing new, and has from each class what is worst', () => {
  const hill = {
    ...{ from: [3, 3, 50], classes: 3, classOf: (trial: number) => trial % 4, nameOf: String },
    draw: (random: RandomStream) => random.nextBelow(20),
    changed: (trial: number, random: RandomStream) => (trial + random.nextBelow(5)) % 40,
    order: (a: number, b: number) => (b % 7) - (a % 7),
  };
  const pins = drawn(6, (_, seed) => {
    const climb = new HillClimb<number, number>(hill, new RandomStream(seed, 'pinned'));
    return Array.from({ length: 12 }, () => {
      const trials = climb.propose(5);
      climb.learn(trials);
      return [trials, climb.tried, structuredClone(climb.worst)];
    });
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"3812be86e790"`);
  expect(outcomeOf(() => new HillClimb(hill, new RandomStream(1, 'x')).learn(5 as never))).toMatchInlineSnapshot(
    `"TypeError: results: expected an array, got 5"`,
  );
});
