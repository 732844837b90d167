import { expect, it } from 'vitest';
import { outcomeOf } from '../../../../tests/digests.ts';
import { defaultScenario, type Scenario, validateScenario } from './scenario.ts';

it('what does not go together is refused, and named', () => {
  const wrong: Partial<Scenario>[] = [
    ...([{ branching: 4, protocol: 'gossip' }] as Partial<Scenario>[]),
    ...[{ nodes: 8, absent: 9 }, { nodes: 8, absent: 8 }, { threshold: 1.5 }, { nodes: 8, threshold: 9 }],
    ...([{ cpu: { ...defaultScenario.cpu, perMessageUs: 1 } }, { deadBy: 'machine' }] as Partial<Scenario>[]),
    ...([{ cpu: { ...defaultScenario.cpu, startsApartMs: 1 } }] as Partial<Scenario>[]),
    ...[
      { dead: 0.5, attacks: [{ name: 'silent', share: 0.5 }] },
      { dead: 0.49, attacks: [{ name: 'silent', share: 0.5 }] },
    ],
    ...([{ attacks: [{ name: 'first-places', share: 0.2 }], attackBy: 'weight' }] as Partial<Scenario>[]),
    ...([{ protocol: 'gossip', attacks: [{ name: 'censor', share: 0.2 }] }] as Partial<Scenario>[]),
    ...([
      { weights: 'pareto:1', protocol: 'gossip' },
      { weights: 'pareto:1', threshold: 5 },
    ] as Partial<Scenario>[]),
    ...[
      { weights: '3x1', nodes: 4 },
      { weights: '4x1', nodes: 4 },
      { weights: 'pareto:1', nodes: 8193 },
    ],
    ...([
      { weights: 'pareto:1', nodes: 8192 },
      { weights: 'pareto:1', nodes: 8193, prioritiesBy: 'id' },
    ] as Partial<Scenario>[]),
    ...([
      { weights: '4x1', nodes: 4, protocol: 'complete-graph', completeGraph: { verification: 'bulk' } },
    ] as Partial<Scenario>[]),
  ];
  expect(
    wrong.map((fields) => [fields, outcomeOf(() => validateScenario({ ...defaultScenario, ...fields }))]),
  ).toMatchInlineSnapshot(`
    [
      [
        {
          "branching": 4,
          "protocol": "gossip",
        },
        "RangeError: protocol with branching 4: expected handel, got "gossip"",
      ],
      [
        {
          "absent": 9,
          "nodes": 8,
        },
        "RangeError: absent: expected a share, or a number of nodes up to 8, got 9",
      ],
      [
        {
          "absent": 8,
          "nodes": 8,
        },
        undefined,
      ],
      [
        {
          "threshold": 1.5,
        },
        "RangeError: threshold: expected a share over 0 and up to 1, or a count of 2 or more, got 1.5",
      ],
      [
        {
          "nodes": 8,
          "threshold": 9,
        },
        "RangeError: threshold: expected a share, or a count up to 8, got 9",
      ],
      [
        {
          "cpu": {
            "nodesPerCore": 0,
            "perKeyUs": 0,
            "perMessageUs": 1,
            "sliceMs": 0,
            "spread": 3,
            "startsApartMs": 0,
          },
        },
        "RangeError: cpu.nodesPerCore: expected at least 1 where messages cost something, got 0",
      ],
      [
        {
          "deadBy": "machine",
        },
        "RangeError: network of a run with machines: expected aws-blocks or aws-blocks:MACHINES, got "aws"",
      ],
      [
        {
          "cpu": {
            "nodesPerCore": 0,
            "perKeyUs": 0,
            "perMessageUs": 0,
            "sliceMs": 0,
            "spread": 3,
            "startsApartMs": 1,
          },
        },
        "RangeError: network of a run with machines: expected aws-blocks or aws-blocks:MACHINES, got "aws"",
      ],
      [
        {
          "attacks": [
            {
              "name": "silent",
              "share": 0.5,
            },
          ],
          "dead": 0.5,
        },
        "RangeError: dead and Byzantine shares together: expected under 1, got 1",
      ],
      [
        {
          "attacks": [
            {
              "name": "silent",
              "share": 0.5,
            },
          ],
          "dead": 0.49,
        },
        undefined,
      ],
      [
        {
          "attackBy": "weight",
          "attacks": [
            {
              "name": "first-places",
              "share": 0.2,
            },
          ],
        },
        "RangeError: attackBy with first-places, which chooses its ids: expected nodes, got "weight"",
      ],
      [
        {
          "attacks": [
            {
              "name": "censor",
              "share": 0.2,
            },
          ],
          "protocol": "gossip",
        },
        "RangeError: protocol under attack by censor: expected handel, got "gossip"",
      ],
      [
        {
          "protocol": "gossip",
          "weights": "pareto:1",
        },
        "RangeError: protocol with weights: expected handel or complete-graph, got "gossip"",
      ],
      [
        {
          "threshold": 5,
          "weights": "pareto:1",
        },
        "RangeError: threshold with weights: expected a share of the live weight, got 5",
      ],
      [
        {
          "nodes": 4,
          "weights": "3x1",
        },
        "RangeError: weights: expected one for each of 4 nodes, got 3",
      ],
      [
        {
          "nodes": 4,
          "weights": "4x1",
        },
        undefined,
      ],
      [
        {
          "nodes": 8193,
          "weights": "pareto:1",
        },
        "RangeError: nodes with priorities by weight: expected at most 8192; or prioritiesBy id, got 8193",
      ],
      [
        {
          "nodes": 8192,
          "weights": "pareto:1",
        },
        undefined,
      ],
      [
        {
          "nodes": 8193,
          "prioritiesBy": "id",
          "weights": "pareto:1",
        },
        undefined,
      ],
      [
        {
          "completeGraph": {
            "verification": "bulk",
          },
          "nodes": 4,
          "protocol": "complete-graph",
          "weights": "4x1",
        },
        "RangeError: verification with weights: expected each, got "bulk"",
      ],
    ]
  `);
});
