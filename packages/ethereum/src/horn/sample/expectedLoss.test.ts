import { probabilityOfNone } from '@tutti/core/horn';
import { describe, expect, it } from 'vitest';
import { griefedAggregate, griefingLoss } from '../attacks.ts';
import { expectedLoss } from './expectedLoss.ts';

const post = { members: 512, aggregators: 16 };

describe("Horn, 'Reward griefing attacks against Horn': the expected loss", () => {
  it.each([0.01, 0.1, 1 / 3])(
    'at a share of %d is the loss to the attack plus the loss without an honest aggregator',
    (eveShare) => {
      const { lost, honestVotes } = expectedLoss({ election: post, eveShare, participation: 1 });
      expect(honestVotes).toBeCloseTo(512 * (1 - eveShare), 6);
      const { censored } = griefingLoss(post, eveShare);
      expect(lost.bitfield).toBeGreaterThan(censored);
      expect(lost.bitfield - censored).toBeLessThan(512 * probabilityOfNone(post, 1 - eveShare));
    },
  );

  it('with a merging remedy is the loss without an honest aggregator', () => {
    // n h (1-h/m)^(n-1) (1-1/m): an honest vote is lost if neither its voter nor any other honest member is elected.
    const h = 0.6;
    const { lost, withoutHonestAggregator } = expectedLoss({ election: post, eveShare: 1 - h, participation: 1 });
    const expected = 512 * h * (31 / 32) * (1 - h / 32) ** 511;
    expect(lost.fourBit / expected).toBeCloseTo(1, 9);
    expect(lost.succinctProof).toBe(lost.fourBit);
    expect(withoutHonestAggregator).toBeCloseTo(probabilityOfNone(post, h), 12);
  });

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
    for (const a of kinds) {
      for (const b of kinds) {
        for (const c of kinds) {
          const members = [a, b, c];
          const probability = a.probability * b.probability * c.probability;
          const honest = members.filter(({ who }) => who === 'honest').length;
          const eve = members.filter(({ who }) => who === 'eve').length;
          const honestElected = members.filter(({ who, elected }) => who === 'honest' && elected).length;
          const eveElected = members.filter(({ who, elected }) => who === 'eve' && elected).length;
          const censored = eve === 0 ? 0 : griefedAggregate(honest, eve).censored;
          sums.honest += probability * honest;
          if (honestElected === 0) {
            for (const name of ['bitfield', 'largestAndRandom', 'merged'] as const) sums[name] += probability * honest;
            if (honest > 0) sums.alone += probability;
          } else if (eveElected > 0) {
            sums.bitfield += probability * censored;
            sums.largestAndRandom += (probability * censored * (eveElected - 1)) / (eveElected + honestElected - 1);
          }
        }
      }
    }
    const { honestVotes, withoutHonestAggregator, lost } = expectedLoss(odds);
    expect(honestVotes).toBeCloseTo(sums.honest, 12);
    expect(withoutHonestAggregator).toBeCloseTo(sums.alone, 12);
    expect(lost.bitfield).toBeCloseTo(sums.bitfield, 12);
    expect(lost.largestAndRandom).toBeCloseTo(sums.largestAndRandom, 12);
    expect(lost.fourBit).toBeCloseTo(sums.merged, 12);
  });

  it('without Byzantine validators is the same for all schemes, and almost zero', () => {
    const { lost, singledOutLost } = expectedLoss({ election: post, eveShare: 0, participation: 1 });
    expect(new Set(Object.values(lost)).size).toBe(1);
    expect(lost.bitfield / (512 * (31 / 32) ** 512)).toBeCloseTo(1, 9);
    expect(singledOutLost / (31 / 32) ** 512).toBeCloseTo(1, 9);
  });

  it('a targeted validator loses its vote whenever Byzantine validators with two or more votes are elected', () => {
    const { singledOutLost } = expectedLoss({ election: post, eveShare: 0.1, participation: 1 });
    // 511 other members, of which one Byzantine member is elected, minus one vote if there is only one.
    const p = 0.1 / 32;
    expect(singledOutLost).toBeCloseTo(1 - (1 - p) ** 511 - 511 * p * 0.9 ** 510, 5);
  });
});
