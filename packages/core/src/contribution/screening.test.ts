import { describe, expect, it } from 'vitest';
import { contributionOf, forgeryOf } from '../../test/sets.ts';
import { sizes, upTo } from '../../test/sizes.ts';
import { peerSet, Tree } from '../overlay/tree.ts';
import { MessageFlag, noContribution } from '../protocol.ts';
import { CountingScheme } from './countingScheme.ts';
import { headRefusal, screen } from './screening.ts';

// Node 0 of 16; the node's level 4 peers are 8 to 15.
const level = 4;

describe('screen', () => {
  const scheme = new CountingScheme(new Tree(16));
  const of = (...signers: number[]) => contributionOf(scheme, scheme.tree.peerBlock(0, level), signers);
  const individual = (id: number) => scheme.individual(id);
  const aggregate = of(9);
  const from = (sender: number, onLevel = level, flags = 0) =>
    screen(scheme, 0, sender, onLevel, aggregate, noContribution, flags);
  const contents = (whole: number, own: number = noContribution) => screen(scheme, 0, 9, level, whole, own, 0);

  it('accepts the messages of an honest peer', () => {
    for (const flags of [0, MessageFlag.levelReceived])
      for (const own of [noContribution, individual(9)])
        expect(screen(scheme, 0, 9, level, of(8, 9), own, flags)).toBeUndefined();
    expect(screen(scheme, 0, 1, 1, individual(1), noContribution, 0)).toBeUndefined();
  });

  it.each<[code: string, refusals: unknown[]]>([
    ['sender-out-of-range', [-1, 16, 2 ** 31, Number.NaN].map((sender) => from(sender))],
    ['level-out-of-range', [-1, 0, 5, 31, Number.NaN].map((wrong) => from(9, wrong))],
    ['sender-not-in-peer-set', [0, 1, 2, 7].map((sender) => from(sender))],
    ['unknown-flags', [4, 8, 0x80, -1, 2 ** 30].map((flags) => from(9, level, flags))],
    ['empty-set', [contents(noContribution), contents(forgeryOf(scheme, scheme.tree.peerBlock(0, level), []))]],
    [
      'wrong-span',
      [1, scheme.tree.peerBlock(0, 3), scheme.tree.leaf(9), scheme.tree.peerBlock(0, 4) * 2].map((one) =>
        contents(one),
      ),
    ],
    ['not-individual', [individual(8), individual(0), of(9), 1].map((other) => contents(of(8, 9), other))],
  ])('refuses with %s', (code, refusals) => expect(new Set(refusals)).toEqual(new Set([code])));
});

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
