import { describe, expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { upTo } from '../../../core/test/sizes.ts';
import { simulate } from '../run/simulation.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { createWorld } from '../world/world.ts';
import { LoadChecker, loadFactor } from './load.ts';

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

  it('names the first node among equals', () => {
    const world = createWorld({ ...defaultScenario, nodes: 16 }, never);
    const checker = new LoadChecker(world);
    for (const to of [9, 4, 7, 4, 7, 9]) checker.onMessage(0, to, 0);
    expect(checker.broken()).toEqual({ node: 4, what: 'expected at most 2 messages received, got 2' });
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
