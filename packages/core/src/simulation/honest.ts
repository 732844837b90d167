import type { AggregationScheme } from '../contribution/scheme.ts';
import { defaultHandelConfig, type HandelConfig } from '../handel/config.ts';
import { HandelMemory } from '../handel/memory.ts';
import { HandelNode } from '../handel/node.ts';
import { IndependentPriorities } from '../overlay/independentPriorities.ts';
import { ShiftedPriorities } from '../overlay/shiftedPriorities.ts';
import type { VerificationPriorities } from '../overlay/verificationPriority.ts';
import type { Contribution, Port, ProtocolNode } from '../protocol.ts';
import type { Scenario } from './scenario.ts';

/** Makes the nodes of a run that keep its protocol. */
export type HonestNodes = (id: number, own: Contribution, port: Port) => ProtocolNode;

export function createPriorities({ priorities, nodes, seed }: Scenario): VerificationPriorities {
  return priorities === 'shifted' ? new ShiftedPriorities(nodes, seed) : new IndependentPriorities(nodes, seed);
}

/** @param threshold contributions that an output must contain. */
export function honestNodes(
  scenario: Scenario,
  scheme: AggregationScheme,
  priorities: VerificationPriorities,
  threshold: number,
): HonestNodes {
  switch (scenario.protocol) {
    case 'handel': {
      // Field by field, for a spread gives each run's object another shape, and the compiled code of the run before is thrown away.
      const config: HandelConfig = {
        threshold,
        disseminationPeriodMs: scenario.periodMs,
        levelStartMs: scenario.levelStartMs,
        fastPathPeers: scenario.fastPath,
        window: defaultHandelConfig.window,
        without: scenario.without,
      };
      const memory = new HandelMemory({ config, scheme, priorities });
      return (id, own, port) => new HandelNode({ id, config, scheme, priorities, own, port, memory });
    }
    default:
      throw new RangeError(`protocol: ${scenario.protocol} is not there yet`);
  }
}
