import { describe, expect, it } from 'vitest';
import { griefedAggregate } from '../attacks.ts';
import { expectedLoss } from './expectedLoss.ts';

const post = { members: 512, aggregators: 16 };

describe("Horn, 'Reward griefing attacks against Horn': the expected loss", () => {
  it('equals the enumeration of every outcome of three members', () => {
    // Three members, each elected with probability 1/3.
    const odds = { election: { members: 3, aggregators: 1 }, eveShare: 0.4, participation: 0.7 };
    const kinds = [
      { who: 'eve', elected: true, probability: 0.4 / 3 },
      { who: 'eve', elected: false, probability: 0.4 * (2 / 3) },
      { who: 'honest', elected: true, probability: (0.6 * 0.7) / 3 },
      { who: 'honest', elected: false, probability: 0.6 * 0.7 * (2 / 3) },
      { who: 'absent', elected: false, probability: 0.6 * 0.3 },
    ];
    const sums = { honest: 0, bitfield: 0, largestAndRandom: 0, merged: 0, alone: 0 };
    for (const members of kinds.flatMap((a) => kinds.flatMap((b) => kinds.map((c) => [a, b, c])))) {
      const probability = members.reduce((product, one) => product * one.probability, 1);
      const ofHonest = members.filter(({ who }) => who === 'honest');
      const ofEve = members.filter(({ who }) => who === 'eve');
      const honest = ofHonest.length;
      const [honestElected, eveElected] = [ofHonest, ofEve].map((all) => all.filter(({ elected }) => elected).length);
      const censored = ofEve.length === 0 ? 0 : griefedAggregate(honest, ofEve.length).censored;
      sums.honest += probability * honest;
      if (honestElected === 0) {
        for (const name of ['bitfield', 'largestAndRandom', 'merged'] as const) sums[name] += probability * honest;
        if (honest > 0) sums.alone += probability;
      } else if (eveElected! > 0) {
        sums.bitfield += probability * censored;
        sums.largestAndRandom += (probability * censored * (eveElected! - 1)) / (eveElected! + honestElected! - 1);
      }
    }
    const { honestVotes, withoutHonestAggregator, lost } = expectedLoss(odds);
    const { bitfield, largestAndRandom, fourBit: merged } = lost;
    const found = { honest: honestVotes, bitfield, largestAndRandom, merged, alone: withoutHonestAggregator };
    for (const [name, sum] of Object.entries(sums))
      expect(found[name as keyof typeof found], name).toBeCloseTo(sum, 12);
  });

  it('without Byzantine validators is the same for all schemes, and almost zero', () => {
    const { lost, singledOutLost } = expectedLoss({ election: post, eveShare: 0, participation: 1 });
    expect(new Set(Object.values(lost)).size).toBe(1);
    expect(lost.bitfield / (512 * (31 / 32) ** 512)).toBeCloseTo(1, 9);
    expect(singledOutLost / (31 / 32) ** 512).toBeCloseTo(1, 9);
  });

  it('a targeted validator loses its vote whenever Byzantine validators with two or more votes are elected', () => {
    const { singledOutLost } = expectedLoss({ election: post, eveShare: 0.1, participation: 1 });
    // Probability that a Byzantine one of the 511 others is elected, minus that it is the only Byzantine one.
    const p = 0.1 / 32;
    expect(singledOutLost).toBeCloseTo(1 - (1 - p) ** 511 - 511 * p * 0.9 ** 510, 5);
  });
});
