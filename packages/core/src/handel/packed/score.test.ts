import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StateBench } from '../../../test/handel.ts';
import { CountingScheme } from '../../contribution/countingScheme.ts';
import { Tree } from '../../overlay/tree.ts';
import { Stakes } from '../../stakes/stakes.ts';
import {
  aggregateScore,
  entryScore,
  individualScore,
  isHeavier,
  isUseful,
  stakeWeightOf,
  stakeWeightOfSigner,
} from './score.ts';

// Node 0 of 16; its level 4 peers are 8 to 15.
const level = 4;

describe('aggregateScore', () => {
  it("v1.03 3.3: is the contribution's weight if In_l is empty", () => {
    const bench = new StateBench();
    expect(aggregateScore(bench.state, level, bench.of(level, [8, 9, 10]))).toBe(3);
  });

  it('v1.03 3.3: is the weight of both if aggregatable with In_l', () => {
    const bench = new StateBench();
    bench.setIn(level, [8, 9]);
    expect(aggregateScore(bench.state, level, bench.of(level, [10, 11, 15]))).toBe(5);
  });

  it('v1.03 3.3: is its own weight if not aggregatable and without verified individual contributions', () => {
    const bench = new StateBench();
    bench.setIn(level, [8, 9]);
    expect(aggregateScore(bench.state, level, bench.of(level, [9, 10, 11, 12]))).toBe(4);
    expect(aggregateScore(bench.state, level, bench.of(level, [9]))).toBe(1);
  });

  it('v1.03 3.3: is its weight united with the verified individual contributions that it lacks, if not aggregatable', () => {
    const bench = new StateBench();
    bench.setIn(level, [8, 9, 14]);
    bench.addVerified(level, 8, 9, 14);
    expect(aggregateScore(bench.state, level, bench.of(level, [9, 10, 11]))).toBe(3 + 2);
    expect(aggregateScore(bench.state, level, bench.of(level, [8, 9, 14]))).toBe(3);
  });

  it('does not count the verified individual contributions twice if the pair is aggregatable', () => {
    const bench = new StateBench();
    bench.setIn(level, [8, 9]);
    bench.addVerified(level, 8, 9);
    expect(aggregateScore(bench.state, level, bench.of(level, [10]))).toBe(3);
  });

  it('counts only verified contributions of its own level', () => {
    const bench = new StateBench();
    bench.setIn(level, [8]);
    bench.setIn(3, [4]);
    bench.addVerified(3, 4);
    expect(aggregateScore(bench.state, level, bench.of(level, [8, 9]))).toBe(2);
  });

  it('equals the formula of the paper for any sets', () => {
    const part = fc.uniqueArray(fc.integer({ min: 8, max: 15 }), { minLength: 1 });
    fc.assert(
      fc.property(part, part, fc.nat(), (inside, offered, seed) => {
        const bench = new StateBench();
        // Every individually verified contribution is in In_l.
        const verified = inside.filter((_, index) => (seed >>> index) & 1);
        bench.setIn(level, inside);
        bench.addVerified(level, ...verified);
        const overlaps = offered.some((id) => inside.includes(id));
        const united = new Set([...offered, ...(overlaps ? verified : inside)]);
        expect(aggregateScore(bench.state, level, bench.of(level, offered))).toBe(united.size);
      }),
    );
  });
});

describe('isUseful', () => {
  it('is true if the score exceeds the weight of In_l, for any sets', () => {
    const part = fc.uniqueArray(fc.integer({ min: 8, max: 15 }), { minLength: 1 });
    fc.assert(
      fc.property(part, part, fc.nat(255), (inside, offered, seed) => {
        const bench = new StateBench();
        bench.setIn(level, inside);
        bench.addVerified(level, ...inside.filter((_, index) => (seed >>> index) & 1));
        const contribution = bench.of(level, offered);
        const score = aggregateScore(bench.state, level, contribution);
        expect(isUseful(bench.state, level, contribution)).toBe(score > inside.length);
      }),
    );
  });
});

describe('individualScore', () => {
  it('adds one to In_l, or nothing if In_l contains it', () => {
    const bench = new StateBench();
    expect(individualScore(bench.state, level, 8)).toBe(1);
    bench.setIn(level, [8, 9]);
    expect(individualScore(bench.state, level, 10)).toBe(3);
    expect(individualScore(bench.state, level, 9)).toBe(2);
  });
});

describe('entryScore', () => {
  it('is the higher of the two scores of an entry', () => {
    const bench = new StateBench();
    bench.setIn(level, [8, 9]);
    bench.queue(level, 10, { aggregate: bench.of(level, [9, 10]), individual: bench.individual(10) });
    bench.queue(level, 11, { aggregate: bench.of(level, [11, 12, 13]), individual: bench.individual(11) });
    bench.queue(level, 12, { individual: bench.individual(12) });
    bench.queue(level, 13, { aggregate: bench.of(level, [8]) });
    const { pending } = bench.state;
    const scores = [];
    for (let entry = pending.head(level); entry !== -1; entry = pending.next(entry)) {
      scores.push(entryScore(bench.state, level, entry));
    }
    expect(scores).toEqual([3, 5, 3, 1]);
  });
});

const tree = new Tree(4);
const contributions = (scheme: CountingScheme) => {
  const [a, b, c] = [0, 1, 2].map((id) => scheme.individual(id)) as [number, number, number];
  return { c, both: scheme.aggregate(tree.ownBlock(0, 2), a, b) };
};

it('counts signers if all have the same weight', () => {
  const scheme = new CountingScheme(tree);
  const { c, both } = contributions(scheme);
  expect([stakeWeightOf(scheme, c), stakeWeightOf(scheme, both), stakeWeightOfSigner(scheme, 2)]).toEqual([1, 2, 1]);
  expect([isHeavier(scheme, both, c), isHeavier(scheme, c, both)]).toEqual([true, false]);
});

it('sums the weights of signers if they differ: one may outweigh two', () => {
  const stakes = new Stakes(tree, [1n, 1n, 100n, 1n]);
  const scheme = new CountingScheme(tree, stakes);
  const { c, both } = contributions(scheme);
  expect([stakeWeightOf(scheme, c), stakeWeightOf(scheme, both)]).toEqual([
    stakes.score(2),
    stakes.score(0) + stakes.score(1),
  ]);
  expect(stakeWeightOfSigner(scheme, 2)).toBe(stakes.score(2));
  expect([isHeavier(scheme, both, c), isHeavier(scheme, c, both)]).toEqual([false, true]);
});
