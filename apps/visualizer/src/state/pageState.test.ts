import { checkScenario, type Scenario } from '@tutti/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { command, decodeState, encodeState, firstState, limits, type PageState, sameRun } from './pageState.ts';

const network = fc.oneof(
  fc.constantFrom('aws', 'cities', 'distance'),
  fc.integer(limits.constantMs).map((ms) => `constant:${ms}`),
);

const anyState: fc.Arbitrary<PageState> = fc
  .record({
    nodes: fc.integer(limits.nodes),
    network,
    deadPercent: fc.integer({ min: 0, max: 49 }),
    attack: fc.option(
      fc.record({ name: fc.constantFrom('silent', 'invalid', 'worthless'), share: fc.integer({ min: 1, max: 49 }) }),
      { nil: undefined },
    ),
    seed: fc.integer(limits.seed),
    bls: fc.boolean(),
    nodeShare: fc.double({ min: 0, max: 0.999, noNaN: true }),
    timeUs: fc.option(fc.nat(2_000_000), { nil: undefined }),
    order: fc.constantFrom('tree' as const, 'region' as const),
  })
  .map(({ nodes, network, deadPercent, attack, seed, bls, nodeShare, timeUs, order }) => ({
    scenario: {
      ...firstState.scenario,
      nodes,
      network,
      dead: nodes > limits.deadNodes ? 0 : deadPercent / 100,
      seed,
      attacks:
        attack === undefined || nodes > limits.deadNodes ? [] : [{ name: attack.name, share: attack.share / 100 }],
      scheme: bls && nodes <= limits.blsNodes ? 'bls' : 'counting',
    },
    node: Math.floor(nodeShare * nodes),
    timeUs,
    order,
  }));

describe('decodeState', () => {
  it('gives back what encodeState was given', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        expect(decodeState(`#${encodeState(state)}`)).toEqual(state);
      }),
    );
  });

  it('makes a scenario that can be run of whatever it is given', () => {
    const field = fc.tuple(fc.constantFrom('n', 'scheme', 'network', 'dead', 'seed', 'node', 't', 'ring'), fc.string());
    fc.assert(
      fc.property(fc.array(field), (fields) => {
        const state = decodeState(new URLSearchParams(fields).toString());
        expect(() => checkScenario(state.scenario)).not.toThrow();
        expect(state.node).toBeLessThan(state.scenario.nodes);
      }),
    );
  });

  it('is a first visit without a link', () => {
    expect(decodeState('')).toEqual(firstState);
  });

  it('brings numbers into their range', () => {
    const { scenario, node } = decodeState('#n=999999&dead=0.8&seed=-3&node=500000');
    expect([scenario.nodes, scenario.dead, scenario.seed, node]).toEqual([131_072, 0, 0, 131_071]);
  });

  it('keeps all nodes alive where dead ones would take more memory than there is', () => {
    expect(decodeState('#n=32768&dead=0.8').scenario.dead).toBe(0.49);
    expect(decodeState('#n=32769&dead=0.8').scenario.dead).toBe(0);
  });

  it('counts where there are too many nodes for real signatures', () => {
    expect(decodeState('#n=129&scheme=bls').scenario.scheme).toBe('counting');
  });
});

describe('sameRun', () => {
  it('tells apart what makes another run, and nothing else', () => {
    const { scenario } = firstState;
    expect(sameRun(scenario, { ...scenario })).toBe(true);
    expect(sameRun(scenario, { ...scenario, seed: 2 })).toBe(false);
  });
});

describe('command', () => {
  it('names everything that the page lets a reader choose', () => {
    const scenario = { ...firstState.scenario, network: 'constant:50', dead: 0.2, seed: 7 };
    expect(command(scenario)).toBe(
      'npx tutti simulate --protocol handel --nodes 64 --threshold 0.99 --network constant:50 --dead 0.2 --scheme bls --seed 7',
    );
  });

  it('names what else differs from the default, as it can in a recording', () => {
    const scenario: Scenario = { ...firstState.scenario, desyncMs: 30, fastPath: 0, priorities: 'independent' };
    expect(command(scenario)).toMatch(/ --seed 1 --desync 30 --fast-path 0 --priorities independent$/);
  });
});
