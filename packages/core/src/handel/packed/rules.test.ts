import { describe, expect, it } from 'vitest';
import { NodeBench } from '../../../test/nodeBench.ts';
import { signersOf } from '../../../test/sets.ts';
import { nextWindowSize } from '../config.ts';
import type { HandelRules } from '../options.ts';

/** Starts node 0 of 16, which is verifying a contribution on level 1. Its level 4 peers are 8 to 15. */
function busy(rules: HandelRules): NodeBench {
  const bench = new NodeBench({ rules });
  bench.node.start();
  bench.receive(1, 1, [1]);
  return bench;
}

describe('a selection rule of a variant', () => {
  it('decides the next verification, between levels and within a level', () => {
    const bench = busy({
      select: (node) => [4, 3, 2, 1].map((level) => node.queued(level).at(-1)).find((entry) => entry !== undefined),
    });
    bench.receive(2, 2, [2, 3]);
    bench.receive(9, 4, [9]);
    bench.receive(8, 4, [8, 9, 10]);
    bench.verifyOne();
    expect(bench.checking).toMatchObject({ level: 4, peer: 9, signers: [9] });
    bench.verifyOne();
    expect(bench.checking).toMatchObject({ level: 4, peer: 8, signers: [8, 9, 10] });
  });

  it('v1.03 3.5.3: receives the entries that can improve In_l, best ranked first, and no others', () => {
    const seen: unknown[] = [];
    const bench = busy({
      select(node) {
        seen.push([1, 2, 3, 4].map((level) => node.queued(level)));
        return node.queued(4)[0] ?? node.queued(1)[0];
      },
    });
    bench.receive(10, 4, [10, 11]);
    bench.receive(8, 4, [8, 9, 12]);
    seen.length = 0;
    bench.verifyOne();
    const first = { level: 4, sender: 8, rank: 8, score: 3 };
    const second = { level: 4, sender: 10, rank: 10, score: 2 };
    expect(seen).toEqual([[[], [], [], [first, second]]]);
    bench.receive(9, 4, [9, 12], { individual: false });
    bench.verifyOne();
    // In_4 is {8, 9, 12}. The aggregate of 9 cannot improve In_4.
    expect(seen.at(-1)).toEqual([[], [], [], [{ ...second, score: 5 }]]);
  });

  it.each([
    { level: 1, sender: 5 },
    { level: 4, sender: 1 },
    { level: 0, sender: 1 },
    { level: 1.5, sender: 1 },
    { level: 99, sender: 1 },
  ])('is refused if it selects an entry that is not queued: %j', (choice) => {
    const bench = new NodeBench({ rules: { select: () => choice } });
    bench.node.start();
    expect(() => bench.receive(1, 1, [1])).toThrow(
      `rules.select: expected a queued entry that can improve In_l, got "sender ${choice.sender} of level ${choice.level}"`,
    );
  });

  it("receives the same state as the paper's rules", () => {
    const seen: unknown[] = [];
    const bench = busy({
      select(node) {
        seen.push([node.id, node.levels, node.size(4), node.window(4), node.windowLimits.initial, node.inWeight(1)]);
        seen.push([signersOf(node.scheme, node.in(1)), node.verified(1), node.bestInWindow(4)]);
        seen.push(node.score(4, node.scheme.tree.peerBlock(0, 4)), node.priorities.rank(0, 3));
        return node.bestInWindow(1) ?? node.bestInWindow(4);
      },
    });
    bench.receive(10, 4, [10, 11]);
    bench.receive(8, 4, [8]);
    seen.length = 0;
    bench.verifyOne();
    expect(seen).toEqual([[0, 4, 8, 16, 16, 1], [[1], [], { level: 4, sender: 10, rank: 10, score: 2 }], 8, 3]);
  });
});

describe('a score of a variant', () => {
  it('orders aggregates, and prunes those with at most the weight of In_l', () => {
    // In this variant, fewer signers give a better score, and an aggregate with four signers is useless.
    const score: HandelRules['score'] = (node, level, aggregate) =>
      node.inWeight(level) + 4 - node.scheme.weight(aggregate);
    const bench = busy({ score });
    bench.receive(8, 4, [8, 9, 10], { individual: false });
    bench.receive(9, 4, [9, 10], { individual: false });
    bench.receive(10, 4, [10, 11, 12, 13], { individual: false });
    bench.verifyOne();
    expect(bench.checking).toMatchObject({ peer: 9 });
    bench.verifyOne();
    expect(bench.checking).toMatchObject({ peer: 8 });
    bench.verifyOne();
    expect(bench.checking).toBeUndefined();
  });

  it('v1.03 3.3: does not make In_l lighter', () => {
    const bench = busy({ score: () => 100 });
    bench.receive(8, 4, [8, 9, 10], { individual: false });
    bench.verifyOne();
    bench.receive(9, 4, [9, 10], { individual: false });
    bench.verifyOne();
    bench.verifyOne();
    expect(bench.in(4)).toEqual([8, 9, 10]);
  });

  it.each([-1, 0.5, 2 ** 31, Number.NaN])('is refused unless it is an integer of 31 bits: %d', (score) => {
    const bench = busy({ score: () => score });
    expect(() => bench.receive(8, 4, [8, 9])).toThrow(
      `rules.score: expected an integer from 0 to 2^31 - 1, got ${score}`,
    );
  });
});

it('a window of a variant receives size, verdict and limits, and returns the size', () => {
  const asked: unknown[] = [];
  const bench = busy({
    window(size, isValid, limits) {
      asked.push([size, isValid]);
      return isValid ? size + 1 : nextWindowSize(size, isValid, limits);
    },
  });
  bench.verifyOne();
  bench.receive(8, 4, [8, 9], { forged: true });
  bench.verifyOne();
  expect(asked).toEqual([
    [16, true],
    [16, false],
  ]);
});

it.each([0, 1.5, Number.POSITIVE_INFINITY])('the window of a variant is an integer from 1, and not %d', (size) => {
  expect(() => busy({ window: () => size }).verifyOne()).toThrow(
    `rules.window: expected an integer from 1 to 2^31 - 1, got ${size}`,
  );
});
