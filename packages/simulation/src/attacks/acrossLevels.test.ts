import { describe, expect, it } from 'vitest';
import { sampled } from '../../../../tests/sampled.ts';
import { attacked, expectAllReached } from '../../test/attacked.ts';
import { simulate } from '../run/simulation.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';
import { acrossLevels } from './acrossLevels.ts';
import { choosesIds } from './attacks.ts';
import { worstFinds } from './worstFinds.ts';

const under = (share: number, change: Partial<Scenario> = {}, plan?: string): Scenario => ({
  ...defaultScenario,
  nodes: 256,
  attacks: [{ name: acrossLevels.name, share, ...(plan === undefined ? {} : { plan }) }],
  ...change,
});

describe('v1.03 4.1 (4): an attack that differs between levels', () => {
  it('attacks each level as configured', () => {
    const nothing = simulate(under(0.3, {}, '-'));
    expect(nothing.digest).toBe(simulate(under(0.3, { attacks: [{ name: 'silent', share: 0.3 }] })).digest);
    const once = simulate(under(0.3, {}, '-/1invalid@0'));
    // A level gets an invalid contribution only if it has a Byzantine peer. The top level and half of the lowest levels
    // get none.
    expect(once.checkedInvalid.max).toBeLessThanOrEqual(7);
    expect(once.checkedInvalid.mean).toBeGreaterThan(4);
    expect(simulate(under(0.3, {}, 'light@0')).checkedInvalid.max).toBe(0);
  });

  it('also precedes the queued contributions if a level is empty', () => {
    const invalid = (nodes: number) => simulate(under(0.3, { nodes }, 'invalid@ahead')).checkedInvalid.mean;
    // With 300 nodes, some nodes have an empty level. With 256 nodes, none has.
    expect(invalid(300)).toBeGreaterThan(0.8 * invalid(256));
  });

  it.each([
    [0.3, 1.5, 2],
    [0.45, 2, 3],
  ])(
    '4.3: with %f of the nodes, the worst known attack delays honest nodes at most %f times as much as silence without back-off, and the last one %f times',
    (share, most, maxLast) => {
      const silent = simulate(under(share, { attacks: [{ name: 'silent', share }], backOff: false }));
      for (const plan of sampled([undefined, ...worstFinds.map((find) => find.plan)], 2)) {
        const result = simulate(under(share, {}, plan));
        expectAllReached(result);
        // The claim only concerns attacks whose ids are drawn by seed.
        if (choosesIds(acrossLevels.name, plan)) continue;
        expect(result.timeToThresholdMs.mean / silent.timeToThresholdMs.mean, plan).toBeLessThanOrEqual(most);
        expect(result.timeToThresholdMs.max / silent.timeToThresholdMs.max, plan).toBeLessThanOrEqual(maxLast);
      }
    },
  );

  it('3.6: unless levels are selected by rank under attack, invalid contributions on levels without honest ones are verified first', () => {
    const plan = 'invalid@always';
    const invalid = (without: Scenario['without']) =>
      attacked('across-levels', { nodes: 256, without, attacks: [{ name: 'across-levels', share: 0.3, plan }] })
        .checkedInvalid.mean;
    expect(invalid(['rank-between-levels'])).toBeGreaterThan(1.05 * invalid([]));
  });
});
