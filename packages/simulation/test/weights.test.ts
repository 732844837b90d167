import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulate } from '../src/run/simulation.ts';
import { defaultScenario, type Scenario } from '../src/scenario/scenario.ts';

const small: Scenario = { ...defaultScenario, nodes: 64, threshold: 0.67, network: 'constant:20' };

describe('a run with different weights', () => {
  it('equals the run without weights event by event if all weights are equal', () => {
    for (const given of [small, { ...small, attacks: [{ name: 'invalid', share: 0.2 }] }]) {
      const counted = simulate(given, { checkers: true });
      const weighed = simulate({ ...given, weights: `${given.nodes}x7` }, { checkers: true });
      expect(weighed.digest).toBe(counted.digest);
      expect(weighed.timeToThresholdMs).toEqual(counted.timeToThresholdMs);
    }
  });

  it("satisfies the paper's claims for all weights, faults and Byzantine nodes", () => {
    const attack = fc.record({
      name: fc.constantFrom('silent', 'invalid', 'worthless', 'censor', 'across-levels'),
      share: fc.constantFrom(0.1, 0.3),
    });
    const scenarios = fc.record({
      nodes: fc.integer({ min: 2, max: 48 }),
      seed: fc.nat({ max: 1000 }),
      weights: fc.constantFrom('pareto:0.4', 'pareto:1.2', 'giant', 'clusters'),
      prioritiesBy: fc.constantFrom('weight' as const, 'id' as const),
      attackBy: fc.constantFrom('nodes' as const, 'weight' as const, 'heaviest' as const, 'lightest' as const),
      attacks: fc.array(attack, { maxLength: 2 }),
      threshold: fc.constantFrom(0.34, 0.67, 1),
      batch: fc.constantFrom(1, 4),
    });
    fc.assert(
      fc.property(scenarios, ({ weights, nodes, ...rest }) => {
        const half = nodes >> 1;
        const lists = new Map([
          ['giant', `${nodes - 1}x1,${2 ** 40}`],
          ['clusters', `${nodes - half}x1,${half}x1000`],
        ]);
        const scenario = { ...small, ...rest, nodes, weights: lists.get(weights) ?? weights };
        const result = simulate(scenario, { checkers: true });
        expect(result.reached).toBe(result.live);
        const { required, total, signed } = result.stake!;
        expect(signed.min).toBeGreaterThanOrEqual(Number(required) / Number(total) - 1e-9);
      }),
      { numRuns: 40 },
    );
  });

  it('does not wait for light nodes if one node has sufficient weight alone', () => {
    const alone = simulate({ ...small, weights: '63x1,10000' }, { checkers: true });
    expect(alone.signers.min).toBeLessThanOrEqual(4);
    expect(alone.timeToThresholdMs.min).toBe(0);
    // If the heaviest node is Byzantine, the other nodes reach their share of the live nodes' weight.
    const without = simulate({
      ...small,
      weights: '63x1,30',
      attackBy: 'heaviest',
      attacks: [{ name: 'invalid', share: 0.33 }],
    });
    expect([without.live, without.reached, without.stake!.live]).toEqual([63, 63, '63']);
  });

  it('costs less with many light nodes if priorities are by weight instead of by id', () => {
    const dust: Scenario = {
      ...small,
      nodes: 256,
      weights: '232x1,24x60',
      attackBy: 'lightest',
      attacks: [{ name: 'invalid', share: 0.14 }],
    };
    const byWeight = simulate(dust);
    const byId = simulate({ ...dust, prioritiesBy: 'id' });
    expect([byWeight.live, byId.live, byWeight.reached]).toEqual([24, 24, 24]);
    expect(byWeight.checked.mean).toBeLessThan(0.7 * byId.checked.mean);
  });
});
