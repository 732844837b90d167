import { defaultScenario, type Scenario } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { recordedRun } from '../../test/recordedRun.ts';
import { doneAt } from '../race/raceFile.ts';
import { runBranch } from './branch.ts';

const scenario: Scenario = { ...defaultScenario, nodes: 64, seed: 2, scheme: 'bls' };

describe('runBranch', () => {
  it('equals the run itself with counters: same digest, same end', () => {
    const { digest } = recordedRun({ nodes: 64, seed: 2 }).result;
    const report = runBranch(scenario, 5000);
    expect(report.digest).toBe(digest);
    expect(report.broken).toBeUndefined();
    expect(report.curve.at(-1)).toBeGreaterThan(0.98);
    expect(report.reached).toBe(64);
    expect(doneAt(report.lane, report.endUs)).toBe(64);
    expect(doneAt(report.lane, 0)).toBe(0);
  });

  it('names the claim that a run without the mechanism breaks, with node and time', () => {
    const attacked: Scenario = { ...scenario, attacks: [{ name: 'invalid', share: 0.3 }], without: ['blacklist'] };
    const { broken } = runBranch(attacked, 1000);
    expect(broken?.claim).toBe('blacklist');
    expect(broken?.node).toBeGreaterThanOrEqual(0);
    expect(broken?.atUs).toBeGreaterThan(0);
  });
});
