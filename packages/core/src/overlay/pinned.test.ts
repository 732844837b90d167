import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf } from '../../../../tests/digests.ts';
import { headRefusal } from './headRefusal.ts';
import { IndependentPriorities } from './independentPriorities.ts';
import { ShiftedPriorities } from './shiftedPriorities.ts';
import { invert, shuffle, shuffleBy } from './shuffle.ts';
import { branchings, levelCount, peerSet, requireTree, Tree, treeForms } from './tree.ts';

const sizes = [1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 31, 32, 33];
const trees = sizes.flatMap((nodes) =>
  treeForms.flatMap((form) => branchings.map((branching) => new Tree(nodes, form, branching))),
);

it.each(branchings)('trees with a branching of %i: every level, block and peer set is what it was', (branching) => {
  const pins = trees
    .filter((tree) => tree.branching === branching)
    .map((tree) => {
      const { nodes, levels, height, form } = tree;
      const ids = Array.from({ length: nodes }, (_, id) => id);
      const each = Array.from({ length: levels + 2 }, (_, level) => level);
      const ofLevels = each.map((level) =>
        [tree.tier, tree.firstOfTier, tree.lastOfTier, tree.levelOrder].map((of) =>
          outcomeOf(() => of.call(tree, level)),
        ),
      );
      const ofIds = ids.map((id) =>
        each.map((level) => [tree.ownBlock(id, level), tree.peerBlock(id, level), tree.leaf(id)]),
      );
      const blocks = Array.from({ length: 2 << height }, (_, block) => block + 1).filter(
        (block) => block < 2 << height,
      );
      const ofBlocks = blocks.map((block) => [
        tree.order(block),
        tree.start(block),
        tree.size(block),
        ids.map((id) => tree.contains(block, id)),
      ]);
      const between = ids.map((id) =>
        ids.map((other) => outcomeOf(() => (id === other ? 0 : tree.levelBetween(id, other)))),
      );
      const sets = ids.flatMap((id) =>
        each.map((level) => outcomeOf(() => peerSet(nodes, id, level, form, branching as never))),
      );
      return digestOf([levels, height, levelCount(nodes, branching), ofLevels, ofIds, ofBlocks, between, sets]);
    });
  expect(pins).toMatchSnapshot();
});

it.each([ShiftedPriorities, IndependentPriorities])(
  '%o: ranks, places and contacts are what they were',
  (Priorities) => {
    const pins = [...sizes, 64, 100].map((nodes, seed) => {
      const priorities = new Priorities(nodes, seed);
      const tree = new Tree(nodes);
      const ids = Array.from({ length: nodes }, (_, id) => id);
      const ranks = ids.map((receiver) => ids.map((sender) => priorities.rank(receiver, sender)));
      const contacts = ids.flatMap((id) =>
        Array.from({ length: tree.levels }, (_, level) => tree.peerBlock(id, level + 1)).flatMap((block) => {
          if (tree.size(block) === 0) return [];
          return Array.from({ length: priorities.places(block) }, (_, place) => priorities.contact(id, block, place));
        }),
      );
      return digestOf([priorities.span, ranks, contacts]);
    });
    expect(pins).toMatchSnapshot();
  },
);

it('shuffles are what they were', () => {
  const pins = drawn(60, (draw, seed) => {
    const order = shuffle(draw.integer(0, 40), seed, draw.one(['placement', 'other']));
    return [order, invert(order), shuffleBy(draw.integer(0, 20), (bound) => draw.integer(0, bound - 1))];
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"8c8c6fdd8a25"`);
});

it('heads of messages are refused as they were', () => {
  const pins = trees.slice(0, 60).map((tree) => {
    const froms = Array.from({ length: tree.nodes + 2 }, (_, id) => id - 1);
    return froms.flatMap((from) =>
      [-1, 0, 1, 2, tree.levels, tree.levels + 1, 1.5].flatMap((level) =>
        [0, 1, 3, 4, 128].map((flags) => outcomeOf(() => headRefusal(tree, 0, from, level, flags))),
      ),
    );
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"457db59e7058"`);
});

it('what is no tree, size, seed or order is refused with the words it was', () => {
  const numbers = [-1, 0, 0.5, 1, 3, 2 ** 20, 2 ** 20 + 1, 2 ** 32, undefined, 'x'];
  const pins = [
    ...numbers.map((nodes) => outcomeOf(() => new Tree(nodes as never).levels)),
    ...numbers.map((branching) => outcomeOf(() => new Tree(4, 'spread', branching as never).levels)),
    ...numbers.map((form) => outcomeOf(() => new Tree(4, form as never).levels)),
    ...numbers.map((nodes) => outcomeOf(() => levelCount(nodes as never))),
    ...numbers.map((id) => outcomeOf(() => peerSet(4, id as never, 1))),
    ...numbers.map((level) => outcomeOf(() => peerSet(4, 1, level as never))),
    ...numbers.slice(0, 5).map((size) => outcomeOf(() => shuffle(size as never, 1).length)),
    ...numbers.map((seed) => outcomeOf(() => digestOf(shuffle(4, seed as never)))),
    ...[ShiftedPriorities, IndependentPriorities].flatMap((Priorities) =>
      numbers
        .filter((nodes) => nodes !== 2 ** 20)
        .map((nodes) => outcomeOf(() => new Priorities(nodes as never, 1).span)),
    ),
    ...[undefined, {}, new Tree(2)].map((value) => outcomeOf(() => requireTree('it', value))),
    ...[undefined, [], Int32Array.of(0, 0), Int32Array.of(1, 0)].map((order) =>
      outcomeOf(() => digestOf(invert(order as never))),
    ),
  ];
  expect(pins).toMatchSnapshot();
});
