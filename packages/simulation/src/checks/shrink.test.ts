import fc from 'fast-check';
import { expect, it } from 'vitest';
import { upTo } from '../../../core/test/sizes.ts';
import { generateFaults } from '../faults/generate.ts';
import { idsIn } from '../faults/nodeFaults.ts';
import { simulate } from '../run/simulation.ts';
import { type Fault, faultKinds } from '../scenario/faultPlan.ts';
import { defaultScenario, type Scenario, validateScenario } from '../scenario/scenario.ts';
import { shrink } from './shrink.ts';

function measures({ nodes, faults, attacks, dead, desyncMs }: Scenario): number[] {
  const sum = (of: (fault: Fault) => number): number => faults.reduce((total, fault) => total + of(fault), 0);
  return [
    nodes,
    faults.length,
    attacks.length,
    dead,
    desyncMs,
    sum((fault) => ('nodes' in fault ? idsIn(fault.nodes, nodes, 1, 'any').length : 0)),
    sum((fault) => ('forMs' in fault ? (fault.forMs ?? 0) : 0)),
    sum((fault) => ('byMs' in fault ? Math.abs(fault.byMs) : 0)),
  ];
}

const drawn = fc
  .record({
    seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    nodes: fc.integer({ min: 4, max: 60 }),
    dead: fc.constantFrom(0, 0.2),
    attacks: fc.constantFrom([], [{ name: 'silent', share: 0.2 }]),
    desyncMs: fc.constantFrom(0, 100),
  })
  .map((some): Scenario => {
    const scenario = { ...defaultScenario, ...some };
    return { ...scenario, faults: generateFaults(scenario, { seed: some.seed, healedByMs: 3000, max: 10 }) };
  });

it.each([
  ['byMs', { kind: 'skew', nodes: [1], byMs: 5000 }, 10],
  ['forMs', { kind: 'pause', nodes: [1], atMs: 0, forMs: 5000 }, 10],
  ['share', { kind: 'loss', share: 0.8 }, 0.1],
] as const)('shrink halves %s of a fault while the scenario still fails', (field, fault, least) => {
  const value = (one: Scenario) => Number((one.faults[0] as unknown as Record<string, unknown> | undefined)?.[field]);
  const scenario: Scenario = { ...defaultScenario, nodes: 4, faults: [fault] };
  const { scenario: smallest } = shrink(scenario, (one) => value(one) >= least);
  expect(value(smallest)).toBeLessThan(2 * least);
  expect(value(smallest)).toBeGreaterThanOrEqual(least);
});

it('shrink ends at a failing valid scenario that is not larger in any respect', () => {
  fc.assert(
    fc.property(drawn, fc.constantFrom(...faultKinds), fc.integer({ min: 1, max: 10 }), (scenario, kind, least) => {
      const fails = (one: Scenario): boolean => one.nodes >= least && one.faults.some((fault) => fault.kind === kind);
      fc.pre(fails(scenario));
      let asked = 0;
      const { scenario: smallest, tries } = shrink(scenario, (one) => {
        asked++;
        validateScenario(one);
        return fails(one);
      });
      expect(fails(smallest)).toBe(true);
      expect(tries).toBe(asked);
      expect(tries).toBeLessThanOrEqual(300);
      const before = measures(scenario);
      for (const [index, measure] of measures(smallest).entries()) expect(measure).toBeLessThanOrEqual(before[index]!);
      expect(shrink(scenario, fails).scenario).toEqual(smallest);
    }),
  );
});

it('shrink refuses a scenario that cannot run', () => {
  const scenario: Scenario = {
    ...defaultScenario,
    nodes: 4,
    faults: [{ kind: 'crash', nodes: [0, 1, 2, 3], atMs: 1 }],
  };
  expect(() => shrink(scenario, () => true)).toThrow('faults: expected an honest node that no crash ends, got none');
});

const pause: Fault = { kind: 'pause', nodes: [1, 5, 9, 30], atMs: 40, forMs: 1000 };
const noise: Fault[] = upTo(7).map((index) => ({ kind: 'loss', share: 0.1 + index / 100, from: [index] }));
const large: Scenario = {
  ...defaultScenario,
  nodes: 64,
  dead: 0.1,
  desyncMs: 50,
  attacks: [{ name: 'silent', share: 0.2 }],
  faults: [...noise.slice(0, 3), pause, ...noise.slice(3)],
};

it('shrink finds the one relevant fault, node and length', () => {
  const isCause = (fault: Fault) =>
    fault.kind === 'pause' && Array.isArray(fault.nodes) && fault.nodes.includes(9) && fault.forMs >= 100;
  const faults = [{ ...pause, nodes: [9], forMs: 125 }];
  expect(shrink(large, (one) => one.faults.some(isCause)).scenario).toEqual({
    ...{ ...large, nodes: 10, dead: 0, desyncMs: 0, attacks: [], faults },
  });
});

it('shrink halves the share of an attack, and keeps its plan', () => {
  const scenario = { ...defaultScenario, attacks: [{ name: 'across-levels', share: 0.4, plan: 'light@0' }] };
  const fails = ({ attacks: [one] }: Scenario) => one?.plan === 'light@0' && one.share >= 0.1;
  expect(shrink(scenario, fails).scenario.attacks).toEqual([{ ...scenario.attacks[0], share: 0.1 }]);
});

it('shrink keeps faults that only fail together', () => {
  const fails = ({ faults, attacks }: Scenario): boolean => faults.length >= 2 && attacks.length === 1;
  const { scenario } = shrink(large, fails);
  expect([scenario.faults.length, scenario.attacks.length]).toEqual([2, 1]);
});

it('shrink runs at most the given number of trials, and returns the best result', () => {
  let asked = 0;
  const fails = ({ faults }: Scenario): boolean => {
    asked++;
    return faults.length > 0;
  };
  const { scenario, tries } = shrink(large, fails, { tries: 3 });
  expect([asked, tries]).toEqual([3, 3]);
  expect(scenario.faults.length).toBeLessThan(large.faults.length);
  expect(scenario.faults.length).toBeGreaterThan(1);
});

it('shrink never runs a scenario in which a crash ends the last honest node', () => {
  const crash: Fault = { kind: 'crash', nodes: upTo(10), atMs: 0 };
  const { scenario } = shrink({ ...defaultScenario, nodes: 12, faults: [crash] }, (one) => {
    expect(simulate(one, { giveUpAfterMs: 0 }).live).toBeGreaterThan(0);
    return one.faults.length > 0;
  });
  expect(scenario).toMatchObject({ nodes: 2, faults: [{ nodes: [0] }] });
});

it.each([-900, -3, -2, -1, -0.5, 0.5, 1, 2, 3, 900])('shrink keeps the sign of a clock error of %d ms', (byMs) => {
  const sizes: number[] = [];
  shrink({ ...defaultScenario, nodes: 8, faults: [{ kind: 'skew', nodes: [0], byMs }] }, ({ faults: [fault] }) => {
    if (fault?.kind === 'skew') sizes.push(fault.byMs);
    return fault !== undefined;
  });
  for (const size of sizes) expect(Math.sign(size)).toBe(Math.sign(byMs));
  expect(Math.min(...sizes.map(Math.abs))).toBe(Math.min(1, Math.abs(byMs)));
});

it.each([1, 2 ** 31 - 1])('shrink refuses a scenario that does not fail, with %i trials', (tries) => {
  const message = 'scenario: expected a scenario that fails, got one that succeeds';
  expect(() => shrink(large, () => false, { tries })).toThrow(message);
});

it.each([0, 2 ** 31])('shrink refuses %i trials', (tries) => {
  const message = `tries: expected an integer from 1 to 2147483647, got ${tries}`;
  expect(() => shrink(large, () => true, { tries })).toThrow(message);
});
