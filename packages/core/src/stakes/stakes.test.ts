import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contributionOf, wordsOf } from '../../test/sets.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { Tree } from '../overlay/tree.ts';
import { minWeight, Quorum, Stakes, weightLimit } from './stakes.ts';
import { WeightedPriorities } from './weightedPriorities.ts';

/** Weights of all magnitudes, with a sum less than 2^63, and a subset of the members. */
const someSigners = fc.integer({ min: 1, max: 70 }).chain((nodes) =>
  fc.record({
    weights: fc.array(
      fc.bigInt({ min: 0n, max: 56n }).chain((bits) => fc.bigInt({ min: 1n, max: 2n ** bits })),
      { minLength: nodes, maxLength: nodes },
    ),
    signers: fc.uniqueArray(fc.nat({ max: nodes - 1 })),
  }),
);

describe('stakes', () => {
  it.each([2n ** 53n - 1n, 2n ** 53n + 1n, weightLimit - 1n])('reach exactly the share of a total of %s', (total) => {
    const tree = new Tree(3);
    const min = minWeight(total, 67n, 100n);
    const stakes = new Stakes(tree, [min - 1n, 1n, total - min]);
    const quorum = new Quorum([{ stakes, min }]);
    expect(quorum.isMet(wordsOf(tree, 1, [0, 1]))).toBe(true);
    expect(quorum.isMet(wordsOf(tree, 1, [0]))).toBe(false);
    expect(min * 100n >= 67n * total && (min - 1n) * 100n < 67n * total).toBe(true);
  });

  it('sum exactly, and stop early only if the quorum cannot be reached', () => {
    fc.assert(
      fc.property(someSigners, fc.double({ min: 0, max: 1, noNaN: true }), ({ weights, signers }, share) => {
        const tree = new Tree(weights.length);
        const stakes = new Stakes(tree, weights);
        const sum = signers.reduce((all, id) => all + weights[id]!, 0n);
        const words = wordsOf(tree, 1, signers);
        expect(stakes.sum(words)).toBe(sum);
        const min = minWeight(stakes.total, BigInt(Math.max(1, Math.round(share * 1e6))), 1_000_000n);
        const quorum = new Quorum([{ stakes, min }]);
        expect(quorum.isMet(words)).toBe(sum >= min);
        const score = stakes.scoreOfSet(words, 0);
        if (sum >= min) expect(quorum.mayBeMet(stakes, score, signers.length)).toBe(true);
        expect(stakes.blockScore(1)).toBeLessThanOrEqual(2 ** 30);
      }),
    );
  });

  it('request the weight of every vector', () => {
    const tree = new Tree(2);
    const first = new Stakes(tree, [9n, 1n]);
    const second = new Stakes(tree, [1n, 9n]);
    const quorum = new Quorum([
      { stakes: first, min: 9n },
      { stakes: second, min: 2n },
    ]);
    expect(quorum.isMet(wordsOf(tree, 1, [0]))).toBe(false);
    expect(quorum.isMet(wordsOf(tree, 1, [0, 1]))).toBe(true);
  });

  it('refuse weights that are not positive, sum to 2^63, or belong to other nodes', () => {
    const tree = new Tree(2);
    expect(() => new Stakes(tree, [1n, 0n])).toThrow('weights[1]: expected a positive integer, got 0');
    expect(() => new Stakes(tree, [weightLimit - 1n, 1n])).toThrow('weights: expected a sum under 2^63');
    expect(() => new Stakes(tree, [1n])).toThrow('weights: expected one for each of 2 nodes, got 1');
    const stakes = new Stakes(tree, [1n, 2n]);
    expect(() => new Quorum([{ stakes, min: 4n }])).toThrow('requirements[0].min: expected 1 to the total of 3');
    for (const min of [undefined, 2])
      expect(() => new Quorum([{ stakes, min: min as never }])).toThrow('requirements[0].min: expected a bigint');
    expect(() => new Quorum([{ min: 1n } as never])).toThrow('requirements[0].stakes: expected an object');
  });

  it('weigh created, decoded and united contributions by their signers', () => {
    fc.assert(
      fc.property(someSigners, ({ weights, signers }) => {
        const tree = new Tree(weights.length);
        const stakes = new Stakes(tree, weights);
        const scheme = new CountingScheme(tree, stakes);
        const all = contributionOf(scheme, 1, signers);
        const score = signers.reduce((sum, id) => sum + stakes.score(id), 0);
        expect(scheme.stake(all)).toBe(score);
        if (signers.length === 0) return;
        const bytes = new Uint8Array(scheme.encodedBytes(all));
        scheme.encode(all, bytes, 0);
        const decoded = scheme.decode(1, bytes, 0);
        expect(decoded.ok && scheme.stake(decoded.contribution)).toBe(score);
      }),
    );
  });
});

describe('priorities by weight', () => {
  const tree = new Tree(200);
  // One member has half of the total weight. The other 199 members share the other half.
  const weights = Array.from({ length: 200 }, (_, id) => (id === 17 ? 199n : 1n));
  const stakes = new Stakes(tree, weights);
  const priorities = new WeightedPriorities(tree, stakes, 5);

  it('rank each sender once and contact each peer once', () => {
    const ranks = Array.from({ length: 200 }, (_, sender) => priorities.rank(3, sender));
    expect([...ranks].sort((a, b) => a - b)).toEqual([...ranks.keys()]);
    const block = tree.peerBlock(3, 5);
    const places = Array.from({ length: priorities.places(block) }, (_, place) => priorities.contact(3, block, place));
    const start = tree.start(block);
    expect(places.sort((a, b) => a - b)).toEqual(Array.from({ length: tree.size(block) }, (_, at) => start + at));
  });

  it('give half of the first places to a node with half of the weight', () => {
    let first = 0;
    for (let receiver = 0; receiver < 200; receiver++) if (priorities.rank(receiver, 17) === 0) first++;
    // The expected number of first places is 100, with a standard deviation of 7.
    expect(first).toBeGreaterThan(65);
    expect(first).toBeLessThan(135);
  });

  it('differ for another seed', () => {
    const other = new WeightedPriorities(tree, stakes, Int32Array.of(5, 1, 2, 3, 4, 5, 6, 7));
    const differing = [...Array(200).keys()].filter((sender) => other.rank(3, sender) !== priorities.rank(3, sender));
    expect(differing.length).toBeGreaterThan(150);
  });
});
