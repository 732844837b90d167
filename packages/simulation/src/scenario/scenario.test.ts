import { describe, expect, it } from 'vitest';
import { refusedBy } from '../../../../tests/outcomes.ts';
import { networkForms } from '../engine/network/network.ts';
import {
  defaultScenario,
  requireScenario,
  type Scenario,
  scenarioRows,
  validateScenario,
  withPresentNames,
} from './scenario.ts';

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
      ...[{ nodes: 1 }, { nodes: 2 ** 20 }, { threshold: 1 }, { threshold: Number.MIN_VALUE }, { dead: 0.999 }],
      ...[
        { periodMs: 0.001 },
        { levelStartMs: 0 },
        { fastPath: 0 },
        { verifyMs: 0 },
        { seed: 0 },
        { seed: 2 ** 32 - 1 },
      ],
      ...([{ priorities: 'independent' }, { scheme: 'bls' }, { tor: 1 }, { branching: 8 }] as const),
      { cpu: { spread: 1, perKeyUs: 1.77, perMessageUs: 100, nodesPerCore: 2, sliceMs: 10, startsApartMs: 0 } },
    ];
    for (const end of ends) expect(() => validateScenario({ ...defaultScenario, ...end })).not.toThrow();
  });

  const thresholds = 'a share greater than 0 and at most 1, or a count of at least 2';
  it.each<[path: string, expected: string, ...wrong: unknown[]]>([
    ['protocol', 'handel or complete-graph or san-fermin or gossip', 'horn'],
    ['nodes', 'an integer from 1 to 1048576', 0, 1.5, 2 ** 20 + 1, Number.NaN, '64'],
    ['branching', '2 or 4 or 8', 3],
    ['threshold', thresholds, 0, 1.01, Number.NaN, '0.5'],
    ['dead', 'a number from 0 to less than 1', 1, -0.1, Number.NaN, '0.2'],
    ['desyncMs', 'a number from 0 to 600000', -1, Number.POSITIVE_INFINITY],
    ['tor', 'a number from 0 to 1', 1.1],
    ['cpu.spread', 'a number from 1 to 1000', 0.5],
    ['cpu.perKeyUs', 'a number from 0 to 600000', -1],
    ['cpu.sliceMs', 'a number from 0 to 600000', -1],
    ['cpu.nodesPerCore', 'an integer from 0 to 1048576', 1.5],
    ['completeGraph.verification', 'each or bulk', 'none'],
    ['scheme', 'counting or bls', 'ecdsa'],
    ['periodMs', 'a number from 0.001 to 3600000', 0],
    ['levelStartMs', 'a number from 0 to 3600000', -1],
    ['fastPath', 'an integer from 0 to 1048576', 0.5],
    ['verifyMs', 'a number from 0 to 600000', -4],
    ['seed', 'an integer from 0 to 4294967295', -1, 2 ** 32],
    ['priorities', 'shifted or independent', 'none'],
    ['network', networkForms, undefined],
  ])('reports the expected and the received value of %s', (path, expected, ...wrong) => {
    const { set } = scenarioRows.find((row) => row.path === path)!;
    for (const value of wrong)
      expect(() => validateScenario(set(defaultScenario, value))).toThrow(
        new RangeError(`${path}: expected ${expected}, got ${typeof value === 'string' ? `"${value}"` : value}`),
      );
  });
});

const { cpu } = defaultScenario;
const silent = [{ name: 'silent', share: 0.5 }];
const heavy = { weights: 'pareto:1' };
const four = { weights: '4x1', nodes: 4 };
const bulk = { protocol: 'complete-graph', completeGraph: { verification: 'bulk' } };

it.each([
  [{ branching: 4, protocol: 'gossip' }, 'protocol with branching 4'],
  [{ nodes: 8, absent: 8 }, 'taken'],
  [{ nodes: 8, absent: 9 }, 'absent'],
  [{ threshold: 1.5 }, 'threshold'],
  [{ nodes: 8, threshold: 9 }, 'threshold'],
  [{ cpu: { ...cpu, perMessageUs: 1 } }, 'cpu.nodesPerCore'],
  [{ cpu: { ...cpu, startsApartMs: 1 } }, 'network with cpu.startsApartMs 1'],
  [{ deadBy: 'machine' }, 'network with deadBy machine'],
  [{ dead: 0.49, attacks: silent }, 'taken'],
  [{ dead: 0.5, attacks: silent }, 'dead and Byzantine shares together'],
  [
    { attacks: [{ name: 'first-places', share: 0.2 }], attackBy: 'weight' },
    'attackBy with first-places, which chooses its ids',
  ],
  [{ protocol: 'gossip', attacks: [{ name: 'censor', share: 0.2 }] }, 'protocol under the attack censor'],
  [{ attacks: [null] }, 'attacks'],
  [{ attacks: [{ name: 'silent', share: 0.1, from: 1 }] }, 'attacks'],
  [{ ...heavy, protocol: 'gossip' }, 'protocol with weights'],
  [{ ...heavy, threshold: 5 }, 'threshold with weights'],
  [{ weights: '3x1', nodes: 4 }, 'weights'],
  [four, 'taken'],
  [{ ...four, ...bulk }, 'verification with weights'],
  [{ ...heavy, nodes: 8192 }, 'taken'],
  [{ ...heavy, nodes: 8193 }, 'nodes when priorities are drawn by weight'],
  [{ ...heavy, nodes: 8193, prioritiesBy: 'id' }, 'taken'],
])('refuses incompatible fields, and names them: %j', (fields, refused) => {
  expect(refusedBy(() => validateScenario({ ...defaultScenario, ...(fields as Partial<Scenario>) }))).toBe(refused);
});

it('a network without machines refuses all fields that need machines, and accepts their neutral values', () => {
  const scenario: Scenario = { ...defaultScenario, deadBy: 'machine', cpu: { ...cpu, startsApartMs: 2 } };
  expect(() => validateScenario(scenario)).toThrow(
    'network with deadBy machine and cpu.startsApartMs 2: expected aws-blocks or aws-blocks:MACHINES, got "aws"; for another network, set deadBy to chance and cpu.startsApartMs to 0',
  );
  expect(() => validateScenario({ ...scenario, network: 'aws-blocks' })).not.toThrow();
});

it('requireScenario reports the expected value for an unknown field, a missing field and a missing scenario', () => {
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

it('withPresentNames removes fields of earlier versions that change nothing, and refuses other values of them', () => {
  const former = { habits: [], referenceQuirks: [], wire: 'tutti', adaptive: false, contacts: 'one' };
  expect(withPresentNames({ nodes: 5, ...former })).toEqual({ nodes: 5 });
  expect(() => withPresentNames({ adaptive: true })).toThrow(
    'adaptive: expected false, the only value in versions after',
  );
  expect(() => withPresentNames({ referenceQuirks: ['one-round'] })).toThrow(
    'referenceQuirks: expected none, the only value in versions after 88344e17, got an array of 1',
  );
});
