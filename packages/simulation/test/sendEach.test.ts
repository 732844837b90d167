import { CompleteGraphNode, ForwardingPort, type Port } from '@tutti/core';
import { expect, it } from 'vitest';
import { simulate } from '../src/run/simulation.ts';
import { defaultScenario, type Scenario } from '../src/scenario/scenario.ts';
import type { SimulationOptions } from '../src/world/extensions.ts';

/** Returns the port without the optional methods that only some runtimes have. */
const oneByOne = (port: Port): Port => new ForwardingPort(port);

const runs: [string, Partial<Scenario>, SimulationOptions?][] = [
  ['with messages as encoded', {}],
  ['with lengths of messages of one’s own', {}, { messageBytes: () => (_aggregate, _individual, flags) => 7 + flags }],
  ['with nodes that are absent', { absent: 0.1 }],
  ['with faulty links', { faults: [{ kind: 'loss', share: 0.2 }] }],
  ['with cores that nodes share', { cpu: { ...defaultScenario.cpu, nodesPerCore: 8, perMessageUs: 30 } }],
];
it.each(runs)(
  'a run is the same whether the runtime sends to many peers at once or to one at a time: %s',
  (_what, parts, options = {}) => {
    const scenario: Scenario = { ...defaultScenario, protocol: 'complete-graph', nodes: 150, seed: 3, ...parts };
    const results = [(port: Port) => port, oneByOne].map((through) =>
      simulate(scenario, {
        ...options,
        nodes:
          ({ scheme, threshold }) =>
          (id, own, port) =>
            new CompleteGraphNode({ id, scheme, threshold, own, port: through(port) }),
      }),
    );
    expect(results[1]).toEqual(results[0]);
    expect(results[0]!.messagesSent.min).toBeGreaterThanOrEqual(149);
  },
);
