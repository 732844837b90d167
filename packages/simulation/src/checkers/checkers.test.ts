import { CountingScheme, noContribution, paperWindow, Tree, windowRanks } from '@tutti/core';
import { expect, it } from 'vitest';
import { rankedById } from '../../../core/test/priorities.ts';
import { contributionOf, forgeryOf } from '../../../core/test/sets.ts';
import { type ShownLevel, shownNode } from '../../../core/test/shownNode.ts';
import { upTo } from '../../../core/test/sizes.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { createWorld } from '../world/world.ts';
import { Checkers } from './checkers.ts';
import { CheckFailed } from './claims.ts';

/** Creates checkers for 16 nodes. Node 15 is dead, an output needs 10 signers, and the virtual time is 5 ms. */
function make() {
  const scheme = new CountingScheme(new Tree(16));
  const present = Uint8Array.from(upTo(16), (id) => Number(id !== 15));
  const drawn = createWorld({ ...defaultScenario, nodes: 16, threshold: 10 }, rankedById(16));
  const world = { ...drawn, present, alive: present };
  const [priorities, window] = [rankedById(16), windowRanks(paperWindow, 16, 16)];
  const checkers = new Checkers({ scheme, world, priorities, window, nowUs: () => 5000, growsRanks: true });
  const peers = scheme.tree.peerBlock(0, 4);
  return {
    scheme,
    checkers,
    of: (ids: number[], block = peers) => contributionOf(scheme, block, ids),
    /** Makes node 0 verify a sender's individual contribution on level 4. */
    verify: (sender: number, { valid = true, ...shown }: ShownLevel & { valid?: boolean } = {}) =>
      checkers.onVerify(0, shownNode(shown), [4], [sender], [scheme.individual(sender)], [valid]),
  };
}

function claimBrokenBy(act: () => void): string {
  try {
    act();
  } catch (error) {
    if (error instanceof CheckFailed) return error.claim;
    throw error;
  }
  return 'none';
}

it('Checkers accept a node that satisfies the claims', () => {
  const { checkers, of, verify } = make();
  checkers.afterEvent(shownNode({}));
  const queued = upTo(8).map((index) => ({ sender: 8 + index }));
  checkers.afterEvent(shownNode({ in: of([8, 9]), inWeight: 2, queued }));
  checkers.afterEvent(shownNode({ in: of([8, 9, 10]), inWeight: 3 }));
  verify(11);
  checkers.onVerified(0, [true]);
  verify(12);
  checkers.onOutput(0, of(upTo(10), 1));
  checkers.onOutput(0, of(upTo(11), 1));
  checkers.onOutput(1, of(upTo(10), 1));
});

it('Checkers report which claim was broken, where, when and how', () => {
  const { checkers, of } = make();
  const failed = new CheckFailed('outputs', 3, 5000, 'expected an output with at least 10 signers, got 9');
  expect(() => checkers.onOutput(3, of(upTo(9), 1))).toThrow(failed);
  expect(failed).toMatchObject({ claim: 'outputs', node: 3, atUs: 5000 });
  expect(`${failed}`).toBe('CheckFailed: outputs: node 3 at 5 ms: expected an output with at least 10 signers, got 9');
});

it('v1.03 3.3: Checkers fail when In_l becomes lighter', () => {
  const { checkers, of } = make();
  checkers.afterEvent(shownNode({ in: of([8, 9, 10]), inWeight: 3 }));
  expect(claimBrokenBy(() => checkers.afterEvent(shownNode({ in: of([8, 9]), inWeight: 2 })))).toBe('growth');
});

it('v1.03 4.3: Checkers fail when In_l differs from its stated content', () => {
  const { checkers, of } = make();
  expect(claimBrokenBy(() => checkers.afterEvent(shownNode({ in: of([8, 9]), inWeight: 3 })))).toBe('integrity');
});

it('v1.03 6: Checkers fail when a node verifies two contributions at a time', () => {
  const { checkers, verify } = make();
  verify(8);
  checkers.onVerify(1, undefined, [4], [8], [noContribution], [true]);
  expect(claimBrokenBy(() => verify(9))).toBe('isolation');
  expect(claimBrokenBy(() => checkers.onVerify(1, undefined, [4], [9], [noContribution], [true]))).toBe('isolation');
});

it('v1.03 3.5.3: Checkers fail when a contribution is verified that does not make In_l heavier', () => {
  const { of, verify } = make();
  expect(claimBrokenBy(() => verify(8, { in: of([8, 9]), inWeight: 2 }))).toBe('pruning');
});

it('v1.03 2.4: Checkers fail for an output under the threshold, or no heavier than the last', () => {
  const { checkers, of } = make();
  expect(claimBrokenBy(() => checkers.onOutput(0, of(upTo(9), 1)))).toBe('outputs');
  checkers.onOutput(0, of(upTo(11), 1));
  expect(claimBrokenBy(() => checkers.onOutput(0, of(upTo(11), 1)))).toBe('outputs');
  expect(() => checkers.onOutput(0, of(upTo(10), 1))).toThrow('expected an output heavier than 11, got 10');
});

it('v1.03 2.4: Checkers fail for an output that does not verify, or is not over all ids', () => {
  const { scheme, checkers, of } = make();
  expect(claimBrokenBy(() => checkers.onOutput(0, forgeryOf(scheme, 1, upTo(12))))).toBe('outputs');
  expect(claimBrokenBy(() => checkers.onOutput(1, of(upTo(8), 2)))).toBe('outputs');
  expect(claimBrokenBy(() => checkers.onOutput(2, of([...upTo(9), 15], 1)))).toBe('integrity');
});

it('Checkers expect nothing from before the restart of a node that lost its state', () => {
  const { checkers, of, verify } = make();
  checkers.afterEvent(shownNode({ in: of([8, 9, 10]), inWeight: 3 }));
  checkers.onOutput(0, of(upTo(11), 1));
  verify(9, { valid: false });
  checkers.forget(0);
  checkers.afterEvent(shownNode({ in: of([8, 9]), inWeight: 2 }));
  checkers.onOutput(0, of(upTo(10), 1));
  verify(9, { valid: false });
  expect(claimBrokenBy(() => verify(10))).toBe('isolation');
});
