import { levelMessages, type MessageForm } from '@tutti/core';
import { readUint } from '@tutti/core/input';
import { individualMessages, relayedMessages, wholeMessages } from '@tutti/core/protocols';
import { defaultScenario, type HonestNodes, type Scenario } from '@tutti/simulation';
import { honestNodes } from '@tutti/simulation/engine';
import { handelProtocol, type Round, type RoundProtocol } from '@tutti/transports';

/** A protocol as a cluster runs it: how its messages travel, and the scenario that has the same nodes simulated. */
interface ClusterProtocol {
  readonly messages: MessageForm;
  readonly scenario: Partial<Scenario>;
}

const { completeGraph, gossip } = defaultScenario;

/** Protocols that a cluster's rounds can run, as `--protocol` names them. */
export const clusterProtocolNames = [
  'handel',
  'complete-graph',
  'complete-graph-bulk',
  'san-fermin',
  'gossip',
  'gossip-aggregates',
] as const;
export type ClusterProtocolName = (typeof clusterProtocolNames)[number];

export const clusterProtocols = {
  handel: { messages: levelMessages, scenario: { protocol: 'handel' } },
  'complete-graph': {
    messages: individualMessages,
    scenario: { protocol: 'complete-graph', completeGraph: { ...completeGraph, verification: 'each' } },
  },
  'complete-graph-bulk': {
    messages: individualMessages,
    scenario: { protocol: 'complete-graph', completeGraph: { ...completeGraph, verification: 'bulk' } },
  },
  'san-fermin': { messages: levelMessages, scenario: { protocol: 'san-fermin' } },
  gossip: {
    messages: relayedMessages,
    scenario: { protocol: 'gossip', gossip: { ...gossip, of: 'individuals' } },
  },
  'gossip-aggregates': {
    messages: wholeMessages,
    scenario: { protocol: 'gossip', gossip: { ...gossip, of: 'aggregates' } },
  },
} as const satisfies Record<ClusterProtocolName, ClusterProtocol>;

/** A partner of San Fermín has this many periods to answer, since nodes that share a core wait for each other. */
const replyPeriods = 10;
const maxReplyMs = 600_000;

/** What a scenario says of a protocol whose nodes have a dissemination period, ms. */
export function protocolScenario(name: ClusterProtocolName, periodMs: number) {
  const { sanFermin } = defaultScenario;
  const replyTimeoutMs = Math.min(maxReplyMs, Math.max(sanFermin.replyTimeoutMs, replyPeriods * periodMs));
  return {
    ...clusterProtocols[name].scenario,
    periodMs,
    sanFermin: { ...sanFermin, replyTimeoutMs },
  } satisfies Partial<Scenario>;
}

/** The simulator's nodes of a protocol, on real sockets. Their mesh, where they have one, follows from a round's seed. */
export function roundProtocol(name: ClusterProtocolName): RoundProtocol {
  if (name === 'handel') return handelProtocol;
  const { messages } = clusterProtocols[name];
  const made = new WeakMap<Round, HonestNodes>();
  return {
    messages,
    createNode({ id, round, own, config }, port) {
      const { scheme, priorities, seed, quorum } = round;
      let nodes = made.get(round);
      if (nodes === undefined) {
        const ofRound = {
          ...defaultScenario,
          ...protocolScenario(name, config.disseminationPeriodMs),
          nodes: scheme.tree.nodes,
          seed: readUint(seed, 0, 4),
        };
        nodes = honestNodes(ofRound, scheme, priorities, config.threshold, undefined, quorum);
        made.set(round, nodes);
      }
      return nodes(id, own, port);
    },
  };
}
