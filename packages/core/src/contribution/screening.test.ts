import { describe, expect, it } from 'vitest';
import { StateBench } from '../../test/handel.ts';
import { sizes, upTo } from '../../test/sizes.ts';
import { peerSet, Tree } from '../overlay/tree.ts';
import { MessageFlag, noContribution } from '../protocol.ts';
import { headRefusal, screen } from './screening.ts';

// Node 0 of 16; its level 4 peers are 8 to 15.
const level = 4;

describe('screen', () => {
  it('accepts the messages of an honest peer', () => {
    const bench = new StateBench();
    for (const individual of [noContribution, bench.individual(9)]) {
      for (const flags of [0, MessageFlag.levelReceived]) {
        expect(
          screen(bench.scheme, bench.state.id, 9, level, bench.of(level, [8, 9]), individual, flags),
        ).toBeUndefined();
      }
    }
    expect(screen(bench.scheme, bench.state.id, 1, 1, bench.individual(1), noContribution, 0)).toBeUndefined();
  });

  it('refuses an unknown sender', () => {
    const bench = new StateBench();
    for (const from of [-1, 16, 2 ** 31, Number.NaN]) {
      expect(screen(bench.scheme, bench.state.id, from, level, bench.of(level, [9]), noContribution, 0)).toBe(
        'sender-out-of-range',
      );
    }
  });

  it('refuses an unknown level', () => {
    const bench = new StateBench();
    for (const wrong of [-1, 0, 5, 31, Number.NaN]) {
      expect(screen(bench.scheme, bench.state.id, 9, wrong, bench.of(level, [9]), noContribution, 0)).toBe(
        'level-out-of-range',
      );
    }
  });

  it('refuses a level on which the node has no peers', () => {
    const bench = new StateBench({ nodes: 5, id: 4 });
    expect(screen(bench.scheme, bench.state.id, 3, 1, bench.individual(3), noContribution, 0)).toBe('level-empty');
  });

  it('refuses a sender of another level, and the node itself', () => {
    const bench = new StateBench();
    for (const from of [0, 1, 2, 7]) {
      expect(screen(bench.scheme, bench.state.id, from, level, bench.of(level, [9]), noContribution, 0)).toBe(
        'sender-not-in-peer-set',
      );
    }
  });

  it("refuses a contribution over other ids than the level's peers", () => {
    const bench = new StateBench();
    const { tree } = bench.scheme;
    for (const block of [1, tree.peerBlock(0, 3), tree.leaf(9), tree.peerBlock(0, 4) * 2]) {
      expect(screen(bench.scheme, bench.state.id, 9, level, block, noContribution, 0)).toBe('wrong-span');
    }
  });

  it('refuses an absent and an empty contribution', () => {
    const bench = new StateBench();
    expect(screen(bench.scheme, bench.state.id, 9, level, noContribution, noContribution, 0)).toBe('empty-set');
    const empty = bench.forged(level, []);
    expect(screen(bench.scheme, bench.state.id, 9, level, empty, noContribution, 0)).toBe('empty-set');
  });

  it("refuses an individual contribution that is not the sender's", () => {
    const bench = new StateBench();
    const aggregate = bench.of(level, [8, 9]);
    for (const other of [bench.individual(8), bench.individual(0), bench.of(level, [9]), 1]) {
      expect(screen(bench.scheme, bench.state.id, 9, level, aggregate, other, 0)).toBe('not-individual');
    }
  });

  it('refuses undefined flags', () => {
    const bench = new StateBench();
    for (const flags of [4, 8, 0x80, -1, 2 ** 30]) {
      expect(screen(bench.scheme, bench.state.id, 9, level, bench.of(level, [9]), noContribution, flags)).toBe(
        'unknown-flags',
      );
    }
  });
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

it('attack: refuses levels outside of the tree and undefined flags', () => {
  const tree = new Tree(16);
  for (const level of [0, 5, -1, 255, Number.NaN]) expect(headRefusal(tree, 0, 1, level, 0)).toBe('level-out-of-range');
  for (const flags of [4, 64, 255]) expect(headRefusal(tree, 0, 1, 1, flags)).toBe('unknown-flags');
});
