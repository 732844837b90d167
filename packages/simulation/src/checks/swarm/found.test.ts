import { expect, it } from 'vitest';
import { defaultScenario, type Scenario } from '../../scenario/scenario.ts';
import { brokenClaim, shrinkBroken, tryScenario } from './hunt.ts';

/** Violations that the swarm found, with their shrunk scenarios. Add each new one when it is fixed. */
const pinned: readonly (readonly [what: string, fields: Partial<Scenario>])[] = [
  [
    'pruning, seed 184: scores that had counted on the verified contribution of a sender that was then blacklisted',
    {
      nodes: 26,
      desyncMs: 227,
      periodMs: 10,
      levelStartMs: 20,
      fastPath: 1,
      seed: 184,
      priorities: 'independent',
      attacks: [
        { name: 'invalid', share: 0.21 },
        { name: 'mixed', share: 0.2 },
      ],
    },
  ],
  [
    'integrity, seed 534: an attacker that aggregated a contribution over a larger block into a smaller one',
    { nodes: 12, levelStartMs: 0, seed: 534, priorities: 'independent', attacks: [{ name: 'censor', share: 0.25 }] },
  ],
];

it.each(pinned)('a scenario that once broke a claim satisfies all claims: %s', (_what, fields) => {
  expect(brokenClaim({ ...defaultScenario, ...fields })).toBeUndefined();
});

it('refuses an invalid scenario before it runs', () => {
  const scenario = { ...defaultScenario, nodes: 0 };
  expect(() => tryScenario(scenario)).toThrow('nodes: expected');
  expect(() => shrinkBroken({ seed: 1, scenario, claim: 'pruning', message: '' })).toThrow('nodes: expected');
});
