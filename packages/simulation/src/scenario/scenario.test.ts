import { describe, expect, it } from 'vitest';
import { refusedBy } from '../../../../tests/outcomes.ts';
import {
  defaultScenario,
  requireScenario,
  type Scenario,
  scenarioRows,
  validateScenario,
  withoutFormerFields,
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

  it.each(scenarioRows)('names $path, which has no valid value', ({ path, set }) => {
    expect(() => validateScenario(set(defaultScenario, Number.NaN))).toThrow(new RegExp(`^${path}: expected .*, got `));
  });
});

const { cpu } = defaultScenario;
const silent = [{ name: 'silent', share: 0.5 }];
const heavy = { weights: 'pareto:1' };
const four = { weights: '4x1', nodes: 4 };
const bulk = { protocol: 'complete-graph', completeGraph: { verification: 'bulk' } };

it.each([
  [{ branching: 4, protocol: 'gossip' }, 'protocol with branching 4'],
  [{ branching: 8, nodes: 16_384 }, 'taken'],
  [{ branching: 8, nodes: 16_385 }, 'levels of 16385 nodes with branching 8'],
  [{ nodes: 8, absent: 8 }, 'taken'],
  [{ nodes: 8, absent: 9 }, 'absent'],
  [{ absent: '0.5' }, 'absent'],
  [{ absent: null }, 'absent'],
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

it('withoutFormerFields removes fields of earlier versions that change nothing, and refuses other values of them', () => {
  const former = { habits: [], referenceQuirks: [], wire: 'tutti', adaptive: false, contacts: 'one' };
  expect(withoutFormerFields({ nodes: 5, ...former })).toEqual({ nodes: 5 });
  expect(() => withoutFormerFields({ adaptive: true })).toThrow(
    'adaptive: expected false, the only value in versions after',
  );
  expect(() => withoutFormerFields({ referenceQuirks: ['one-round'] })).toThrow(
    'referenceQuirks: expected none, the only value in versions after 88344e17, got an array of 1',
  );
});
