import type { ProtocolName } from '../attacks/attack.ts';
import { defaultScenario } from './scenario.ts';
import type { Scenario } from './scenarioType.ts';

/** Properties of a protocol that commands and pages show or use. */
export interface Protocol {
  /** Title, in one sentence. */
  readonly title: string;
  /** Whether nodes exchange contributions level by level, so that a tree can be drawn. */
  readonly hasLevels: boolean;
  /** Whether every contribution goes to every node separately. */
  readonly isToEveryone: boolean;
  /** Position of the protocol in the race, counted from the top. */
  readonly lane: number;
  /** Returns the protocol's own settings as text to append to its name; empty if there are none. */
  settingsText(scenario: Scenario): string;
  /**
   * Returns the number of events in a run, if predictable. The error is at most a tenth, for Handel from 1,024 nodes on
   * and for the other protocols from 256 nodes on.
   *
   * @param isDefaultBut returns whether only the protocol, the number of nodes, the seed and these fields differ from
   * their defaults.
   */
  expectedEvents(scenario: Scenario, isDefaultBut: (free: Partial<Scenario>) => boolean): number | undefined;
}

/**
 * Maximum number of nodes with which gossip of aggregates finishes. Runs with more nodes are stopped before they
 * finish.
 */
const maxOfAggregates = 2048;

/** Properties of each protocol. A missing row causes a compile-time error. */
export const protocols: { readonly [K in ProtocolName]: Protocol } = {
  handel: {
    title: 'Handel',
    hasLevels: true,
    isToEveryone: false,
    lane: 0,
    settingsText: () => '',
    // A line fitted to measured runs.
    expectedEvents: ({ nodes }, isDefaultBut) =>
      isDefaultBut({}) ? nodes * (68 + 0.87 * Math.log2(nodes) ** 2) : undefined,
  },
  'complete-graph': {
    title: 'complete graph',
    hasLevels: false,
    isToEveryone: true,
    lane: 2,
    settingsText: ({ completeGraph }) => ` (verification: ${completeGraph.verification})`,
    expectedEvents: () => undefined,
  },
  'san-fermin': {
    title: 'San Fermín',
    hasLevels: true,
    isToEveryone: false,
    lane: 1,
    settingsText({ sanFermin: { candidates, replyTimeoutMs, exhausted } }) {
      const then = exhausted === 'wait' ? ', waits after asking all partners' : '';
      return ` (candidates at a time: ${candidates}, timeout ${replyTimeoutMs} ms${then})`;
    },
    expectedEvents: ({ nodes }, isDefaultBut) =>
      isDefaultBut({}) ? nodes * (0.6 + 3.43 * Math.log2(nodes)) : undefined,
  },
  gossip: {
    title: 'gossip',
    hasLevels: false,
    isToEveryone: true,
    lane: 3,
    settingsText: ({ gossip }) => ` of ${gossip.of} (degree ${gossip.degree})`,
    expectedEvents({ nodes, gossip, network, tor, desyncMs, verifyMs }, isDefaultBut) {
      if (gossip.of === 'individuals') {
        // Every node verifies each contribution once, and receives the contribution from all its neighbours except one.
        return isDefaultBut({ gossip, network, tor, desyncMs, verifyMs }) ? nodes ** 2 * gossip.degree : undefined;
      }
      const { degree } = defaultScenario.gossip;
      return nodes <= maxOfAggregates && isDefaultBut({ gossip: { of: 'aggregates', degree } })
        ? 2.15 * nodes ** 2
        : undefined;
    },
  },
};
