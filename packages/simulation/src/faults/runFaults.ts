import type { ForgingScheme, Port, ProtocolNode } from '@tutti/core';
import type { Scenario } from '../scenario/scenario.ts';
import { FaultyNode } from './faultyNode.ts';
import { type Carrier, LinkFaults } from './linkFaults.ts';
import { InjectedCounts, type NodeFaults, type PlannedFaults } from './nodeFaults.ts';

/** Functions of a run that its faults call. */
export interface FaultHost extends Carrier {
  /** Handles the loss of a node's state, which voids the node's promises and outputs. */
  forget(id: number): void;
}

/** The faults of a run: those of all nodes' messages, and those of the honest nodes that the plan names. */
export class RunFaults {
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

  /** Returns the node created by `make`, with its planned faults. */
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

  /** Returns whether the verification with the given ticket was requested before the node lost its state. */
  isForgotten(id: number, ticket: number): boolean {
    return this.#faulty.get(id)?.hasForgotten(ticket) === true;
  }
}
