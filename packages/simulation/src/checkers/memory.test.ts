import { CountingScheme, defaultHandelConfig, HandelNode, type Port, ShiftedPriorities, Tree } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../core/test/sets.ts';
import { shownNode } from '../../../core/test/shownNode.ts';
import { sizes, upTo } from '../../../core/test/sizes.ts';
import { MemoryChecker, maxKeptInts } from './memory.ts';

const tree = new Tree(16);
const [one, other] = [tree.leaf(8), tree.leaf(9)];

describe('MemoryChecker', () => {
  it('accepts one queued entry and one individual contribution per peer', () => {
    const checker = new MemoryChecker(tree);
    const queued = upTo(8).map((index) => ({ sender: 8 + index }));
    const dormant = queued.map(({ sender }) => ({ sender, individual: tree.leaf(sender) }));
    expect(checker.broken(shownNode({ queued, dormant }))).toBeUndefined();
    expect(checker.broken(shownNode({ queued, verified: dormant }))).toBeUndefined();
  });

  it('v1.03 3.5.2: detects a second queued entry of a sender', () => {
    const queued = [{ sender: 8 }, { sender: 9 }, { sender: 8 }];
    const broken = new MemoryChecker(tree).broken(shownNode({ queued }));
    expect(broken).toBe('level 4: expected one queued entry from sender 8, got another');
  });

  it("v1.03 3.5.2: detects a second copy of a sender's individual contribution, in any lists", () => {
    const entries = [
      { sender: 8, individual: one },
      { sender: 9, individual: other },
    ];
    const [first] = entries;
    for (const shown of [
      { queued: entries, dormant: [first!] },
      { dormant: entries, verified: [first!] },
      { verified: [...entries, first!] },
    ]) {
      expect(new MemoryChecker(tree).broken(shownNode(shown))).toContain('one individual contribution from sender 8');
    }
  });

  it('detects an entry of a node that is not a peer of the level', () => {
    expect(new MemoryChecker(tree).broken(shownNode({ queued: [{ sender: 7 }] }))).toContain(
      "the level's peers, got an entry from 7",
    );
  });

  it('detects tables above their maximum size', () => {
    const most = maxKeptInts(16);
    expect(new MemoryChecker(tree).broken(shownNode({ keptInts: most }))).toBeUndefined();
    expect(new MemoryChecker(tree).broken(shownNode({ keptInts: most + 1 }))).toContain(
      `at most ${most} stored integers`,
    );
  });
});

describe('maxKeptInts', () => {
  it('is the size of the smallest tables plus, per peer, twice two entries of six and four slots', () => {
    expect([1, 2, 16].map(maxKeptInts)).toEqual([48, 48 + 28, 48 + 15 * 28]);
  });

  const deaf: Port = {
    nowUs: () => 0,
    send() {},
    setTimer() {},
    verify: () => 1,
    output() {},
    refuse() {},
    trace() {},
  };

  it.each(sizes)(
    'holds for a node among %i whose peers all send the maximum, and is under four times the actual size',
    (nodes) => {
      const scheme = new CountingScheme(new Tree(nodes));
      const priorities = new ShiftedPriorities(nodes, 1);
      const config = { ...defaultHandelConfig, threshold: nodes };
      const node = new HandelNode({ id: 0, config, scheme, priorities, own: scheme.individual(0), port: deaf });
      const checker = new MemoryChecker(scheme.tree);
      for (let round = 0; round < 3; round++) {
        for (let level = 1; level <= scheme.tree.levels; level++) {
          const block = scheme.tree.peerBlock(0, level);
          for (const sender of upTo(scheme.tree.size(block)).map((index) => scheme.tree.start(block) + index)) {
            const others = upTo(round + 1).map((step) => scheme.tree.start(block) + (step % scheme.tree.size(block)));
            const lie = scheme.forge(block, wordsOf(scheme.tree, block, others));
            node.onMessage(sender, level, lie, scheme.individual(sender), 0);
            expect(checker.broken(node)).toBeUndefined();
          }
        }
      }
      expect(node.keptInts() * 4).toBeGreaterThan(maxKeptInts(nodes));
    },
  );
});
