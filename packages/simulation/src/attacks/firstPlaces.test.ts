import { IndependentPriorities, ShiftedPriorities, shuffle, Tree, type VerificationPriorities } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { isWhole, sampled } from '../../../../tests/sampled.ts';
import { upTo } from '../../../core/test/sizes.ts';
import { attacked, expectAllReached } from '../../test/attacked.ts';
import { byzantineBeforeHonest, firstPlaces } from './firstPlaces.ts';

/**
 * Probability that at least one honest node is among the first `places` of `nodes` nodes, of which `attackers` are
 * Byzantine and drawn by seed (v1.0 section 4.3): 1 - f/N (f-1)/(N-1) .... The paper's bound 1 - (f/N)^d is lower.
 */
function oddsOfHonestFirst(nodes: number, attackers: number, places: number): number {
  let allByzantine = 1;
  for (let place = 0; place < places; place++) allByzantine *= Math.max(0, attackers - place) / (nodes - place);
  return 1 - allByzantine;
}

const nodes = 64;
const rounds = isWhole ? 1500 : 300;

/** Share of rounds, with one seed per round, in which a victim ranks an honest node among its first places. */
function measured(
  make: (nodes: number, seed: number) => VerificationPriorities,
  places: number,
  choose: (priorities: VerificationPriorities, victim: number, seed: number) => readonly number[],
): number {
  let honest = 0;
  for (let seed = 0; seed < rounds; seed++) {
    const priorities = make(nodes, seed);
    const victim = seed % nodes;
    const byzantine = new Set(choose(priorities, victim, seed));
    if (byzantineBeforeHonest(priorities, nodes, victim, (id) => byzantine.has(id)) < places) honest++;
  }
  return honest / rounds;
}

describe('v1.0 4.3: the probability of an honest node in the first places', () => {
  for (const [name, make] of [
    ['shifted', (n: number, seed: number) => new ShiftedPriorities(n, seed)],
    ['independent', (n: number, seed: number) => new IndependentPriorities(n, seed)],
  ] as const) {
    for (const [byzantine, places] of [
      [19, 1],
      [19, 2],
      [31, 2],
      [31, 5],
    ] as const) {
      it(`equals the formula with the shuffle, at least the bound: ${name} rows, ${byzantine} of ${nodes}, ${places} places`, () => {
        const drawn = (_: VerificationPriorities, victim: number, seed: number): number[] =>
          [...shuffle(nodes, seed, 'attackers')].filter((id) => id !== victim).slice(0, byzantine);
        const odds = oddsOfHonestFirst(nodes - 1, byzantine, places);
        expect(odds).toBeGreaterThanOrEqual(1 - (byzantine / (nodes - 1)) ** places);
        const deviation = Math.sqrt((odds * (1 - odds)) / rounds);
        expect(Math.abs(measured(make, places, drawn) - odds)).toBeLessThan(4 * deviation);
      });
    }

    it(`is zero without the shuffle: ${name} rows`, () => {
      const setting = { tree: new Tree(nodes), plan: undefined };
      const chosen = (priorities: VerificationPriorities, victim: number): readonly number[] =>
        firstPlaces.choose!([victim, ...upTo(nodes).filter((id) => id !== victim)], 7, { ...setting, priorities })!;
      expect(measured(make, 7, chosen)).toBe(0);
      expect(measured(make, 8, chosen)).toBe(1);
    });
  }
});

it('v1.0 4.3: ids chosen for the first places of a victim delay its threshold for much longer than with the shuffle, and not forever', () => {
  for (const seed of sampled([1, 2, 3], 1)) {
    const [drawn, chosen] = ['invalid', 'first-places'].map((name) =>
      attacked(name, { nodes: 512, seed }, { checkers: isWhole }),
    );
    expectAllReached(chosen!);
    expect(chosen!.checkedInvalid.max).toBeGreaterThan(1.2 * drawn!.checkedInvalid.max);
  }
});
