import { defaultScenario } from './scenario.ts';
import type { ProtocolName, Scenario } from './scenarioType.ts';

/** What commands and pages have to know of a protocol: whatever they say or draw of one is in its row. */
export interface Protocol {
  /** In a sentence. */
  readonly title: string;
  /** Whether nodes meet level by level, so that there is a tree to draw. */
  readonly hasLevels: boolean;
  /** Whether every contribution goes to every node separately. */
  readonly isToEveryone: boolean;
  /** Its place in the race, from above. */
  readonly lane: number;
  /** The settings that are its own, as they stand behind its name; nothing where it has none. */
  settingsText(scenario: Scenario): string;
  /**
   * The number of events in a run, if it can be predicted. Within a tenth of the events counted, from 1,024 nodes on for
   * Handel, from 256 on for the others.
   *
   * @param isDefaultBut whether only the protocol, the number of nodes, the seed and these fields are other than by
   *   default.
   */
  expectedEvents(scenario: Scenario, isDefaultBut: (free: Partial<Scenario>) => boolean): number | undefined;
}

/** Aggregates are gossiped until a run of more nodes is given up. */
const maxOfAggregates = 2048;

/** A protocol without its row does not compile. */
export const protocols: { readonly [K in ProtocolName]: Protocol } = {
  handel: {
    title: 'Handel',
    hasLevels: true,
    isToEveryone: false,
    lane: 0,
    settingsText: () => '',
    // A line through what runs came to.
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
      const then = exhausted === 'wait' ? ', waits when all were asked' : '';
      return ` (candidates at a time: ${candidates}, time-out ${replyTimeoutMs} ms${then})`;
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
        // Every node verifies each contribution once, and hears it from all its neighbours but one.
        return isDefaultBut({ gossip, network, tor, desyncMs, verifyMs }) ? nodes ** 2 * gossip.degree : undefined;
      }
      const { degree } = defaultScenario.gossip;
      return nodes <= maxOfAggregates && isDefaultBut({ gossip: { of: 'aggregates', degree } })
        ? 2.15 * nodes ** 2
        : undefined;
    },
  },
};
