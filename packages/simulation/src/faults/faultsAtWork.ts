import type { ForgingScheme, Port, ProtocolNode } from '@tutti/core';
import type { Scenario } from '../scenario/scenario.ts';
import { FaultyNode } from './faultyNode.ts';
import { type Carrier, LinkFaults } from './linkFaults.ts';
import type { NodeFaults } from './nodeFaults.ts';
import { InjectedCounts, type PlannedFaults } from './planned.ts';

/** What a run does for its faults. */
export interface FaultHost extends Carrier {
  /** A node has lost its state: what it promised and what it gave out before is its no more. */
  forget(id: number): void;
}

/**
 * A scenario's fault plan at work in a run: on the messages of all nodes, and around the honest nodes that it names.
 */
export class FaultsAtWork {
  readonly links: LinkFaults;
  readonly counts = new InjectedCounts();
  readonly #scheme: ForgingScheme;
  readonly #host: FaultHost;
  readonly #byNode: ReadonlyMap<number, NodeFaults>;
  readonly #faulty = new Map<number, FaultyNode>();

  constructor(
    { nodes, seed, authenticated }: Scenario,
    { all: faults, byNode }: PlannedFaults,
    scheme: ForgingScheme,
    host: FaultHost,
  ) {
    this.#scheme = scheme;
    this.#host = host;
    this.#byNode = byNode;
    this.links = new LinkFaults({ faults, nodes, seed, scheme, authenticated, carrier: host, counts: this.counts });
  }

  /** The node that `make` makes, in the faults that are planned for it. */
  around(id: number, port: Port, make: (port: Port) => ProtocolNode): ProtocolNode {
    const faults = this.#byNode.get(id);
    if (faults === undefined) return make(port);
    const node = new FaultyNode({
      faults,
      port,
      scheme: this.#scheme,
      make,
      onStateLost: () => this.#host.forget(id),
      count: (what) => this.counts.count(what),
    });
    this.#faulty.set(id, node);
    return node;
  }

  /** Whether the verification with that ticket was asked for by a node that has lost its state since. */
  isForgotten(id: number, ticket: number): boolean {
    return this.#faulty.get(id)?.hasForgotten(ticket) === true;
  }
}
