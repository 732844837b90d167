import { expect, it } from 'vitest';
import { upTo } from '../../../../core/test/sizes.ts';
import type { Attack } from '../../attacks/attack.ts';
import { attacks } from '../../attacks/attacks.ts';
import { createSimulation } from '../../run/simulation.ts';
import type { Fault } from '../../scenario/faultPlan.ts';
import { defaultScenario, type Scenario } from '../../scenario/scenario.ts';
import { randomScenario } from './draw.ts';

const drawn = upTo(1000).map((seed) => randomScenario(seed));

it('randomScenario draws valid scenarios, the same for the same seed', () => {
  for (const scenario of drawn.slice(0, 200)) {
    expect(() => createSimulation(scenario)).not.toThrow();
    expect(randomScenario(scenario.seed)).toEqual(scenario);
  }
  expect(new Set(drawn.map((scenario) => JSON.stringify(scenario))).size).toBe(1000);
});

it('randomScenario draws small and medium networks, two of three with at most 16 nodes, and a few with up to 1024', () => {
  const sizes = drawn.map(({ nodes }) => nodes);
  expect([Math.min(...sizes), Math.max(...sizes) > 500, Math.max(...sizes) <= 1024]).toEqual([2, true, true]);
  const large = sizes.filter((nodes) => nodes > 200).length;
  expect(large > 0 && large <= 10).toBe(true);
  const small = sizes.filter((nodes) => nodes <= 16).length;
  expect(small > 600 && small < 730).toBe(true);
});

it('v1.03 2.3: randomScenario draws each field of a scenario but other protocols, worlds outside the claims, and mere costs', () => {
  const isDefault = (field: keyof Scenario) =>
    drawn.every((scenario) => JSON.stringify(scenario[field]) === JSON.stringify(defaultScenario[field]));
  expect((Object.keys(defaultScenario) as (keyof Scenario)[]).filter(isDefault).sort()).toEqual([
    ...['attackBy', 'authenticated', 'completeGraph', 'cpu', 'deadBy', 'gossip', 'jitter', 'protocol', 'sanFermin'],
    ...['scheme', 'without'],
  ]);
});

const isNearlyAll = (fault: Fault) => fault.kind === 'loss' && fault.share >= 0.9 && fault.forMs !== undefined;
it.each<readonly [kind: string, isOfKind: (scenario: Scenario) => boolean]>([
  ['weights', ({ weights }) => weights.startsWith('pareto')],
  ['a few heavy nodes', ({ weights }) => weights.endsWith('x1000')],
  ['absent nodes', ({ absent, nodes }) => absent * nodes >= 1],
  ['no back-off', ({ backOff }) => !backOff],
  ['a packed tree of a size that is no power of two', ({ tree, nodes }) => tree === 'packed' && nodes % 2 === 1],
  ['Tor', ({ tor, nodes }) => tor * nodes >= 1],
  ['losses of nearly everything, which end', ({ faults }) => faults.some(isNearlyAll)],
  ['partitions, which heal', ({ faults }) => faults.some(({ kind }) => kind === 'partition')],
])('randomScenario draws %s', (_kind, isOfKind) => expect(drawn.filter(isOfKind).length).toBeGreaterThan(20));

it('randomScenario draws every attack on Handel, with and without faults', () => {
  for (const { name, against } of attacks) {
    const under = drawn.filter((scenario) => scenario.attacks.some((attack) => attack.name === name));
    expect(under.length > 0, name).toBe(against.includes('handel'));
    if (under.length === 0) continue;
    expect(under.some(({ faults }) => faults.length === 0)).toBe(true);
    expect(under.some(({ faults }) => faults.length > 0)).toBe(true);
  }
});

it('randomScenario composes different attacks for each level, with up to 49 % of the nodes', () => {
  const composed = drawn.flatMap((scenario) => scenario.attacks.filter(({ plan }) => plan !== undefined));
  expect(composed.length).toBeGreaterThan(200);
  expect(new Set(composed.map(({ plan }) => plan)).size).toBeGreaterThan(0.9 * composed.length);
  expect(Math.max(...composed.map(({ share }) => share))).toBeGreaterThan(0.45);
});

it('randomScenario draws attacks by name: a new attack changes only the scenarios that it is drawn for', () => {
  const further: Attack = { ...attacks[0]!, name: 'further' };
  const list = attacks as Attack[];
  list.push(further);
  try {
    let changed = 0;
    for (const scenario of drawn) {
      const { attacks: now, faults: _, ...rest } = randomScenario(scenario.seed);
      const { attacks: before, faults: __, ...same } = scenario;
      expect(rest).toEqual(same);
      if (now.some(({ name }) => name === 'further')) changed++;
      else expect(now).toEqual(before);
    }
    // About one in fifteen of the attacks that are not composed.
    expect(changed > 10 && changed < 80).toBe(true);
  } finally {
    list.pop();
  }
});
