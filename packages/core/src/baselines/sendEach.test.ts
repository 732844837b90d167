import { describe, expect, it } from 'vitest';
import type { Port } from '../protocol.ts';
import { defaultScenario, type Scenario } from '../simulation/scenario.ts';
import { simulate } from '../simulation/simulation.ts';
import { CompleteGraphNode } from './completeGraph.ts';

/** The port with nothing but what every runtime has. */
function oneByOne(port: Port): Port {
  return {
    nowUs: () => port.nowUs(),
    send: (to, level, aggregate, individual, flags) => port.send(to, level, aggregate, individual, flags),
    setTimer: (delayUs, timer) => port.setTimer(delayUs, timer),
    verify: (contribution, level, peer) => port.verify(contribution, level, peer),
    output: (contribution) => port.output(contribution),
    refuse: (level, peer, code) => port.refuse(level, peer, code),
    trace: (kind, level, peer, contribution) => port.trace(kind, level, peer, contribution),
  };
}

describe('a run is the same whether the runtime sends to many at once or to one at a time', () => {
  const runs: [string, Partial<Scenario>][] = [
    ['with messages as encoded', {}],
    ['with messages as long as the Go reference’s', { wire: 'go-reference' }],
    ['with messages of Handel as long as the Go reference’s', { wire: 'go-reference', protocol: 'handel' }],
    ['with nodes that are absent', { absent: 0.1 }],
    ['with faulty links', { faults: [{ kind: 'loss', share: 0.2 }] }],
    ['with cores that nodes share', { cpu: { ...defaultScenario.cpu, nodesPerCore: 8, perMessageUs: 30 } }],
  ];
  it.each(runs)('%s', (_what, parts) => {
    const scenario: Scenario = { ...defaultScenario, protocol: 'complete-graph', nodes: 150, seed: 3, ...parts };
    const results = [(port: Port) => port, oneByOne].map((through) =>
      simulate(scenario, {
        nodes:
          ({ scheme, threshold }) =>
          (id, own, port) =>
            new CompleteGraphNode({ id, scheme, threshold, own, port: through(port) }),
      }),
    );
    expect(results[1]).toEqual(results[0]);
    expect(results[0]!.messagesSent.min).toBeGreaterThanOrEqual(149);
  });
});
