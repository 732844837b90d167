import { defaultScenario, type Scenario } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { recordedRun } from '../../test/recordedRun.ts';
import { doneAt } from '../race/raceFile.ts';
import { runBranch } from './branch.ts';

const scenario: Scenario = { ...defaultScenario, nodes: 64, seed: 2, scheme: 'bls' };

it('a branch equals the run itself with counters: same digest, same end', () => {
  const report = runBranch(scenario, 5000);
  expect(report).toMatchObject({
    digest: recordedRun({ nodes: 64, seed: 2 }).result.digest,
    broken: undefined,
    reached: 64,
  });
  expect(report.curve.at(-1)).toBeGreaterThan(0.98);
  expect([report.endUs, 0].map((us) => doneAt(report.lane, us))).toEqual([64, 0]);
});

it('a branch names the claim that a run without the mechanism breaks, with node and time', () => {
  const attacked: Scenario = { ...scenario, attacks: [{ name: 'invalid', share: 0.3 }], without: ['blacklist'] };
  const { broken } = runBranch(attacked, 1000);
  expect(broken?.claim).toBe('blacklist');
  expect(broken?.node).toBeGreaterThanOrEqual(0);
  expect(broken?.atUs).toBeGreaterThan(0);
});
