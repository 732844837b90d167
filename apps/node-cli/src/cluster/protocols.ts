import { individualMessages, levelMessages, type MessageForm, relayedMessages, wholeMessages } from '@tutti/core';
import { readUint } from '@tutti/core/input';
import { defaultScenario, type HonestNodes, type Scenario } from '@tutti/simulation';
import { honestNodes } from '@tutti/simulation/engine';
import { handelProtocol, type Round, type RoundProtocol } from '@tutti/transports';

/** A protocol for a cluster: the format of its messages, and the fields of a scenario that simulates the same nodes. */
interface ClusterProtocol {
  readonly messages: MessageForm;
  readonly scenario: Partial<Scenario>;
}

const { completeGraph, gossip } = defaultScenario;

/**
 * Names of the protocols that the rounds of a cluster can run, as accepted by `--protocol`. They are a list of texts,
 * because `npm run schemas` cannot derive them from the keys of {@link clusterProtocols}.
 */
export const clusterProtocolNames = [
  'handel',
  'complete-graph',
  'complete-graph-bulk',
  'san-fermin',
  'gossip',
  'gossip-aggregates',
] as const;
/** Name of a protocol that a cluster can run. */
export type ClusterProtocolName = (typeof clusterProtocolNames)[number];

/** Protocols that a cluster can run, by name. */
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

/**
 * Timeout for the reply of a partner in San Fermín, in dissemination periods. The timeout is long because nodes that
 * share a core delay each other.
 */
const replyPeriods = 10;
/** Maximum timeout for the reply of a partner, ms. */
const maxReplyMs = 600_000;

/**
 * Returns the fields of a scenario that simulates the protocol with a dissemination period of `periodMs` milliseconds.
 */
export function protocolScenario(name: ClusterProtocolName, periodMs: number) {
  const { sanFermin } = defaultScenario;
  const replyTimeoutMs = Math.min(maxReplyMs, Math.max(sanFermin.replyTimeoutMs, replyPeriods * periodMs));
  return {
    ...clusterProtocols[name].scenario,
    periodMs,
    sanFermin: { ...sanFermin, replyTimeoutMs },
  } satisfies Partial<Scenario>;
}

/**
 * Returns a protocol for nodes with real sockets: {@link handelProtocol}, or a baseline that runs the simulator's
 * nodes. The round's seed determines the mesh of a baseline's nodes.
 */
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
        const scenario = {
          ...defaultScenario,
          ...protocolScenario(name, config.disseminationPeriodMs),
          nodes: scheme.tree.nodes,
          seed: readUint(seed, 0, 4),
        };
        nodes = honestNodes({ scenario, scheme, priorities, threshold: config.threshold, quorum });
        made.set(round, nodes);
      }
      return nodes(id, own, port);
    },
  };
}
