import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setOf } from '../../test/memberSets.ts';
import { runRounds } from './rounds.ts';
import { ownersOf } from './rules.ts';
import { type LeanSizes, type LeanStrategy, positionsOfHalf } from './world.ts';

/** Returns duties with `replicas` aggregators per subnet: position = subnet x replicas + replica. */
function evenDuties(subnets: number, replicas: number): number[] {
  return Array.from({ length: subnets * replicas }, (_, position) => Math.floor(position / replicas));
}

function sizesOf(subnets: number, duties = evenDuties(subnets, 1), branching = 2): LeanSizes {
  const limits = { proverChildren: 16, clientChildren: 2, supers: 1, minGain: 0 };
  return { ...limits, validators: subnets, subnets, duties, branching };
}
const roundsOf = (strategy: LeanStrategy, sizes: LeanSizes, slot = 0) => {
  const { roundsToFull, merges, copies } = runRounds({ sizes, strategy, slot });
  return [roundsToFull, merges, copies];
};

describe('the table of windows', () => {
  it.each([
    [4, [2, 8, 3]],
    [8, [3, 24, 7]],
    [16, [4, 64, 16]],
  ])('windows, C = %i: log2 C rounds', (subnets, row) => expect(roundsOf('window', sizesOf(subnets))).toEqual(row));

  it.each([
    [4, ['2 to 2', '3 to 3', '0 to 0']],
    [8, ['4 to 4', '8 to 8', '0 to 0']],
    [16, ['5 to 5', '16 to 18', '0 to 2']],
  ])('the flag, C = %i: rounds, merges and copies, over all possible slots of the first round', (subnets, spans) => {
    const rows = Array.from({ length: subnets }, (_, slot) => roundsOf('window-skip', sizesOf(subnets), slot));
    const columns = [0, 1, 2].map((column) => rows.map((row) => row[column]!));
    expect(columns.map((column) => `${Math.min(...column)} to ${Math.max(...column)}`)).toEqual(spans);
  });

  it("the flag, C = 16, even duty subnets, d and d+1 in each leaf: 7 or 8 rounds by the first slot's parity", () => {
    const duties = [0, 2, 4, 6, 8, 10, 12, 14];
    const sizes = sizesOf(16, duties);
    const leaves = duties.map((duty) => setOf(16, [duty, duty + 1]));
    for (let slot = 0; slot < 16; slot++) {
      const { roundsToFull, merges, rounds } = runRounds({ sizes, strategy: 'window-skip', leaves, slot });
      const idle = rounds.filter(({ merges }) => merges === 0).length;
      expect([roundsToFull, merges, idle]).toEqual(slot % 2 === 0 ? [7, 8, 3] : [8, 8, 4]);
    }
    expect(runRounds({ sizes, strategy: 'window', leaves }).roundsToFull).toBe(3);
  });

  it('the flag, C = 16, even duty subnets alone in their leaves: no proofs are ever merged', () => {
    for (let slot = 0; slot < 16; slot++)
      expect(roundsOf('window-skip', sizesOf(16, [0, 2, 4, 6, 8, 10, 12, 14]), slot)).toEqual([undefined, 0, 0]);
  });
});

describe('closed forms', () => {
  const powers = fc.integer({ min: 1, max: 5 }).map((power) => 2 ** power);
  const slots = fc.nat(1000);

  it('levels take log2 S rounds: A log2 S merges in Handel, S - 1 with owners and in a tree', () => {
    fc.assert(
      fc.property(powers, slots, (subnets, slot) => {
        const levels = Math.log2(subnets);
        expect(roundsOf('halving', sizesOf(subnets), slot).slice(0, 2)).toEqual([levels, subnets * levels]);
        expect(roundsOf('halving-owners', sizesOf(subnets), slot)).toEqual([levels, subnets - 1, 0]);
        expect(roundsOf('tree', sizesOf(subnets), slot)).toEqual([levels, subnets - 1, 0]);
      }),
      { numRuns: 20 },
    );
  });

  it('pairs without levels take S - 1 rounds of A merges each, of which S - 1 are useful; ceil(2 S / 3) - 1 to 2/3', () => {
    for (let subnets = 1; subnets <= 16; subnets++) {
      const run = runRounds({ sizes: sizesOf(subnets), strategy: 'greedy' });
      expect([run.roundsToFull, run.merges]).toEqual([subnets - 1, subnets * (subnets - 1)]);
      expect(run.merges - run.copies).toBe(subnets - 1);
      expect(run.roundsToTwoThirds).toBe(Math.ceil((2 * subnets) / 3) - 1);
    }
  });

  it.each(['super', 'spec'] as const)('%s: one job of up to 16 children: a round, a merge', (strategy) => {
    for (let subnets = 2; subnets <= 16; subnets++) expect(roundsOf(strategy, sizesOf(subnets))).toEqual([1, 1, 0]);
  });

  it('f silent first owners of one half cost f turns, and no merge', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 1, max: 3 }), slots, (power, f, slot) => {
        const subnets = 2 ** power;
        const sizes = sizesOf(subnets, evenDuties(subnets, 4));
        const half = { level: power, index: 0 };
        const silent = ownersOf(half, positionsOfHalf(sizes, half), slot).slice(0, f);
        const run = runRounds({ sizes, strategy: 'halving-owners', slot, silent });
        expect(run.roundsToFull).toBeGreaterThanOrEqual(power + f);
        expect(run.roundsToFull).toBeLessThanOrEqual(power + f * power);
        expect([run.merges, run.copies]).toEqual([subnets - 1, 0]);
      }),
      { numRuns: 10 },
    );
  });

  it.each([[5], [6, 7]])(
    'a tree with silent aggregators %j merges all votes of the others after a wait',
    (...silent) => {
      expect(runRounds({ sizes: sizesOf(8), strategy: 'tree', silent }).roundsToFull).toBeGreaterThan(3);
    },
  );

  it('S = 16, seconds: pairs 7.5, levels 2.0; branching 2 and 4 tie without delay, 4 wins with any', () => {
    // A round takes 0.25 s per child of its largest merge, plus the delay until all nodes have verified the proofs.
    const seconds = (strategy: LeanStrategy, branching: number, delay: number) =>
      runRounds({ sizes: sizesOf(16, evenDuties(16, 1), branching), strategy }).rounds.reduce(
        (sum, { children }) => sum + children * 0.25 + delay,
        0,
      );
    expect(seconds('greedy', 2, 0)).toBeCloseTo(7.5);
    expect([2, 4, 16].map((branching) => seconds('halving-owners', branching, 0))).toEqual([2, 2, 4]);
    const delayed = [2, 4, 16].map((branching) => seconds('halving-owners', branching, 0.23));
    expect(delayed).toEqual([2.92, 2.46, 4.23].map((one) => expect.closeTo(one)));
  });
});
