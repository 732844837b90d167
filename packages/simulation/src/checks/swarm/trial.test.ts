import { CountingScheme, type Tree } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { defaultScenario, type Scenario } from '../../scenario/scenario.ts';
import type { SimulatedScheme } from '../../world/options.ts';
import { brokenClaim } from './trial.ts';

const scenario: Scenario = { ...defaultScenario, nodes: 16, network: 'constant:10' };

describe('brokenClaim', () => {
  it('is undefined for a run in which every claim holds', () => {
    expect(
      brokenClaim({ ...scenario, faults: [{ kind: 'partition', nodes: [1, 2], atMs: 0, forMs: 5000 }] }),
    ).toBeUndefined();
  });

  it('v1.03 2.4: is termination after an unhealed fault', () => {
    const apart: Scenario = { ...scenario, faults: [{ kind: 'loss', share: 1, from: [3] }], threshold: 1 };
    expect(brokenClaim(apart)).toMatchObject({ claim: 'termination', node: 0 });
  });

  it('v1.03 2.4, 4.3: is fairness if the threshold is reached without a live node', () => {
    const apart: Scenario = { ...scenario, faults: [{ kind: 'loss', share: 1, from: [3] }], threshold: 0.51 };
    expect(brokenClaim(apart)).toMatchObject({ claim: 'fairness', node: 0 });
  });

  it('v1.03 3.5.2: is the claim that a checker reports', () => {
    expect(brokenClaim({ ...scenario, without: ['bounded-queue'] })?.claim).toBe('memory');
  });

  it('v1.03 2.3: is robustness after an exception', () => {
    const scheme = (tree: Tree): SimulatedScheme => {
      const made = new CountingScheme(tree);
      made.aggregatable = () => {
        throw new TypeError('not today');
      };
      return { scheme: made, individual: (id) => made.individual(id) };
    };
    const broken = brokenClaim(scenario, { scheme });
    expect(broken).toMatchObject({ claim: 'robustness', node: undefined });
    expect(broken?.message).toMatch(/^robustness: at [\d.]+ ms: expected no exception, got TypeError: not today$/);
  });

  it('refuses an invalid scenario', () => {
    expect(() => brokenClaim({ ...scenario, nodes: 0 })).toThrow(RangeError);
  });
});
