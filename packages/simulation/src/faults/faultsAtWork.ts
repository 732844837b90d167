import type { ForgingScheme, Port, ProtocolNode } from '@tutti/core';
import type { Scenario } from '../scenario/scenario.ts';
import { FaultyNode } from './faultyNode.ts';
import { type Carrier, LinkFaults } from './linkFaults.ts';
import type { NodeFaults } from './nodeFaults.ts';
import { InjectedCounts, type PlannedFaults } from './planned.ts';

/** Functions of a run that faults call. */
export interface FaultHost extends Carrier {
  /** Handles the loss of a node's state, which voids its promises and its outputs. */
  forget(id: number): void;
}

/**
 * The faults of a scenario in a run: those of all nodes' messages, and those of the honest nodes that the plan names.
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

  /** Returns the node that `make` creates, with its planned faults. */
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

  /** Returns whether the verification with that ticket was requested before the node lost its state. */
  isForgotten(id: number, ticket: number): boolean {
    return this.#faulty.get(id)?.hasForgotten(ticket) === true;
  }
}
