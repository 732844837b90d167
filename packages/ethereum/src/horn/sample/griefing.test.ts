import { RandomStream } from '@tutti/core';
import { hasMember, sizeBeyond, sizeOf, union } from '@tutti/core/horn';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusedBy } from '../../../../../tests/outcomes.ts';
import { sampled } from '../../../../../tests/sampled.ts';
import { type MeanEstimate, wilsonInterval } from '../../statistics.ts';
import { expectedLoss } from './expectedLoss.ts';
import { forwardingNames, heaviest } from './forwarding.ts';
import { honestLossShare, sampleGriefing, sampleSubcommittee, singledOut } from './griefing.ts';

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
  )('$eveShare of $election.members, $participation voting: the loss is the closed form within its error', (odds) => {
    const { outcome, expected } = griefingOf({ ...odds, seed: 11 });
    expectAround(outcome.losses.bitfield.honest, expected.lost.bitfield);
    expectAround(outcome.losses.largestAndRandom.honest, expected.lost.largestAndRandom);
    expectAround(outcome.losses.bitfield.singledOut, expected.singledOutLost);
    if (odds.participation < 1 || odds.eveShare > 0) expectAround(outcome.honestVotes, expected.honestVotes);
    const { samples } = outcome.honestVotes;
    const [least, most] = wilsonInterval(outcome.withoutHonestAggregator, samples);
    expect(expected.withoutHonestAggregator).toBeGreaterThanOrEqual(least);
    expect(expected.withoutHonestAggregator).toBeLessThanOrEqual(most);
  });

  it('Byzantine validators lose nothing if there is any aggregator, and never anything by their own attack', () => {
    const { outcome } = griefingOf({ election: post, eveShare: 0.3, participation: 1, slots: 40, seed: 2 });
    for (const name of forwardingNames) expect(outcome.losses[name].eve.max).toBe(0);
    expect(outcome.losses.bitfield.honest.max).toBeGreaterThan(100);
  });

  it('is the same with the same seed, and differs with another', () => {
    const again = (seed: number) => griefingOf({ election: post, eveShare: 0.2, participation: 0.9, slots: 4, seed });
    expect(again(7)).toEqual(again(7));
    expect(again(8)).not.toEqual(again(7));
  });
});

const remedied = [
  { election: post, eveShare: 1 / 3, participation: 1, slots: 60 },
  { election: post, eveShare: 0.6, participation: 0.9, slots: 60 },
  { election: small, eveShare: 0.1, participation: 1, slots: 300 },
  { election: small, eveShare: 0.5, participation: 0.8, slots: 300 },
];
it.each(sampled(remedied, 2))(
  "Horn, 'Alternative aggregation schemes': the remedies against the same attack: $eveShare of $election.members: merging loses no honest vote if there is one honest aggregator",
  (odds) => {
    const { outcome, expected } = griefingOf({ ...odds, seed: 5 });
    for (const name of ['fourBit', 'succinctProof'] as const) {
      const { withHonestAggregator, honest } = outcome.losses[name];
      expect(withHonestAggregator.samples).toBeGreaterThan(1000);
      expect(withHonestAggregator.max).toBe(0);
      if (outcome.withoutHonestAggregator > 30) expectAround(honest, expected.lost[name]);
    }
    expect(outcome.losses.bitfield.withHonestAggregator.mean).toBeGreaterThan(0);
  },
);

it('collections cover the whole committee, and contain all votes that were not lost', () => {
  const reached = { bitfield: 0, largestAndRandom: 0, fourBit: 0, succinctProof: 0 };
  const setting = { election: small, eveShare: 0.3, participation: 1, slots: 2, subcommittees: 8, seed: 9 };
  const { losses } = sampleGriefing(setting, (name, collections) => {
    expect(collections).toHaveLength(name === 'largestAndRandom' ? 2 : 1);
    for (const collection of collections) expect(collection).toHaveLength(8 * 64);
    reached[name] += collections[0]!.filter((_, member) => collections.some((one) => one[member]! > 0)).length;
  });
  // Each subcommittee has 64 votes.
  for (const name of forwardingNames)
    expect(reached[name]).toBe(Math.round(16 * (64 - losses[name].honest.mean - losses[name].eve.mean)));
});

function griefingOf(odds: Parameters<typeof expectedLoss>[0] & { slots: number; seed: number }) {
  return { outcome: sampleGriefing({ ...odds, subcommittees: 64 }), expected: expectedLoss(odds) };
}

const anyOdds = fc.record({
  election: fc.record({ members: fc.integer({ min: 2, max: 90 }), aggregators: fc.constantFrom(1, 2) }),
  eveShare: fc.constantFrom(0, 0.1, 0.3, 0.6),
  participation: fc.constantFrom(0.5, 0.9, 1),
});

describe("Horn, 'Reward griefing attacks against Horn': one simulated subcommittee", () => {
  it('the Byzantine aggregate is the heaviest by one, without N-1 honest votes, if there are Byzantine and honest aggregators', () => {
    let attacks = 0;
    fc.assert(
      fc.property(anyOdds, fc.nat(), (odds, seed) => {
        const sampled = sampleSubcommittee(odds, new RandomStream(seed, 'one'));
        const { honestVotes, eveVotes, aggregates, honestAggregators, eveAggregators } = sampled;
        expect(aggregates.length).toBe(honestAggregators + eveAggregators);
        const [honest, eve] = [sizeOf(honestVotes), sizeOf(eveVotes)];
        expect(sizeOf(union([honestVotes, eveVotes], odds.election.members))).toBe(honest + eve);
        if (eveAggregators === 0 || honestAggregators === 0) return;
        attacks++;
        const best = aggregates[heaviest(aggregates)]!;
        expect(sizeBeyond(eveVotes, best)).toBe(0);
        expect(sizeBeyond(honestVotes, best)).toBe(Math.min(eve - 1, honest));
        expect(sizeOf(best)).toBe(Math.max(honest + 1, eve));
        const whole = aggregates.filter((set) => sizeOf(set) === honest && sizeBeyond(honestVotes, set) === 0);
        expect(whole).toHaveLength(honestAggregators);
        if (eve > 1 && hasMember(honestVotes, singledOut)) expect(hasMember(best, singledOut)).toBe(false);
      }),
      { numRuns: 500, seed: 1 },
    );
    expect(attacks).toBeGreaterThan(50);
  });
});

it('states an upper bound if nothing was lost', () => {
  const { outcome, expected } = griefingOf({ election: post, eveShare: 0.2, participation: 1, slots: 2, seed: 1 });
  expect(outcome.withoutHonestAggregator).toBe(0);
  const [, most] = wilsonInterval(0, 128);
  expect(honestLossShare(outcome, 'fourBit', expected.honestVotes)).toEqual({ share: 0, min: 0, max: most });
});

it('refuses probabilities out of range, and names them', () => {
  const election = { members: 8, aggregators: 2 };
  const setting = { election, eveShare: 0.2, participation: 1, slots: 2, subcommittees: 1, seed: 1 };
  const refused = (fields: object) => refusedBy(() => sampleGriefing({ ...setting, ...fields } as never));
  for (const members of [1, 2 ** 20 + 1]) expect(refused({ election: { members, aggregators: 1 } })).toBe('members');
  for (const aggregators of [0, 9]) expect(refused({ election: { members: 8, aggregators } })).toBe('aggregators');
  expect(refused({ election: undefined })).toBe('election');
  const outside = { eveShare: [-0.1, 1], participation: [0, 1.1], slots: [1, 10_000_001], subcommittees: [0, 2049] };
  for (const [name, values] of Object.entries(outside)) {
    for (const value of values) expect(refused({ [name]: value })).toBe(name);
  }
});
