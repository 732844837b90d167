import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StateBench } from '../../../test/handel.ts';
import { NodeBench } from '../../../test/nodeBench.ts';
import { signersOf, UnionScheme } from '../../../test/sets.ts';
import { anySize, upTo } from '../../../test/sizes.ts';
import { peerSet, Tree } from '../../overlay/tree.ts';
import { noContribution } from '../../protocol.ts';
import { minWeight, Quorum, Stakes } from '../../stakes/stakes.ts';
import { forgetOuts, improveIn, outOf } from './aggregation.ts';
import { aggregateScore, isUseful } from './score.ts';

const level = 4;
const sorted = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

describe('improveIn', () => {
  it('v1.03 3.3: aggregates aggregatable contributions with In_l', () => {
    const bench = new StateBench();
    expect(improveIn(bench.state, level, bench.of(level, [8, 9]))).toBe('grown');
    expect(improveIn(bench.state, level, bench.of(level, [12]))).toBe('grown');
    expect(bench.in(level)).toEqual([8, 9, 12]);
    expect(bench.state.levels.inWeight(level)).toBe(3);
  });

  it('v1.03 3.3: accepts an individual contribution, which is over the sender only', () => {
    const bench = new StateBench();
    expect(improveIn(bench.state, level, bench.individual(11))).toBe('grown');
    expect(bench.in(level)).toEqual([11]);
    expect(bench.scheme.block(bench.state.levels.in(level))).toBe(bench.scheme.tree.peerBlock(0, level));
  });

  it('v1.03 3.3: replaces In_l by a heavier contribution united with the verified individual contributions that it lacks', () => {
    const bench = new StateBench();
    bench.setIn(level, [8, 9, 14]);
    bench.addVerified(level, 8, 14);
    expect(improveIn(bench.state, level, bench.of(level, [9, 10, 11]))).toBe('replaced');
    expect(bench.in(level)).toEqual([8, 9, 10, 11, 14]);
  });

  it('leaves In_l unchanged if the contribution would not make it heavier', () => {
    const bench = new StateBench();
    bench.setIn(level, [8, 9, 14]);
    bench.addVerified(level, 8);
    for (const signers of [[8], [9, 10], [14, 15], [8, 9, 14], [8, 9, 10]]) {
      expect(improveIn(bench.state, level, bench.of(level, signers))).toBe('none');
      expect(bench.in(level)).toEqual([8, 9, 14]);
    }
  });

  it('unites overlapping contributions if the scheme reports their added weight, and ignores those without any', () => {
    const bench = new StateBench({ Scheme: UnionScheme });
    bench.setIn(level, [8, 9, 10, 11, 12, 13]);
    const overlapping = bench.of(level, [12, 13, 14]);
    expect(aggregateScore(bench.state, level, overlapping)).toBe(7);
    expect(isUseful(bench.state, level, overlapping)).toBe(true);
    expect(improveIn(bench.state, level, overlapping)).toBe('grown');
    expect(bench.in(level)).toEqual([8, 9, 10, 11, 12, 13, 14]);
    for (const signers of [[8], [8, 9, 14]]) {
      expect(isUseful(bench.state, level, bench.of(level, signers))).toBe(false);
      expect(improveIn(bench.state, level, bench.of(level, signers))).toBe('none');
    }
    expect(bench.state.levels.inWeight(level)).toBe(7);
  });

  it('v1.03 2.4: never makes In_l lighter, keeps its verified contributions, and reaches the weight of the score', () => {
    const part = fc.uniqueArray(fc.integer({ min: 16, max: 31 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (contributions) => {
        const bench = new StateBench({ nodes: 32 });
        const verified = new Set<number>();
        for (const signers of contributions) {
          const before = bench.state.levels.inWeight(5);
          const contribution = bench.of(5, signers);
          const score = aggregateScore(bench.state, 5, contribution);
          const improvement = improveIn(bench.state, 5, contribution);
          bench.scheme.release(contribution);
          expect(bench.state.levels.inWeight(5)).toBe(improvement === 'none' ? before : score);
          expect(bench.in(5).length).toBe(Math.max(before, score));
          expect(bench.in(5)).toEqual(expect.arrayContaining([...verified]));
          if (signers.length === 1 && improvement !== 'none') {
            verified.add(signers[0]!);
            bench.addVerified(5, signers[0]!);
          }
        }
        // Only In_l is still held.
        bench.scheme.release(bench.state.levels.in(5));
        expect(bench.scheme.held).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});

describe('outOf', () => {
  it('v1.03 3.4: Out_1 is In_0', () => {
    const bench = new StateBench({ id: 5, nodes: 8 });
    expect(outOf(bench.state, 1)).toBe(bench.individual(5));
  });

  it('v1.03 3.4: Out_l is the aggregate of In_0, In_1, ..., In_(l-1), for any N and whatever they contain', () => {
    fc.assert(
      fc.property(anySize, fc.nat(), fc.nat(), (nodes, any, seed) => {
        const id = any % nodes;
        const bench = new StateBench({ nodes, id });
        const { levels } = bench.state;
        const below = [id];
        for (let at = 1; at <= levels.count + 1; at++) {
          const out = outOf(bench.state, at);
          expect(signersOf(bench.scheme, out)).toEqual(sorted(below));
          expect(bench.scheme.block(out)).toBe(bench.scheme.tree.ownBlock(id, at));
          expect(outOf(bench.state, at), 'assembled once').toBe(out);
          if (at > levels.count) break;
          const { start, end } = peerSet(id, at, nodes);
          const signers = upTo(end - start)
            .map((index) => start + index)
            .filter((peer) => (seed >>> (peer % 31)) & 1);
          if (signers.length > 0) bench.setIn(at, signers);
          below.push(...signers);
        }
      }),
    );
  });

  it('v1.03 6: is equal for all levels of a tier, of its own and all levels of lower tiers, with any branching factor', () => {
    fc.assert(
      fc.property(
        anySize,
        fc.constantFrom(4 as const, 8 as const),
        fc.nat(),
        fc.nat(),
        (nodes, branching, any, seed) => {
          const id = any % nodes;
          const bench = new StateBench({ nodes, id, branching });
          const { tree } = bench.scheme;
          const held: number[][] = [[id]];
          for (let at = 1; at <= tree.levels + 1; at++) {
            const out = outOf(bench.state, at);
            expect(out, 'one a tier').toBe(outOf(bench.state, tree.firstOfTier(at)));
            expect(signersOf(bench.scheme, out)).toEqual(sorted(held.slice(0, tree.firstOfTier(at)).flat()));
            expect(bench.scheme.block(out)).toBe(tree.ownBlock(id, at));
            if (at > tree.levels) break;
            const { start, end } = peerSet(id, at, nodes, 'spread', branching);
            const signers = upTo(end - start)
              .map((index) => start + index)
              .filter((peer) => (seed >>> (peer % 31)) & 1);
            if (signers.length > 0) bench.setIn(at, signers);
            held.push(signers);
          }
          forgetOuts(bench.state, 0);
          for (let at = 1; at <= tree.levels; at++) bench.scheme.release(bench.state.levels.in(at));
          expect(bench.scheme.held, 'what was assembled on the way is let go of').toBe(0);
        },
      ),
    );
  });

  it('v1.03 3.4: follows a change of In_l on all levels above, after the old values are removed', () => {
    const bench = new StateBench();
    bench.setIn(1, [1]);
    bench.setIn(3, [4]);
    for (let at = 1; at <= 5; at++) outOf(bench.state, at);
    bench.setIn(2, [2, 3]);
    forgetOuts(bench.state, 2);
    expect(upTo(5).map((index) => signersOf(bench.scheme, outOf(bench.state, index + 1)))).toEqual([
      [0],
      [0, 1],
      [0, 1, 2, 3],
      [0, 1, 2, 3, 4],
      [0, 1, 2, 3, 4],
    ]);
    forgetOuts(bench.state, 0);
    for (let at = 1; at <= 4; at++) bench.scheme.release(bench.state.levels.in(at));
    expect(bench.scheme.held).toBe(0);
    expect(bench.state.levels.out(5)).toBe(noContribution);
  });
});

/** Weights of very different sizes: 1, 2^56, or a value from 1 to 10,000. */
const weightsOf = (nodes: number) =>
  fc.array(fc.oneof(fc.constant(1n), fc.constant(2n ** 56n), fc.bigInt({ min: 1n, max: 10_000n })), {
    minLength: nodes,
    maxLength: nodes,
  });

const others = (nodes: number): number[] => Array.from({ length: nodes - 1 }, (_, index) => index + 1);

const anyOrder = (nodes: number) => fc.shuffledSubarray(others(nodes), { minLength: nodes - 1, maxLength: nodes - 1 });

const situations = fc.integer({ min: 2, max: 17 }).chain((nodes) =>
  fc.record({
    nodes: fc.constant(nodes),
    vectors: fc.array(weightsOf(nodes), { minLength: 1, maxLength: 3 }),
    percent: fc.bigInt({ min: 1n, max: 100n }),
    bad: fc.uniqueArray(fc.integer({ min: 1, max: nodes - 1 })),
    order: anyOrder(nodes),
  }),
);

type Situation = typeof situations extends fc.Arbitrary<infer T> ? T : never;

/**
 * Delivers every node's individual signature to node 0 in the given order, some of them invalid. @returns the faults of
 * its outputs.
 */
function faultsOf({ nodes, vectors, percent, bad, order }: Situation): string[] {
  const tree = new Tree(nodes);
  const quorum = new Quorum(
    vectors.map((weights) => {
      const stakes = new Stakes(tree, weights);
      return { stakes, least: minWeight(stakes.total, percent, 100n) };
    }),
  );
  const bench = new NodeBench({ nodes, quorum, config: { threshold: 1 } });
  const isEnough = (signers: readonly number[]): boolean =>
    vectors.every((weights) => {
      const sum = (ids: readonly number[]) => ids.reduce((all, id) => all + weights[id]!, 0n);
      return sum(signers) * 100n >= percent * sum(weights.map((_, id) => id));
    });
  const valid = [0];
  const broken: string[] = [];
  const look = (step: string): void => {
    const output = bench.port.outputs.at(-1);
    if (isEnough(valid) !== (output !== undefined)) broken.push(`${step}: ${valid} valid, the output is ${output}`);
    if (output !== undefined && !isEnough(output)) broken.push(`${step}: an output of ${output}`);
    if (output?.some((id) => bad.includes(id))) broken.push(`${step}: a bad one in ${output}`);
  };
  bench.node.start();
  look('start');
  for (const from of order) {
    bench.receive(from, 32 - Math.clz32(tree.leaf(0) ^ tree.leaf(from)), [from], { forged: bad.includes(from) });
    bench.verifyAll();
    if (!bad.includes(from)) valid.push(from);
    look(`after ${from}`);
  }
  return broken;
}

it('is complete with the last valid signature that the quorum needs, after any number of invalid ones', () => {
  fc.assert(
    fc.property(situations, (situation) => {
      expect(faultsOf(situation)).toEqual([]);
    }),
  );
});

it('is complete if an invalid light contribution crosses the quorum first: 7000 are sufficient without it', () => {
  const situation = { nodes: 6, vectors: [[3000n, 999n, 1500n, 1000n, 800n, 700n]], percent: 84n, bad: [1] };
  fc.assert(
    fc.property(anyOrder(6), (order) => {
      expect(faultsOf({ ...situation, order })).toEqual([]);
    }),
  );
});
