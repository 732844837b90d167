import { type AggregationScheme, requireNodeArguments } from '../contribution/scheme.ts';
import { screenForm } from '../contribution/screening.ts';
import { expected } from '../errors.ts';
import { type Mesh, placeOf } from '../overlay/mesh.ts';
import { type Contribution, noContribution, type Port, type ProtocolNode, TraceKind } from '../protocol.ts';
import type { ScreeningRefusal } from '../refusals.ts';
import { Fifo } from './fifo.ts';
import { Union } from './union.ts';
import { Verification } from './verification.ts';

/**
 * Length of a signer's id on the wire: 4 bytes (32 bits, v1.03 section 6). A message must name its signer, because the
 * signer is usually not the sender.
 */
export const signerIdBytes = 4;

/** Level that all messages name. The mesh has only this level. */
const level0 = 0;

/** Marker in `#known` for a signer whose contribution has been verified. */
const verified = -1;

/** Parameters that both gossip nodes have in common. */
export interface GossipOptions {
  readonly id: number;
  readonly scheme: AggregationScheme;
  /** Number of individual contributions that an output must contain, 1 to N. */
  readonly threshold: number;
  readonly mesh: Mesh;
  /** The node's individual contribution. The node retains this contribution for its whole lifetime. */
  readonly own: Contribution;
  readonly port: Port;
}

/** Returns a node's neighbours. @throws TypeError if the mesh does not contain the node. */
export function neighboursOf(mesh: Mesh, id: number): Int32Array {
  const neighbours = mesh?.[id];
  if (neighbours === undefined) throw new TypeError(expected('mesh', `the neighbours of node ${id}`, mesh));
  return neighbours;
}

/**
 * A node that floods individual contributions over a random mesh. The node verifies a contribution of each signer, then
 * forwards the valid contribution to all neighbours except the sender. Copies of verified or pending contributions are
 * dropped. No contribution goes to the same neighbour twice, so a run ends when no node sends messages any more.
 */
export class GossipOfIndividualsNode implements ProtocolNode {
  readonly #scheme: AggregationScheme;
  readonly #neighbours: Int32Array;
  readonly #own: Contribution;
  readonly #port: Port;
  readonly #union: Union;
  readonly #verification: Verification;
  /**
   * Pending contributions, at most one per signer and neighbour, stored as pairs of a contribution and the index of the
   * neighbour that sent it.
   */
  readonly #pending = new Fifo();
  /** State of each signer: the signer's first pending contribution, noContribution, or {@link verified}. */
  readonly #known: Int32Array;
  /** Flag per neighbour: 1 if the neighbour has sent an invalid contribution, otherwise 0. */
  readonly #blacklisted: Uint8Array;
  #started = false;

  /** @throws RangeError for an id or a threshold out of range; TypeError for a mesh that does not contain the node. */
  constructor(options: GossipOptions) {
    requireNodeArguments(options);
    const { id, scheme, threshold, mesh, own, port } = options;
    this.#neighbours = neighboursOf(mesh, id);
    scheme.retain(own);
    this.#scheme = scheme;
    this.#own = own;
    this.#port = port;
    this.#union = new Union(scheme, port, threshold, own);
    this.#verification = new Verification(port);
    this.#known = new Int32Array(scheme.tree.nodes).fill(noContribution);
    this.#known[id] = verified;
    this.#blacklisted = new Uint8Array(this.#neighbours.length);
  }

  start(): void {
    if (this.#started) throw new RangeError('start: expected one call, got a second call');
    this.#started = true;
    this.#union.offer();
    this.#forward(this.#own, -1);
    this.#verifyNext();
  }

  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    const place = placeOf(this.#neighbours, from);
    const refusal = this.#screen(from, place, level, aggregate, individual, flags);
    if (refusal !== undefined) {
      this.#port.refuse(level, from, refusal);
      return;
    }
    const signer = this.#signer(aggregate);
    const known = this.#known[signer]!;
    if (known === verified || known === aggregate) return;
    // Another contribution of this signer is pending. The pending contribution may be invalid, so the node also keeps
    // this one: at most one per signer and neighbour.
    if (known === noContribution) this.#known[signer] = aggregate;
    else if (this.#hasPending(signer, place)) return;
    this.#scheme.retain(aggregate);
    this.#pending.push(aggregate);
    this.#pending.push(place);
    this.#verifyNext();
  }

  onTimer(_timer: number): void {}

  onVerified(ticket: number, valid: boolean): void {
    this.#verification.end(ticket);
    const { contribution, sender } = this.#verification;
    const signer = this.#signer(contribution);
    if (valid) {
      this.#known[signer] = verified;
      this.#union.add(contribution);
      this.#union.offer();
      this.#forward(contribution, sender);
    } else {
      this.#known[signer] = this.#nextPending(signer);
      this.#blacklisted[placeOf(this.#neighbours, sender)] = 1;
      this.#port.trace(TraceKind.blacklisted, level0, sender, noContribution);
    }
    this.#scheme.release(contribution);
    this.#verifyNext();
  }

  #forward(contribution: Contribution, from: number): void {
    for (const neighbour of this.#neighbours) {
      if (neighbour !== from) this.#port.send(neighbour, level0, contribution, noContribution, 0);
    }
  }

  /**
   * Starts the verification of the next pending contribution. Contributions from neighbours that have been blacklisted
   * since are verified too, because the node may have dropped copies from other neighbours.
   */
  #verifyNext(): void {
    if (!this.#started || this.#verification.underWay) return;
    while (this.#pending.length > 0) {
      const contribution = this.#pending.shift();
      const sender = this.#neighbours[this.#pending.shift()]!;
      if (this.#known[this.#signer(contribution)] !== verified) {
        this.#verification.begin(level0, sender, contribution);
        return;
      }
      this.#scheme.release(contribution);
    }
  }

  /** Returns the signer of an individual contribution, or a negative number for any other contribution. */
  #signer(contribution: Contribution): number {
    const { tree } = this.#scheme;
    const block = this.#scheme.block(contribution);
    return tree.order(block) === 0 ? tree.start(block) : -1;
  }

  #hasPending(signer: number, place: number): boolean {
    for (let at = 0; at < this.#pending.length; at += 2) {
      if (this.#pending.at(at + 1) === place && this.#signer(this.#pending.at(at)) === signer) return true;
    }
    return false;
  }

  #nextPending(signer: number): Contribution {
    for (let at = 0; at < this.#pending.length; at += 2) {
      if (this.#signer(this.#pending.at(at)) === signer) return this.#pending.at(at);
    }
    return noContribution;
  }

  #screen(
    from: number,
    place: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
  ): ScreeningRefusal | undefined {
    const refusal = screenForm(this.#scheme, from, aggregate, flags, 0);
    if (refusal !== undefined) return refusal;
    if (place === -1) return 'sender-not-in-peer-set';
    if (level !== level0) return 'level-out-of-range';
    if (this.#signer(aggregate) < 0) return 'wrong-span';
    if (individual !== noContribution) return 'not-individual';
    return this.#blacklisted[place] === 1 ? 'blacklisted' : undefined;
  }
}
