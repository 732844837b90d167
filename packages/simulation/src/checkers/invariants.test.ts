import {
  type Contribution,
  CountingScheme,
  defaultHandelConfig,
  HandelNode,
  noContribution,
  type Port,
  ShiftedPriorities,
  Tree,
} from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { contributionOf, wordsOf } from '../../../core/test/sets.ts';
import { shownNode } from '../../../core/test/shownNode.ts';
import { sizes, upTo } from '../../../core/test/sizes.ts';
import { createNetwork } from '../engine/network/network.ts';
import { simulate } from '../run/simulation.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { createWorld } from '../world/world.ts';
import { brokenIntegrity, LoadChecker, loadFactor, MemoryChecker, maxKeptInts } from './invariants.ts';

const tree = new Tree(16);
const [one, other] = [tree.leaf(8), tree.leaf(9)];

describe('MemoryChecker', () => {
  it('accepts one queued entry and one individual contribution per peer', () => {
    const checker = new MemoryChecker(tree);
    const queued = upTo(8).map((index) => ({ sender: 8 + index }));
    const dormant = queued.map(({ sender }) => ({ sender, individual: tree.leaf(sender) }));
    expect(checker.broken(shownNode({ queued, dormant }).inspector)).toBeUndefined();
    expect(checker.broken(shownNode({ queued, verified: dormant }).inspector)).toBeUndefined();
  });

  it('v1.03 3.5.2: detects a second queued entry of a sender', () => {
    const queued = [{ sender: 8 }, { sender: 9 }, { sender: 8 }];
    const broken = new MemoryChecker(tree).broken(shownNode({ queued }).inspector);
    expect(broken).toBe('level 4: expected one queued entry from sender 8, got two');
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
      expect(new MemoryChecker(tree).broken(shownNode(shown).inspector)).toContain(
        'one individual contribution from sender 8',
      );
    }
  });

  it('detects an entry of a node that is not a peer of the level', () => {
    expect(new MemoryChecker(tree).broken(shownNode({ queued: [{ sender: 7 }] }).inspector)).toContain(
      "the level's peers, got an entry from 7",
    );
  });

  it('detects tables above their maximum size', () => {
    const most = maxKeptInts(16);
    expect(new MemoryChecker(tree).broken(shownNode({ keptInts: most }).inspector)).toBeUndefined();
    expect(new MemoryChecker(tree).broken(shownNode({ keptInts: most + 1 }).inspector)).toContain(
      `at most ${most} stored integers`,
    );
  });
});

describe('maxKeptInts', () => {
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
            expect(checker.broken(node.inspector)).toBeUndefined();
          }
        }
      }
      expect(node.inspector.keptInts * 4).toBeGreaterThan(maxKeptInts(nodes));
    },
  );
});

/** 48 nodes. Node 40 is dead, node 41 is Byzantine, and node 42 starts at 5 ms. */
const scheme = new CountingScheme(new Tree(48));
const world = {
  network: createNetwork('constant:1', 48, 1),
  alive: Uint8Array.from(upTo(48), (id) => (id === 40 || id === 41 ? 0 : 1)),
  live: 46,
  present: Uint8Array.from(upTo(48), (id) => (id === 40 ? 0 : 1)),
  attack: Int8Array.from(upTo(48), (id) => (id === 41 ? 0 : -1)),
  threshold: 10,
  attacks: [],
  faults: { all: [], byNode: new Map() },
  startUs: Int32Array.from(upTo(48), (id) => (id === 40 ? -1 : id === 42 || id === 41 ? 5000 : 0)),
  cpuFactor: new Float32Array(48).fill(1),
};
const all = 1;
const of = (ids: number[], block = all) => contributionOf(scheme, block, ids);
const broken = (contribution: Contribution, weight: number, nowUs = 0) =>
  brokenIntegrity(scheme, world, contribution, all, weight, nowUs);

describe('brokenIntegrity', () => {
  it('is undefined for a consistent set', () => {
    expect(broken(of([0, 31, 32, 47]), 4)).toBeUndefined();
  });

  it('v1.03 4.3: names a weight that differs from the set', () => {
    expect(broken(of([0, 1]), 3)).toBe('expected each signer to be counted once, got 2 signers for a weight of 3');
    const counted = scheme.aggregate(all, of([0, 1, 2]), of([1, 2, 3]));
    expect(broken(counted, 6), 'aggregated though not disjoint').toContain('got 4 signers for a weight of 6');
    expect(broken(counted, 4)).toContain('got 4 signers for a weight of 6');
  });

  it('v1.03 4.3: names a signer that is dead or has not started', () => {
    expect(broken(of([0, 40]), 2)).toBe('expected only signers that had contributed, got signer 40');
    expect(broken(of([0, 42]), 2, 4999)).toBe('expected only signers that had contributed, got signer 42');
    expect(broken(of([0, 42]), 2, 5000)).toBeUndefined();
  });

  it('names a set over other ids, or a missing set', () => {
    expect(broken(of([0, 1], 2), 2)).toBe('expected a set over block 1, got one over 2');
    expect(broken(noContribution, 0)).toBe('expected a set over block 1, got none');
  });
});

const never = { span: 8, rank: () => 0, places: () => 0, contact: () => -1 };

/**
 * Simulates eight nodes, one of them Byzantine, with the given numbers of messages, and returns the checker's result.
 */
function checkerAfter(
  sent: (honest: readonly number[], byzantine: number) => [from: number, to: number, times: number][],
) {
  const world = createWorld({ ...defaultScenario, nodes: 8, attacks: [{ name: 'silent', share: 0.125 }] }, never);
  const checker = new LoadChecker(world);
  const honest = upTo(8).filter((id) => world.attack[id] === -1);
  for (const [from, to, times] of sent(honest, world.attack.indexOf(0))) {
    for (let left = times; left > 0; left--) checker.onMessage(from, to, 0);
  }
  return { broken: checker.broken(), honest };
}

describe('LoadChecker', () => {
  it('accepts a node that receives five times the mean, and names one that receives more', () => {
    // Six of the 7 honest nodes receive 1 message each, so the limit is 5 (6 + 15) / 7 = 15, or 5 (6 + 16) / 7 = 15.7.
    const sent = (most: number) => (honest: readonly number[]) =>
      honest.map((to, at): [number, number, number] => [honest[at === 0 ? 1 : 0]!, to, at === 3 ? most : 1]);
    expect(checkerAfter(sent(15)).broken).toBeUndefined();
    const { broken, honest } = checkerAfter(sent(16));
    expect(broken).toEqual({ node: honest[3], what: 'expected at most 16 messages received, got 16' });
  });

  it('counts only messages from honest nodes to honest nodes', () => {
    const { broken } = checkerAfter((honest, byzantine) => [
      ...honest.map((to): [number, number, number] => [honest[0]!, to, 1]),
      [byzantine, honest[0]!, 1000],
      [honest[0]!, byzantine, 1000],
    ]);
    expect(broken).toBeUndefined();
  });
});

describe('the claim on load', () => {
  // Seed 567 of the swarm: eleven nodes sent messages to the twelfth node, which starts one second late.
  it('does not count messages that arrive before the start of a node', () => {
    const faults = [{ kind: 'skew', nodes: { share: 0.1 }, byMs: -1009 }] as const;
    const late = { ...defaultScenario, nodes: 12, network: 'constant:10', seed: 567, faults };
    expect(simulate(late, { checkers: true, until: 'fairness' }).ended).toBe('reached');
  });

  const [k, above] = [6, 2 ** 3];
  it.each([2 ** k - 1, 2 ** k, 2 ** k + 1, 2 ** k + above])('holds with %i nodes and all checkers', (nodes) => {
    for (const threshold of [0.99, 1]) {
      const run = simulate({ ...defaultScenario, nodes, threshold }, { checkers: true, until: 'fairness' });
      expect(run.ended).toBe('reached');
    }
  });

  it.each([1000, 1023, 1024, 1025, 1056, 4000].slice(isWhole ? 0 : 2, isWhole ? 6 : 4))(
    'holds with %i nodes, at a threshold of 100 %%',
    (nodes) => {
      const { ended, messagesReceived } = simulate({ ...defaultScenario, nodes, threshold: 1 });
      expect(ended).toBe('reached');
      expect(messagesReceived.max).toBeLessThan(loadFactor * messagesReceived.mean);
    },
  );

  it('holds for the spread tree only: in the packed tree, the one node past 1024 serves all others', () => {
    const { ended, messagesReceived } = simulate(
      { ...defaultScenario, nodes: 1025, tree: 'packed' },
      { checkers: true },
    );
    expect(ended).toBe('reached');
    expect(messagesReceived.max).toBeGreaterThan(loadFactor * messagesReceived.mean);
  });
});
