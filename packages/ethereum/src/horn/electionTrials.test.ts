import { probabilityOfNone } from '@tutti/core/horn';
import { describe, expect, it } from 'vitest';
import { wilsonInterval } from '../statistics.ts';
import { holdElections } from './tables/aggregators.ts';

describe('elections simulated member by member', () => {
  it.each([
    [13, 1, 0.9],
    [512, 2, 2 / 3],
    [512, 5, 1 / 2],
    [512, 16, 1 / 4],
    [1000, 7, 1 / 3],
  ])('agree with the closed form for %i members, %i aimed at', (members, aggregators, honestShare) => {
    const election = { members, aggregators };
    const { trials, none, noneHonest } = holdElections(election, honestShare, 5000, 7);
    expect(none).toBeLessThanOrEqual(noneHonest);
    for (const [count, probability] of [
      [none, probabilityOfNone(election)],
      [noneHonest, probabilityOfNone(election, honestShare)],
    ] as const) {
      const [least, most] = wilsonInterval(count, trials);
      expect(probability).toBeGreaterThan(least);
      expect(probability).toBeLessThan(most);
    }
  });

  it('have the same result for the same seed', () => {
    const held = (seed: number) => holdElections({ members: 512, aggregators: 2 }, 0.5, 500, seed);
    expect(held(3)).toEqual(held(3));
    expect(held(3)).not.toEqual(held(4));
  });
});
