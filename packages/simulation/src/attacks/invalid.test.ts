import { describe, expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { attacked, expectAllReached, meanOver } from '../../test/attacked.ts';
import { LineKind } from '../recording/recording.ts';
import { createSimulation, simulate } from '../run/simulation.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';

/** Returns the number of invalid contributions that each node verified, per sender. */
function invalidChecks(change: Partial<Scenario>, giveUpAfterMs: number): number[] {
  const scenario: Scenario = { ...defaultScenario, nodes: 64, attacks: [{ name: 'invalid', share: 0.3 }], ...change };
  const simulation = createSimulation(scenario, { record: { sends: false }, giveUpAfterMs });
  while (simulation.advance(100_000));
  const { kind: kinds, node: nodes, peer: peers, value: values } = simulation.recording();
  const counts = new Map<number, number>();
  for (const [line, kind] of kinds.entries()) {
    if (kind !== LineKind.check || values[line]! >= 0) continue;
    const pair = nodes[line]! * 64 + peers[line]!;
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return [...counts.values()];
}

describe('v1.03 4.1 (2): invalid contributions in front of honest ones', () => {
  it('4.3: N = 1024 on AWS with 30 % of them: all honest nodes reach the threshold, in at most 1.5 times the time with 30 % silent', () => {
    const silent = simulate({ ...defaultScenario, attacks: [{ name: 'silent', share: 0.3 }] });
    const invalid = simulate({ ...defaultScenario, attacks: [{ name: 'invalid', share: 0.3 }] });
    expectAllReached(invalid);
    expect(invalid.checkedInvalid.mean).toBeGreaterThan(20);
    expect(invalid.timeToThresholdMs.mean).toBeLessThan(1.5 * silent.timeToThresholdMs.mean);
  });

  it('3.3: without a window, which selects the highest score first, they cost much more', () => {
    expect(() => attacked('invalid', { without: ['window'] })).toThrow(/^window: /);
    const seeds = isWhole ? [1, 2, 3] : [1];
    const checkedInvalid = (without: Scenario['without']): number =>
      meanOver(
        seeds,
        (seed) => attacked('invalid', { nodes: 128, seed, without }, { checkers: false }).checkedInvalid.mean,
      );
    expect(checkedInvalid(['window'])).toBeGreaterThan(2 * checkedInvalid([]));
  });

  it('3.5.3: one node verifies no two of one sender', () => {
    const counts = invalidChecks({}, 60_000);
    expect(counts.length).toBeGreaterThan(100);
    expect(Math.max(...counts)).toBe(1);
  });

  it('3.5.3: without a blacklist the same sender repeats the attack, and nodes never finish', () => {
    expect(() => attacked('invalid', { without: ['blacklist'] })).toThrow(/^blacklist: /);
    expect(Math.max(...invalidChecks({ without: ['blacklist'] }, 2000))).toBeGreaterThan(20);
    const { reached, live } = attacked('invalid', { without: ['blacklist'] }, { checkers: false, giveUpAfterMs: 5000 });
    expect(reached).toBeLessThan(live);
  });
});
