import { levelMessages, type MessageForm } from '@tutti/core';
import { readUint } from '@tutti/core/input';
import { individualMessages, relayedMessages, wholeMessages } from '@tutti/core/protocols';
import { defaultScenario, type HonestNodes, type Scenario } from '@tutti/simulation';
import { honestNodes } from '@tutti/simulation/engine';
import { handelProtocol, type Round, type RoundProtocol } from '@tutti/transports';

/** A protocol as a cluster runs it: how its messages travel, and the scenario that has the same nodes simulated. */
interface ClusterProtocol {
  readonly title: string;
  readonly messages: MessageForm;
  readonly scenario: Partial<Scenario>;
}

const { completeGraph, gossip } = defaultScenario;

/** What `--protocol` takes. */
export const clusterProtocols = {
  handel: { title: 'Handel', messages: levelMessages, scenario: { protocol: 'handel' } },
  'complete-graph': {
    title: 'complete graph, verified one by one',
    messages: individualMessages,
    scenario: { protocol: 'complete-graph', completeGraph: { ...completeGraph, verification: 'each' } },
  },
  'complete-graph-bulk': {
    title: 'complete graph, verified in bulk',
    messages: individualMessages,
    scenario: { protocol: 'complete-graph', completeGraph: { ...completeGraph, verification: 'bulk' } },
  },
  'san-fermin': { title: 'San Fermín', messages: levelMessages, scenario: { protocol: 'san-fermin' } },
  gossip: {
    title: 'gossip of individual signatures',
    messages: relayedMessages,
    scenario: { protocol: 'gossip', gossip: { ...gossip, of: 'individuals' } },
  },
  'gossip-aggregates': {
    title: 'gossip of aggregates',
    messages: wholeMessages,
    scenario: { protocol: 'gossip', gossip: { ...gossip, of: 'aggregates' } },
  },
} as const satisfies Record<string, ClusterProtocol>;
export type ClusterProtocolName = keyof typeof clusterProtocols;
export const clusterProtocolNames = Object.keys(clusterProtocols) as ClusterProtocolName[];

/** The simulator's nodes of a protocol, on real sockets. Their mesh, where they have one, follows from a round's seed. */
export function roundProtocol(name: ClusterProtocolName): RoundProtocol {
  if (name === 'handel') return handelProtocol;
  const { messages, scenario } = clusterProtocols[name];
  const made = new WeakMap<Round, HonestNodes>();
  return {
    messages,
    createNode({ id, round, own, config }, port) {
      const { scheme, priorities, seed, quorum } = round;
      let nodes = made.get(round);
      if (nodes === undefined) {
        const ofRound = {
          ...defaultScenario,
          ...scenario,
          nodes: scheme.tree.nodes,
          periodMs: config.disseminationPeriodMs,
          seed: readUint(seed, 0, 4),
        };
        nodes = honestNodes(ofRound, scheme, priorities, config.threshold, undefined, quorum);
        made.set(round, nodes);
      }
      return nodes(id, own, port);
    },
  };
}
