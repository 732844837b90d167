import { describe, expect, it } from 'vitest';
import { expectAllReached } from '../../test/attacked.ts';
import { simulate } from '../run/simulation.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { isolate, isolatePlan } from './isolate.ts';

describe('v1.0 4.3: ids chosen to isolate honest nodes', () => {
  it('delay all nodes, unlike the same number of nodes at random ids, and block none', () => {
    const [silent, drawn, alone] = ['silent', 'invalid', isolate.name].map((name) =>
      simulate({ ...defaultScenario, nodes: 512, attacks: [{ name, share: 0.3 }] }),
    );
    expectAllReached(alone!);
    expect(drawn!.timeToThresholdMs.mean).toBeLessThan(1.3 * silent!.timeToThresholdMs.mean);
    expect(alone!.timeToThresholdMs.mean).toBeGreaterThan(1.5 * silent!.timeToThresholdMs.mean);
  });

  it('equal the plan, and across-levels without a placement draws its ids', () => {
    const run = (plan: string) =>
      simulate({ ...defaultScenario, nodes: 128, attacks: [{ name: 'across-levels', share: 0.3, plan }] }).digest;
    expect(run(isolatePlan)).toBe(
      simulate({ ...defaultScenario, nodes: 128, attacks: [{ name: isolate.name, share: 0.3 }] }).digest,
    );
    const drawn = simulate({ ...defaultScenario, nodes: 128, attacks: [{ name: 'invalid', share: 0.3 }] }).digest;
    expect(run('invalid@ahead')).toBe(drawn);
    expect(run(isolatePlan)).not.toBe(drawn);
  });
});
