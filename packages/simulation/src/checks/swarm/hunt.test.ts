import { CountingScheme, type Mechanism, type Tree } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { isWhole } from '../../../../../tests/sampled.ts';
import type { ClaimName } from '../../checkers/claims.ts';
import { defaultScenario, type Scenario, validateScenario } from '../../scenario/scenario.ts';
import type { SimulatedScheme } from '../../world/extensions.ts';
import { randomScenario } from './draw.ts';
import { type Broken, brokenClaim, hunt, shrinkBroken, shrinkScenario, tryScenario } from './hunt.ts';

/** Returns the first violation in 60 scenarios without a mechanism, computed once for each mechanism. */
const brokenWithout = new Map<Mechanism, Broken | undefined>();
function huntWithout(mechanism: Mechanism): Broken | undefined {
  if (!brokenWithout.has(mechanism)) brokenWithout.set(mechanism, hunt(1, 60, { without: [mechanism] }));
  return brokenWithout.get(mechanism);
}

describe('the swarm', () => {
  it('finds no broken claim in 60 scenarios', () => expect(hunt(1, isWhole ? 60 : 20)).toBeUndefined());

  const needs: readonly (readonly [without: Mechanism, claim: ClaimName])[] = [
    ['window', 'window'],
    ['score', 'score'],
    ['blacklist', 'blacklist'],
    ['individual-contributions', 'fairness'],
    ['bounded-queue', 'memory'],
  ];
  it.each(needs)('without %s, finds the broken claim within 60 scenarios: %s', (mechanism, claim) => {
    expect(huntWithout(mechanism)).toMatchObject({ claim });
  });

  it('finds the first seed, whose scenario breaks the claim again', () => {
    const without = ['bounded-queue'] as const;
    const broken = huntWithout('bounded-queue')!;
    expect(hunt(1, broken.seed - 1, { without })).toBeUndefined();
    expect(broken.scenario).toEqual(randomScenario(broken.seed, { without }));
    expect(tryScenario(broken.scenario)).toEqual(broken);
  });
});

it('shrinkBroken finds a small scenario that breaks the same claim by itself', () => {
  const broken = huntWithout('blacklist')!;
  const smallest = shrinkBroken(broken);
  expect(smallest).toMatchObject({ claim: 'blacklist', seed: broken.seed });
  expect(tryScenario(smallest.scenario)).toEqual(smallest);
  expect(smallest.scenario.nodes).toBeLessThanOrEqual(Math.min(16, broken.scenario.nodes));
  expect(smallest.scenario).toMatchObject({ dead: 0, desyncMs: 0, faults: [], without: ['blacklist'] });
  expect(smallest.scenario).toMatchObject({ network: 'constant:10', priorities: defaultScenario.priorities });
  expect(shrinkBroken(smallest), 'it cannot be shrunk again').toEqual(smallest);
});

it('shrinkBroken resets fields that are irrelevant to the failure to their defaults', () => {
  const cpu = { ...defaultScenario.cpu, spread: 2 };
  const unusual: Partial<Scenario> = { branching: 4, batch: 2, backOff: false, tor: 0.1, cpu };
  const attacks = [{ name: 'invalid', share: 0.3 }];
  const broken = tryScenario({ ...defaultScenario, ...unusual, nodes: 16, attacks, without: ['blacklist'] });
  expect(broken).toMatchObject({ claim: 'blacklist' });
  const plain = Object.fromEntries(Object.keys(unusual).map((field) => [field, defaultScenario[field as 'tor']]));
  expect(shrinkBroken(broken!).scenario).toMatchObject(plain);
});

const scenario: Scenario = { ...defaultScenario, nodes: 16, network: 'constant:10' };

describe('brokenClaim', () => {
  it.each([
    ['termination', 1],
    ['fairness', 0.51],
  ] as const)('v1.03 2.4, 4.3: is %s if a live node stays unheard, at a threshold of %d', (claim, threshold) => {
    const apart: Scenario = { ...scenario, faults: [{ kind: 'loss', share: 1, from: [3] }], threshold };
    expect(brokenClaim(apart)).toMatchObject({ claim, node: 0 });
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
});

it('reduces the number of nodes after a simpler network allows it', () => {
  const isBroken = ({ nodes, network }: Scenario) => nodes >= (network === 'constant:10' ? 9 : 23);
  const smallest = shrinkScenario({ ...defaultScenario, nodes: 40, network: 'aws' }, isBroken);
  expect(smallest).toMatchObject({ nodes: 9, network: 'constant:10' });
});

it('shrinkScenario runs only valid scenarios: a network stays as long as another field needs its machines', () => {
  const isBroken = (smaller: Scenario) => {
    validateScenario(smaller);
    return smaller.nodes >= 9;
  };
  const dying: Scenario = { ...defaultScenario, nodes: 9, network: 'aws-blocks:3', deadBy: 'machine', dead: 0.2 };
  expect(shrinkScenario(dying, isBroken)).toMatchObject({
    nodes: 9,
    network: 'constant:10',
    deadBy: 'chance',
    dead: 0,
  });
});

it('a run lasts until nodes with a late clock have started and given an output', () => {
  const late: Scenario = { ...scenario, faults: [{ kind: 'skew', nodes: [3], byMs: -60_000 }] };
  expect(brokenClaim({ ...late, backOff: false })).toBeUndefined();
});
