import { requireNodeArguments } from '../contribution/nodeArguments.ts';
import type { AggregationScheme } from '../contribution/scheme.ts';
import { expected } from '../errors.ts';
import { type Mesh, placeOf } from '../overlay/mesh.ts';
import { type Contribution, noContribution, type Port, type ProtocolNode, TraceKind } from '../protocol.ts';
import type { ScreeningRefusal } from '../refusals.ts';
import { Union } from './union.ts';
import { Fifo, screenForm, Verification } from './verification.ts';

/**
 * Bytes of a signer's id on the wire, 32 bits (v1.03 section 6). A message names its signer, which is usually not the
 * sender.
 */
export const signerIdBytes = 4;

/** All messages are on this level: there are no others. */
const level0 = 0;

/** In the place of a signer's pending contribution: one was verified already. */
const verified = -1;

export interface GossipOptions {
  readonly id: number;
  readonly scheme: AggregationScheme;
  /** Contributions that an output must contain, 1 to N. */
  readonly threshold: number;
  readonly mesh: Mesh;
  /** The node's individual contribution; retained for as long as the node lives. */
  readonly own: Contribution;
  readonly port: Port;
}

/**
 * A node that floods individual contributions over a random mesh: it verifies each signer's contribution the first time
 * it comes, then forwards it to all its neighbours but the one that it came from. Copies of what is verified or waits
 * for it are dropped unseen. Nothing is ever sent twice to one neighbour, so a run ends in silence.
 */
export class GossipOfIndividualsNode implements ProtocolNode {
  readonly #scheme: AggregationScheme;
  readonly #neighbours: Int32Array;
  readonly #own: Contribution;
  readonly #port: Port;
  readonly #union: Union;
  readonly #verification: Verification;
  /** What waits to be verified: pairs of a contribution and the place of the neighbour that sent it. */
  readonly #pending = new Fifo();
  /** Per signer: its contribution that came first of those pending, noContribution, or {@link verified}. */
  readonly #known: Int32Array;
  /** Per neighbour: 1 once it has sent an invalid contribution. */
  readonly #blacklisted: Uint8Array;
  #started = false;

  /** @throws RangeError for an id or a threshold out of its range. */
  constructor(options: GossipOptions) {
    requireNodeArguments(options);
    const { id, scheme, threshold, mesh, own, port } = options;
    if (mesh?.[id] === undefined) throw new TypeError(expected('mesh', `the neighbours of node ${id}`, mesh));
    const { nodes } = scheme.tree;
    scheme.retain(own);
    this.#scheme = scheme;
    this.#neighbours = mesh[id]!;
    this.#own = own;
    this.#port = port;
    this.#union = new Union(scheme, port, threshold, own);
    this.#verification = new Verification(port);
    this.#known = new Int32Array(nodes).fill(noContribution);
    this.#known[id] = verified;
    this.#blacklisted = new Uint8Array(this.#neighbours.length);
  }

  start(): void {
    if (this.#started) throw new RangeError(expected('start', 'to be called once', 'again'));
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
    // A second contribution in the name of a signer that has one pending: one of the two is a lie, and it may be the
    // first.
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

  /** Pending contributions, for tests of the bound: one for each signer and neighbour. */
  get pending(): number {
    return this.#pending.length / 2;
  }

  #forward(contribution: Contribution, from: number): void {
    for (const neighbour of this.#neighbours) {
      if (neighbour !== from) this.#port.send(neighbour, level0, contribution, noContribution, 0);
    }
  }

  /** What a blacklisted neighbour sent before is still verified, because others' copies of it may have been dropped. */
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

  /** Who signed an individual contribution; negative for any other. */
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
