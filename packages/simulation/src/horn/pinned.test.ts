import { RandomStream } from '@tutti/core';
import { defaultHornParameters, slotClock } from '@tutti/core/horn';
import { addMember, emptySet } from '@tutti/core/internal/horn';
import { expect, it } from 'vitest';
import { type Draw, digestOf, drawn, outcomeOf } from '../../../../tests/digests.ts';
import { hornAttacks, validateHornAttacks } from './attacks.ts';
import { binomial } from './binomial.ts';
import { holdElections } from './electionTrials.ts';
import { EveStrategy } from './eveStrategy.ts';
import { griefedAggregate, griefingLoss } from './griefing.ts';
import { wilsonInterval } from './wilsonInterval.ts';

const members = 40;

function drawSet(draw: Draw, share: number): Int32Array {
  const set = emptySet(members);
  for (let member = 0; member < members; member++) if (draw.chance(share)) addMember(set, member);
  return set;
}

it.each(hornAttacks.map((attack) => [attack.name, attack] as const))('%s does what it did', (_, attack) => {
  const clock = slotClock('horn', defaultHornParameters);
  const pins = drawn(60, (draw) => {
    const hers = drawSet(draw, draw.number(0, 0.6));
    const order = Int32Array.from(draw.list(members, (__, index) => index)).sort(() => draw.integer(0, 1) - 0.5);
    const eve = new EveStrategy({
      ...{ attack, member: draw.integer(0, members - 1), members, hers, order, clock, collects: draw.chance(0.5) },
      isHers: (author) => author % 2 === 0,
    });
    const ranks = draw.list(4, (__, author) => eve.rank(author, 10 * author));
    return [eve.clock, eve.collection, eve.aggregate(drawSet(draw, draw.number(0, 1))), ranks];
  });
  expect([attack.votes(true), attack.votes(false), digestOf(pins)]).toMatchSnapshot();
});

it('shares of attacks are refused with the words they were', () => {
  const lists = [undefined, {}, [], [undefined], [{ name: 'x', share: 0.1 }], [{ name: 'late', share: 1.1 }]];
  const sums = [[0.5], [0.4, 0.5], [0.4, 0.6], [0.4, 0.59]].map((shares) =>
    shares.map((share) => ({ name: 'late', share })),
  );
  const pins = [...lists, ...sums].flatMap((list) =>
    [0, 0.01].map((taken) => outcomeOf(() => validateHornAttacks(list as never, taken))),
  );
  expect(pins).toMatchInlineSnapshot(`
    [
      "TypeError: attacks: expected an array, got undefined",
      "TypeError: attacks: expected an array, got undefined",
      "TypeError: attacks: expected an array, got an object",
      "TypeError: attacks: expected an array, got an object",
      undefined,
      undefined,
      "TypeError: attacks: expected an object, got undefined",
      "TypeError: attacks: expected an object, got undefined",
      "RangeError: attacks: expected silent or griefing or worthless or late, got "x"",
      "RangeError: attacks: expected silent or griefing or worthless or late, got "x"",
      "RangeError: share of late: expected a number from 0 to 1, got 1.1",
      "RangeError: share of late: expected a number from 0 to 1, got 1.1",
      undefined,
      undefined,
      undefined,
      undefined,
      "RangeError: dead and Byzantine shares together: expected under 1, got 1",
      "RangeError: dead and Byzantine shares together: expected under 1, got 1.01",
      undefined,
      "RangeError: dead and Byzantine shares together: expected under 1, got 1",
    ]
  `);
});

it('chances, elections and losses are what they were', () => {
  const grid = drawn(40, (draw) => ({ trials: draw.integer(1, 40), chance: draw.number(0.01, 0.99) }));
  const elections = drawn(20, (draw) => ({ members: draw.integer(2, 40), aggregators: draw.integer(1, 8) }));
  const pins = {
    binomial: grid.map(({ trials, chance }) => binomial(trials, chance)),
    wilson: grid.map(({ trials }) => [0, 1, trials].map((count) => wilsonInterval(count, trials))),
    griefed: grid.map(({ trials }) => [1, 2, 30].map((eve) => griefedAggregate(trials, eve))),
    loss: elections.map((election) => griefingLoss(election, 0.3)),
    trials: elections.map((election, seed) => holdElections(election, 0.6, 60, seed)),
    streams: new RandomStream(1, 'pinned').nextUint32(),
  };
  expect(Object.entries(pins).map(([name, of]) => `${name} ${digestOf(of)}`)).toMatchInlineSnapshot(`
    [
      "binomial 1f58eae150b2",
      "wilson 5316e23c5b54",
      "griefed 3698b3d7e60d",
      "loss 03fb37f0e170",
      "trials 9e00c812df28",
      "streams aec0b7b98d72",
    ]
  `);
});
