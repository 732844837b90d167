import fc from 'fast-check';
import { expect, it } from 'vitest';
import { StateBench } from '../../../test/handel.ts';
import { NodeBench } from '../../../test/nodeBench.ts';
import { UnionScheme } from '../../../test/sets.ts';
import { upTo } from '../../../test/sizes.ts';
import { Tree } from '../../overlay/tree.ts';
import { minWeight, Quorum, Stakes } from '../../stakes/stakes.ts';
import { improveIn } from './aggregation.ts';
import { aggregateScore, isUseful } from './score.ts';

const level = 4;
it('improveIn unites overlapping contributions if the scheme reports their added weight, and ignores those without any', () => {
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

/** Weights of very different sizes: 1, 2^56, or a value from 1 to 10,000. */
const weightsOf = (nodes: number) =>
  fc.array(fc.oneof(fc.constant(1n), fc.constant(2n ** 56n), fc.bigInt({ min: 1n, max: 10_000n })), {
    minLength: nodes,
    maxLength: nodes,
  });

/** The nodes other than node 0, in any order. */
const anyOrder = (nodes: number) => {
  const all = { minLength: nodes - 1, maxLength: nodes - 1 };
  return fc.shuffledSubarray(upTo(nodes).slice(1), all);
};

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

/** Delivers all individual signatures in this order to node 0. @returns the faults in its outputs. */
function faultsOf({ nodes, vectors, percent, bad, order }: Situation): string[] {
  const tree = new Tree(nodes);
  const quorum = new Quorum(
    vectors.map((weights) => {
      const stakes = new Stakes(tree, weights);
      return { stakes, min: minWeight(stakes.total, percent, 100n) };
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
