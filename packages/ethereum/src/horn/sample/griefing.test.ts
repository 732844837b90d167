import { describe, expect, it } from 'vitest';
import { sampled } from '../../../../../tests/sampled.ts';
import { type MeanEstimate, wilsonInterval } from '../statistics.ts';
import { expectedLoss } from './expectedLoss.ts';
import { forwardingNames } from './forwarding.ts';
import { type Collection, sampleGriefing } from './griefing.ts';

const post = { members: 512, aggregators: 16 };
/** Subcommittee of 64 with two expected aggregators, so that often no honest member aggregates. */
const small = { members: 64, aggregators: 2 };

/** Expects a value within the 99.9 % interval of the samples. */
function expectAround({ mean, standardError }: MeanEstimate, value: number): void {
  expect(standardError).toBeGreaterThan(0);
  expect(Math.abs(mean - value), `${mean} +- ${standardError}, ${value} expected`).toBeLessThan(3.29 * standardError);
}

describe("Horn, 'Reward griefing attacks against Horn': simulated over many slots", () => {
  it.each(
    sampled(
      [
        { election: post, eveShare: 0.02, participation: 1, slots: 150 },
        { election: post, eveShare: 0.1, participation: 1, slots: 100 },
        { election: post, eveShare: 1 / 3, participation: 1, slots: 60 },
        { election: post, eveShare: 0.2, participation: 0.8, slots: 60 },
        { election: small, eveShare: 0.1, participation: 1, slots: 600 },
        { election: small, eveShare: 0.4, participation: 0.7, slots: 600 },
        { election: small, eveShare: 0.7, participation: 1, slots: 600 },
      ],
      1,
    ),
  )(
    '$eveShare of $election.members, $participation voting: the loss equals the closed form within its error',
    (odds) => {
      const { outcome, expected } = griefingOf({ ...odds, seed: 11 });
      expectAround(outcome.losses.bitfield.honest, expected.lost.bitfield);
      expectAround(outcome.losses.largestAndRandom.honest, expected.lost.largestAndRandom);
      expectAround(outcome.losses.bitfield.singledOut, expected.singledOutLost);
      if (odds.participation < 1 || odds.eveShare > 0) expectAround(outcome.honestVotes, expected.honestVotes);
      const { samples } = outcome.honestVotes;
      const [least, most] = wilsonInterval(outcome.withoutHonestAggregator, samples);
      expect(expected.withoutHonestAggregator).toBeGreaterThanOrEqual(least);
      expect(expected.withoutHonestAggregator).toBeLessThanOrEqual(most);
    },
  );

  it('Byzantine validators lose nothing if there is any aggregator, and never anything by their own attack', () => {
    const { outcome } = griefingOf({ election: post, eveShare: 0.3, participation: 1, slots: 40, seed: 2 });
    for (const name of forwardingNames) expect(outcome.losses[name].eve.most).toBe(0);
    expect(outcome.losses.bitfield.honest.most).toBeGreaterThan(100);
  });

  it('no validator loses votes without the attack', () => {
    const { outcome } = griefingOf({ election: post, eveShare: 0, participation: 0.9, slots: 20, seed: 3 });
    for (const name of forwardingNames) expect(outcome.losses[name].honest.most).toBe(0);
  });

  it('is the same with the same seed, and differs with another', () => {
    const again = (seed: number) =>
      sampleGriefing({ election: post, eveShare: 0.2, participation: 0.9, slots: 4, subcommittees: 64, seed });
    expect(again(7)).toEqual(again(7));
    expect(again(8)).not.toEqual(again(7));
  });
});

describe("Horn, 'Alternative aggregation schemes': the remedies against the same attack", () => {
  const remedied = [
    { election: post, eveShare: 1 / 3, participation: 1, slots: 60 },
    { election: post, eveShare: 0.6, participation: 0.9, slots: 60 },
    { election: small, eveShare: 0.1, participation: 1, slots: 300 },
    { election: small, eveShare: 0.5, participation: 0.8, slots: 300 },
  ];
  it.each(sampled(remedied, 2))(
    '$eveShare of $election.members: merging loses no honest vote if there is one honest aggregator',
    (odds) => {
      const { outcome, expected } = griefingOf({ ...odds, seed: 5 });
      for (const name of ['fourBit', 'succinctProof'] as const) {
        const { withHonestAggregator, honest } = outcome.losses[name];
        expect(withHonestAggregator.samples).toBeGreaterThan(1000);
        expect(withHonestAggregator.most).toBe(0);
        if (outcome.withoutHonestAggregator > 30) expectAround(honest, expected.lost[name]);
      }
      expect(outcome.losses.bitfield.withHonestAggregator.mean).toBeGreaterThan(0);
    },
  );

  it('a random aggregate next to the largest saves some votes, and merging saves all', () => {
    const { outcome } = griefingOf({ election: post, eveShare: 1 / 3, participation: 1, slots: 20, seed: 6 });
    const { bitfield, largestAndRandom, fourBit } = outcome.losses;
    expect(largestAndRandom.honest.mean).toBeLessThan(0.5 * bitfield.honest.mean);
    expect(largestAndRandom.honest.mean).toBeGreaterThan(fourBit.honest.mean);
  });
});

it('collections cover the whole committee, and contain all votes that were not lost', () => {
  const seen = new Map<string, Collection[]>();
  const setting = { election: small, eveShare: 0.3, participation: 1, slots: 2, subcommittees: 8, seed: 9 };
  const outcome = sampleGriefing(setting, (name, collections) => {
    seen.set(name, [...(seen.get(name) ?? []), ...collections]);
  });
  const perSlot = { bitfield: 1, largestAndRandom: 2, fourBit: 1, succinctProof: 1 };
  for (const name of forwardingNames) {
    const collections = seen.get(name)!;
    expect(collections.length).toBe(2 * perSlot[name]);
    for (const collection of collections) expect(collection.length).toBe(8 * 64);
    const { honest, eve } = outcome.losses[name];
    let reached = 0;
    for (let slot = 0; slot < 2; slot++) {
      const own = collections.slice(slot * perSlot[name], (slot + 1) * perSlot[name]);
      reached += own[0]!.filter((_, member) => own.some((collection) => collection[member]! > 0)).length;
    }
    // Each subcommittee has 64 votes. The collections contain all votes that are not lost.
    expect(reached).toBe(Math.round(16 * (64 - honest.mean - eve.mean)));
  }
});

it.each([
  [{ eveShare: 1 }, 'eveShare: expected a number from 0 to 0.999, got 1'],
  [{ participation: 0 }, 'participation: expected a number from 0.001 to 1, got 0'],
  [{ slots: 1 }, 'slots: expected an integer from 2 to 10000000, got 1'],
  [{ subcommittees: 0 }, 'subcommittees: expected an integer from 1 to 2048, got 0'],
])('refuses %j', (wrong, message) => {
  const setting = { election: small, eveShare: 0.3, participation: 1, slots: 2, subcommittees: 8, seed: 9 };
  expect(() => sampleGriefing({ ...setting, ...wrong })).toThrow(message);
});

function griefingOf(odds: Parameters<typeof expectedLoss>[0] & { slots: number; seed: number }) {
  return { outcome: sampleGriefing({ ...odds, subcommittees: 64 }), expected: expectedLoss(odds) };
}
