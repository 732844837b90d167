import { describe, expect, it } from 'vitest';
import { networkForms } from '../engine/network/network.ts';
import { defaultScenario, requireScenario, type Scenario, validateScenario, withPresentNames } from './scenario.ts';

describe('validateScenario', () => {
  it("v1.03 3.6: accepts the default, which is the paper's", () => {
    validateScenario(defaultScenario);
    expect(defaultScenario).toMatchObject({
      threshold: 0.99,
      network: 'aws',
      periodMs: 20,
      levelStartMs: 50,
      fastPath: 10,
      verifyMs: 4,
    });
  });

  it('accepts the ends of every range', () => {
    const ends: Partial<Scenario>[] = [
      { nodes: 1 },
      { nodes: 2 ** 20 },
      { threshold: 1 },
      { threshold: Number.MIN_VALUE },
      { dead: 0 },
      { dead: 0.999 },
      { desyncMs: 0 },
      { periodMs: 0.001 },
      { levelStartMs: 0 },
      { fastPath: 0 },
      { verifyMs: 0 },
      { seed: 0 },
      { seed: 2 ** 32 - 1 },
      { priorities: 'independent' },
      { scheme: 'bls' },
      { tor: 1 },
      { branching: 8 },
      { cpu: { spread: 1, perKeyUs: 1.77, perMessageUs: 100, nodesPerCore: 2, sliceMs: 10, startsApartMs: 0 } },
    ];
    for (const end of ends) expect(() => validateScenario({ ...defaultScenario, ...end })).not.toThrow();
  });

  const wrong: [keyof Scenario, unknown, string][] = [
    ['protocol', 'horn', 'protocol: expected handel or complete-graph or san-fermin or gossip, got "horn"'],
    ['nodes', 0, 'nodes: expected an integer from 1 to 1048576, got 0'],
    ['nodes', 1.5, 'nodes: expected an integer from 1 to 1048576, got 1.5'],
    ['nodes', 2 ** 20 + 1, 'nodes: expected an integer from 1 to 1048576, got 1048577'],
    ['nodes', Number.NaN, 'nodes: expected an integer from 1 to 1048576, got NaN'],
    ['nodes', '64', 'nodes: expected an integer from 1 to 1048576, got "64"'],
    ['branching', 3, 'branching: expected 2 or 4 or 8, got 3'],
    ['threshold', 0, 'threshold: expected a share greater than 0 and at most 1, or a count of at least 2, got 0'],
    ['threshold', 1.01, 'threshold: expected a share greater than 0 and at most 1, or a count of at least 2, got 1.01'],
    [
      'threshold',
      Number.NaN,
      'threshold: expected a share greater than 0 and at most 1, or a count of at least 2, got NaN',
    ],
    [
      'threshold',
      '0.5',
      'threshold: expected a share greater than 0 and at most 1, or a count of at least 2, got "0.5"',
    ],
    ['dead', 1, 'dead: expected a number from 0 to less than 1, got 1'],
    ['dead', -0.1, 'dead: expected a number from 0 to less than 1, got -0.1'],
    ['dead', Number.NaN, 'dead: expected a number from 0 to less than 1, got NaN'],
    ['dead', '0.2', 'dead: expected a number from 0 to less than 1, got "0.2"'],
    ['desyncMs', -1, 'desyncMs: expected a number from 0 to 600000, got -1'],
    ['desyncMs', Number.POSITIVE_INFINITY, 'desyncMs: expected a number from 0 to 600000, got Infinity'],
    ['tor', 1.1, 'tor: expected a number from 0 to 1, got 1.1'],
    ['cpu', { ...defaultScenario.cpu, spread: 0.5 }, 'cpu.spread: expected a number from 1 to 1000, got 0.5'],
    ['cpu', { ...defaultScenario.cpu, perKeyUs: -1 }, 'cpu.perKeyUs: expected a number from 0 to 600000, got -1'],
    ['completeGraph', { verification: 'none' }, 'completeGraph.verification: expected each or bulk, got "none"'],
    ['cpu', { ...defaultScenario.cpu, sliceMs: -1 }, 'cpu.sliceMs: expected a number from 0 to 600000, got -1'],
    [
      'cpu',
      { ...defaultScenario.cpu, nodesPerCore: 1.5 },
      'cpu.nodesPerCore: expected an integer from 0 to 1048576, got 1.5',
    ],
    ['scheme', 'ecdsa', 'scheme: expected counting or bls, got "ecdsa"'],
    ['periodMs', 0, 'periodMs: expected a number from 0.001 to 3600000, got 0'],
    ['levelStartMs', -1, 'levelStartMs: expected a number from 0 to 3600000, got -1'],
    ['fastPath', 0.5, 'fastPath: expected an integer from 0 to 1048576, got 0.5'],
    ['verifyMs', -4, 'verifyMs: expected a number from 0 to 600000, got -4'],
    ['seed', -1, 'seed: expected an integer from 0 to 4294967295, got -1'],
    ['seed', 2 ** 32, 'seed: expected an integer from 0 to 4294967295, got 4294967296'],
    ['priorities', 'none', 'priorities: expected shifted or independent, got "none"'],
    ['network', undefined, `network: expected ${networkForms}, got undefined`],
  ];
  for (const [field, value, message] of wrong) {
    it(`reports for ${field} ${JSON.stringify(value)} the expected and the received value`, () => {
      const scenario = { ...defaultScenario, [field]: value } as Scenario;
      expect(() => validateScenario(scenario)).toThrow(new RangeError(message));
    });
  }
});

describe('requireScenario', () => {
  it('reports the expected value for an unknown field, a missing field and a missing scenario', () => {
    requireScenario(defaultScenario);
    const misspelt = { ...defaultScenario, treshold: 0.5 };
    expect(() => requireScenario(misspelt)).toThrow(
      /^scenario: expected no fields but protocol, nodes, .*, got "treshold" \(Did you mean threshold\?\)$/,
    );
    const inGroup = { ...defaultScenario, cpu: { ...defaultScenario.cpu, perKey: 1 } };
    expect(() => requireScenario(inGroup)).toThrow(
      /^scenario\.cpu: expected no fields but spread, .*, got "perKey" \(Did you mean perKeyUs\?\)$/,
    );
    const { seed: _, ...seedless } = defaultScenario;
    expect(() => requireScenario(seedless as Scenario)).toThrow(
      new TypeError('scenario.seed: expected a value, got undefined'),
    );
    for (const nothing of [undefined, null, 7]) {
      expect(() => requireScenario(nothing as unknown as Scenario)).toThrow(
        new TypeError(`scenario: expected an object like that of defaultScenario, got ${nothing}`),
      );
    }
  });
});

describe('withPresentNames', () => {
  it('removes fields of earlier versions that change nothing, and refuses other values of them', () => {
    const former = { habits: [], referenceQuirks: [], wire: 'tutti', adaptive: false, contacts: 'one' };
    expect(withPresentNames({ nodes: 5, ...former })).toEqual({ nodes: 5 });
    expect(() => withPresentNames({ adaptive: true })).toThrow(
      'adaptive: expected false, the only value in versions after',
    );
    expect(() => withPresentNames({ referenceQuirks: ['one-round'] })).toThrow(
      'referenceQuirks: expected none, the only value in versions after 88344e17, got an array of 1',
    );
  });
});
