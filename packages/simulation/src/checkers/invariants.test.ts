import {
  type Contribution,
  CountingScheme,
  defaultHandelConfig,
  HandelNode,
  noContribution,
  ShiftedPriorities,
  Tree,
} from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { rankedById } from '../../../core/test/priorities.ts';
import { RecordingPort } from '../../../core/test/recordingPort.ts';
import { contributionOf, wordsOf } from '../../../core/test/sets.ts';
import { type ShownEntry, type ShownLevel, shownNode } from '../../../core/test/shownNode.ts';
import { sizes, upTo } from '../../../core/test/sizes.ts';
import { simulate } from '../run/simulation.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { createWorld } from '../world/world.ts';
import { brokenIntegrity, LoadChecker, loadFactor, MemoryChecker, maxKeptInts } from './invariants.ts';

const tree = new Tree(16);

describe('MemoryChecker', () => {
  const broken = (shown: ShownLevel) => new MemoryChecker(tree).broken(shownNode(shown).inspector);
  const [eight, nine] = [8, 9].map((sender) => ({ sender, individual: tree.leaf(sender) })) as [ShownEntry, ShownEntry];
  const most = maxKeptInts(16);

  it('accepts one queued entry and one individual contribution per peer, and tables of the maximum size', () => {
    const queued = upTo(8).map((index) => ({ sender: 8 + index }));
    const others = queued.map(({ sender }) => ({ sender, individual: tree.leaf(sender) }));
    expect(broken({ queued, dormant: others, keptInts: most })).toBeUndefined();
    expect(broken({ queued, verified: others })).toBeUndefined();
  });

  it.each<readonly [what: string, shown: ShownLevel]>([
    ['level 4: expected one queued entry from sender 8, got two', { queued: [{ sender: 8 }, nine, { sender: 8 }] }],
    ['one individual contribution from sender 8', { queued: [eight, nine], dormant: [eight] }],
    ['one individual contribution from sender 8', { dormant: [eight, nine], verified: [eight] }],
    ['one individual contribution from sender 8', { verified: [eight, nine, eight] }],
    ["the level's peers, got an entry from 7", { queued: [{ sender: 7 }] }],
    [`at most ${most} stored integers`, { keptInts: most + 1 }],
  ])('v1.03 3.5.2: detects a violation: %s, %j', (what, shown) => expect(broken(shown)).toContain(what));
});

it.each(sizes)('maxKeptInts holds for a node of %i with the most messages, within a factor of 4', (nodes) => {
  const scheme = new CountingScheme(new Tree(nodes));
  const priorities = new ShiftedPriorities(nodes, 1);
  const config = { ...defaultHandelConfig, threshold: nodes };
  const node = new HandelNode({
    id: 0,
    config,
    scheme,
    priorities,
    own: scheme.individual(0),
    port: new RecordingPort(scheme),
  });
  const checker = new MemoryChecker(scheme.tree);
  for (let round = 0; round < 3; round++) {
    for (let level = 1; level <= scheme.tree.levels; level++) {
      const block = scheme.tree.peerBlock(0, level);
      const [first, size] = [scheme.tree.start(block), scheme.tree.size(block)];
      const claimed = upTo(round + 1).map((step) => first + (step % size));
      for (let sender = first; sender < first + size; sender++) {
        const forged = scheme.forge(block, wordsOf(scheme.tree, block, claimed));
        node.onMessage(sender, level, forged, scheme.individual(sender), 0);
        expect(checker.broken(node.inspector)).toBeUndefined();
      }
    }
  }
  expect(node.inspector.keptInts * 4).toBeGreaterThan(maxKeptInts(nodes));
});

/** 48 nodes. Node 40 is dead, node 41 is Byzantine, and node 42 starts at 5 ms. */
const scheme = new CountingScheme(new Tree(48));
const world = {
  ...createWorld({ ...defaultScenario, nodes: 48 }, rankedById(48)),
  present: Uint8Array.from(upTo(48), (id) => Number(id !== 40)),
  attack: Int8Array.from(upTo(48), (id) => (id === 41 ? 0 : -1)),
  startUs: Int32Array.from(upTo(48), (id) => (id === 40 ? -1 : id === 42 || id === 41 ? 5000 : 0)),
};
const all = 1;
const of = (ids: number[], block = all) => contributionOf(scheme, block, ids);
const broken = (contribution: Contribution, weight: number, nowUs = 0) =>
  brokenIntegrity(scheme, world, { contribution, block: all, weight }, nowUs);

describe('brokenIntegrity', () => {
  it('is undefined for a consistent set, in which a Byzantine signer need not have started', () => {
    expect(broken(of([0, 31, 32, 41, 47]), 5)).toBeUndefined();
  });

  it('v1.03 4.3: names a weight that differs from the set, which may count a signer twice', () => {
    expect(broken(of([0, 1]), 3)).toBe('expected each signer to be counted once, got 2 signers for a weight of 3');
    const counted = scheme.aggregate(all, of([0, 1, 2]), of([1, 2, 3]));
    for (const weight of [4, 6]) expect(broken(counted, weight)).toContain('got 4 signers for a weight of 6');
  });

  it.each([
    [of([0, 40]), 9000, 'only signers that had contributed, got signer 40'],
    [of([0, 42]), 4999, 'only signers that had contributed, got signer 42'],
    [of([0, 42]), 5000, undefined],
    [of([0, 1], 2), 0, 'a set over block 1, got one over 2'],
    [noContribution, 0, 'a set over block 1, got none'],
  ])('v1.03 4.3: names a dead or late signer, or another block: set %i at %i µs', (set, nowUs, what) => {
    expect(broken(set, 2, nowUs)).toBe(what && `expected ${what}`);
  });
});

/** Returns the result for eight nodes, of which node 7 is Byzantine, after the given numbers of messages. */
const brokenAfter = (...sent: readonly (readonly [from: number, to: number, times: number])[]) => {
  const drawn = createWorld({ ...defaultScenario, nodes: 8 }, rankedById(8));
  const alive = Uint8Array.from(upTo(8), (id) => Number(id !== 7));
  const checker = new LoadChecker({ ...drawn, alive, live: 7, attack: Int8Array.from(alive, (is) => -is) });
  for (const [from, to, times] of sent) for (let left = times; left > 0; left--) checker.onMessage(from, to, 0);
  return checker.broken();
};
const toSix = upTo(6).map((id) => [6, id, 1] as const);

it('LoadChecker accepts a node that receives five times the mean, and names one that receives more', () => {
  // Six of the 7 honest nodes receive 1 message each, so the limit is 5 (6 + 15) / 7 = 15, or 5 (6 + 16) / 7 = 15.7.
  expect(brokenAfter(...toSix, [0, 6, 15])).toBeUndefined();
  expect(brokenAfter(...toSix, [0, 6, 16])).toEqual({ node: 6, what: 'expected at most 16 messages received, got 16' });
});

it('LoadChecker counts only messages from honest nodes to honest nodes', () => {
  expect(brokenAfter(...toSix, [0, 6, 1], [7, 0, 1000], [0, 7, 1000])).toBeUndefined();
});

describe('the claim on load', () => {
  // Seed 567 of the swarm: eleven nodes sent messages to the twelfth node, which starts one second late.
  it('does not count messages that arrive before the start of a node', () => {
    const faults = [{ kind: 'skew', nodes: { share: 0.1 }, byMs: -1009 }] as const;
    const late = { ...defaultScenario, nodes: 12, network: 'constant:10', seed: 567, faults };
    expect(simulate(late, { checkers: true, until: 'fairness' }).ended).toBe('reached');
  });

  it.each([63, 64, 65, 72])('holds with %i nodes and all checkers', (nodes) => {
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
    const packed = { ...defaultScenario, nodes: 1025, tree: 'packed' } as const;
    const { ended, messagesReceived } = simulate(packed, { checkers: true });
    expect(ended).toBe('reached');
    expect(messagesReceived.max).toBeGreaterThan(loadFactor * messagesReceived.mean);
  });
});
