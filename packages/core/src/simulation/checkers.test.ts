import { describe, expect, it } from 'vitest';
import { contributionOf, forgeryOf } from '../../test/sets.ts';
import { upTo } from '../../test/sizes.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import type { HandelNode } from '../handel/node.ts';
import { Tree } from '../overlay/tree.ts';
import { type Contribution, NONE } from '../protocol.ts';
import { Checkers, CheckFailed } from './checkers.ts';
import { createNetwork } from './network.ts';

/** 16 nodes of which 15 is dead; an output needs 10. */
function make() {
  const scheme = new CountingScheme(new Tree(16));
  const checkers = new Checkers(scheme, {
    network: createNetwork('constant:1', 16, 1),
    alive: Uint8Array.from(upTo(16), (id) => (id === 15 ? 0 : 1)),
    live: 15,
    present: Uint8Array.from(upTo(16), (id) => (id === 15 ? 0 : 1)),
    attack: new Int8Array(16).fill(-1),
    threshold: 10,
    startUs: new Int32Array(16),
    cpuFactor: new Float32Array(16).fill(1),
  });
  const peers = scheme.tree.peerBlock(0, 4);
  return { scheme, checkers, peers, of: (ids: number[], block = peers) => contributionOf(scheme, block, ids) };
}

/** What the checkers look at of node 0, as a broken node could show it. */
function node(level4: Contribution, weight: number, pending = 0): HandelNode {
  const shown = {
    id: 0,
    inWeight: (level: number) => (level === 4 ? weight : 0),
    in: (level: number) => (level === 4 ? level4 : NONE),
    pendingOn: (level: number) => (level === 4 ? pending : 0),
  };
  return shown as unknown as HandelNode;
}

describe('Checkers', () => {
  it('pass a node that keeps its promises, and count that they looked', () => {
    const { checkers, of } = make();
    checkers.afterEvent(node(NONE, 0));
    checkers.afterEvent(node(of([8, 9]), 2, 16));
    checkers.afterEvent(node(of([8, 9, 10]), 3));
    checkers.onVerify(0);
    checkers.onVerified(0);
    checkers.onVerify(0);
    checkers.onOutput(0, of(upTo(10), 1));
    checkers.onOutput(0, of(upTo(11), 1));
    checkers.onOutput(1, of(upTo(10), 1));
    expect(checkers.checks).toBe(6);
  });

  it('fail when In_l gets lighter', () => {
    const { checkers, of } = make();
    checkers.afterEvent(node(of([8, 9, 10]), 3));
    expect(() => checkers.afterEvent(node(of([8, 9]), 2))).toThrow(CheckFailed);
  });

  it("fail when In_l is not over the level's peers, or is nothing", () => {
    const { checkers, of } = make();
    expect(() => checkers.afterEvent(node(of([8, 9], 1), 2))).toThrow('node 0: expected a set over its block');
    expect(() => make().checkers.afterEvent(node(NONE, 2))).toThrow(CheckFailed);
  });

  it('v1.03 4.3: fail when a signer is counted twice', () => {
    const { checkers, of } = make();
    expect(() => checkers.afterEvent(node(of([8, 9]), 3))).toThrow('node 0: expected no signer counted twice');
    const { scheme, checkers: others, peers, of: make2 } = make();
    // Aggregated though not disjoint: the weight says four, the set has three.
    const wrong = scheme.aggregate(peers, make2([8, 9]), make2([9, 10]));
    expect(() => others.afterEvent(node(wrong, 4))).toThrow('no signer counted twice');
  });

  it('v1.03 4.3: fail when somebody is in who never contributed', () => {
    const { checkers, of } = make();
    expect(() => checkers.afterEvent(node(of([8, 15]), 2))).toThrow('node 0: expected signer 15 contributed');
    expect(() => checkers.onOutput(0, of([...upTo(9), 15], 1))).toThrow(CheckFailed);
  });

  it('v1.03 3.5.2: fail when the lists of a level grow beyond their bound', () => {
    const { checkers } = make();
    expect(() => checkers.afterEvent(node(NONE, 0, 17))).toThrow('node 0: expected level 4: pending within its bound');
  });

  it('v1.03 6: fail when a node verifies two at a time', () => {
    const { checkers } = make();
    checkers.onVerify(3);
    checkers.onVerify(4);
    expect(() => checkers.onVerify(3)).toThrow('node 3: expected one verification at a time');
  });

  it('v1.03 2.4: fail for an output under the threshold', () => {
    const { checkers, of } = make();
    expect(() => checkers.onOutput(0, of(upTo(9), 1))).toThrow('output over the threshold');
  });

  it('v1.03 2.4: fail for an output that is not heavier than the last', () => {
    const { checkers, of } = make();
    checkers.onOutput(0, of(upTo(11), 1));
    expect(() => checkers.onOutput(0, of(upTo(11), 1))).toThrow('output heavier than the last');
    expect(() => checkers.onOutput(0, of(upTo(10), 1))).toThrow(CheckFailed);
  });

  it('v1.03 2.4: fail for an output that does not verify, or is not over all ids', () => {
    const { scheme, checkers, of } = make();
    expect(() => checkers.onOutput(0, forgeryOf(scheme, 1, upTo(12)))).toThrow('output verifies');
    const { scheme: small, checkers: low } = make();
    expect(() => low.onOutput(0, contributionOf(small, 2, upTo(8)))).toThrow(CheckFailed);
    expect(of([8]) > 0).toBe(true);
  });
});
