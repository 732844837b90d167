import { expect, it } from 'vitest';
import { sizes, upTo } from '../../test/sizes.ts';
import { MessageFlag } from '../protocol.ts';
import { headRefusal } from './headRefusal.ts';
import { peerSet, Tree } from './tree.ts';

it.each(sizes)('accepts exactly the peers of a level of %i nodes on it', (nodes) => {
  const tree = new Tree(nodes);
  const receiver = nodes >> 1;
  for (const level of upTo(tree.levels).map((below) => below + 1)) {
    const { start, end } = peerSet(receiver, level, nodes);
    for (const from of new Set([0, start - 1, start, end - 1, end, receiver, nodes - 1, nodes, -1])) {
      const refusal = headRefusal(tree, receiver, from, level, MessageFlag.levelReceived);
      if (start === end) expect(refusal).toBe('level-empty');
      else expect(refusal).toBe(from >= start && from < end ? undefined : 'sender-not-in-peer-set');
    }
  }
});

it('attack: refuses levels outside of the tree and undefined flags', () => {
  const tree = new Tree(16);
  for (const level of [0, 5, -1, 255, Number.NaN]) expect(headRefusal(tree, 0, 1, level, 0)).toBe('level-out-of-range');
  for (const flags of [4, 64, 255]) expect(headRefusal(tree, 0, 1, 1, flags)).toBe('unknown-flags');
});
