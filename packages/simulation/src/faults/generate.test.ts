import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anySize, upTo } from '../../../core/test/sizes.ts';
import { faultKinds, healedAtMs, validateFaults } from '../scenario/faultPlan.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { chooseNamed, generateFaults } from './generate.ts';
import { crashes, faultsByNode } from './nodeFaults.ts';

const anySeed = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const share = fc.integer({ min: 0, max: 30 }).map((hundredths) => hundredths / 100);

const world = fc.record({
  nodes: anySize,
  dead: share,
  attacks: share.map((of) => (of === 0 ? [] : [{ name: 'silent', share: of }])),
  authenticated: fc.boolean(),
});

describe('generateFaults', () => {
  it('refuses an invalid scenario and invalid options in one line', () => {
    const options = { seed: 1, healedByMs: 1000 };
    expect(() => generateFaults(undefined as never, options)).toThrow(/^scenario: expected an object/);
    expect(() => generateFaults({ nodes: 4, dead: 0, authenticated: true } as never, options)).toThrow(
      /^scenario.attacks:/,
    );
    expect(() => generateFaults(defaultScenario, undefined as never)).toThrow(/^options: expected an object/);
    expect(() => generateFaults(defaultScenario, { ...options, kinds: ['flood' as never] })).toThrow(/^kinds:/);
  });

  it('draws faults by the name of their kind: a new kind changes only its own faults', () => {
    for (const seed of upTo(50)) {
      const draw = (kinds: typeof faultKinds) =>
        generateFaults({ ...defaultScenario, nodes: 20 }, { seed, healedByMs: 900, kinds });
      for (const further of faultKinds) {
        const without = draw(faultKinds.filter((kind) => kind !== further));
        const all = draw(faultKinds);
        expect(all.map((fault, place) => (fault.kind === further ? without[place] : fault))).toEqual(without);
      }
    }
  });

  it('draws valid plans of the requested size, healed in time', () => {
    const healedByMs = fc.integer({ min: 2, max: 600_000 });
    const options = fc.record({ seed: anySeed, healedByMs, max: fc.integer({ min: 1, max: 20 }) });
    fc.assert(
      fc.property(world, options, (scenario, asked) => {
        const faults = generateFaults(scenario, asked);
        validateFaults(faults, scenario.nodes);
        expect(faults.length).toBeGreaterThan(0);
        expect(faults.length).toBeLessThanOrEqual(asked.max);
        expect(healedAtMs(faults)).toBeLessThanOrEqual(asked.healedByMs);
        for (const fault of faults) {
          if (!('forMs' in fault)) expect(['crash', 'skew', 'drift']).toContain(fault.kind);
        }
        expect(generateFaults(scenario, asked)).toEqual(faults);
      }),
    );
  });

  it('crashes at most a third of the nodes that are neither dead nor Byzantine', () => {
    fc.assert(
      fc.property(world, anySeed, (scenario, seed) => {
        const faults = generateFaults(scenario, { seed, healedByMs: 1000, max: 20, kinds: ['crash', 'pause'] });
        const silent = scenario.dead + scenario.attacks.reduce((sum, attack) => sum + attack.share, 0);
        const crashed = [...faultsByNode(faults, scenario.nodes, seed).values()].filter(crashes).length;
        expect(crashed).toBeLessThanOrEqual((scenario.nodes * (1 - silent)) / 3);
      }),
    );
  });

  it('corrupts nothing if channels are not authenticated', () => {
    fc.assert(
      fc.property(world, anySeed, (scenario, seed) => {
        const faults = generateFaults(scenario, { seed, healedByMs: 1000, max: 20 });
        if (!scenario.authenticated) expect(faults.map(({ kind }) => kind)).not.toContain('corruption');
      }),
    );
    const whole = upTo(100).flatMap((seed) => generateFaults(defaultScenario, { seed, healedByMs: 1000 }));
    expect(whole.some((fault) => fault.kind === 'restart' && fault.state === 'lost')).toBe(true);
    expect(new Set(whole.map(({ kind }) => kind))).toEqual(new Set(faultKinds));
  });

  it('draws only from the given kinds', () => {
    const plan = (...kinds: (typeof faultKinds)[number][]) =>
      generateFaults({ ...defaultScenario, authenticated: false }, { seed: 1, healedByMs: 1000, max: 50, kinds });
    expect(new Set(plan('loss', 'drift').map(({ kind }) => kind))).toEqual(new Set(['loss', 'drift']));
    expect(plan('corruption')).toEqual([]);
  });
});

const names = ['a', 'b', 'c', 'd'];
const choices = (list: readonly string[]) => upTo(2000).map((seed) => chooseNamed(list, seed, 'test'));

it('chooses each name equally often, in any order of names', () => {
  for (const name of names) {
    const count = choices(names).filter((chosen) => chosen === name).length;
    expect(count).toBeGreaterThan(430);
    expect(count).toBeLessThan(570);
  }
  expect(choices(names.toReversed())).toEqual(choices(names));
});

it('makes independent choices for another purpose', () => {
  expect(upTo(2000).map((seed) => chooseNamed(names, seed, 'other'))).not.toEqual(choices(names));
});
