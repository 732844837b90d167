import { type AggregationScheme, requireNodeArguments } from '../contribution/scheme.ts';
import { screenForm } from '../contribution/screening.ts';
import { expected } from '../errors.ts';
import { addMember, emptySet, hasMember, type MemberSet, removeMember } from '../memberSet.ts';
import {
  type Contribution,
  knownFlags,
  MessageFlag,
  noContribution,
  type Port,
  type ProtocolNode,
  TraceKind,
} from '../protocol.ts';
import type { ScreeningRefusal } from '../refusals.ts';
import type { Quorum } from '../stakes/stakes.ts';
import { Fifo } from './fifo.ts';
import { sumOf, Union } from './union.ts';
import { Verification } from './verification.ts';

/**
 * Interval between the starts of consecutive rounds, ms. A round that takes longer is followed by the next round after
 * {@link burstMs}. In the slowest published run with 500 nodes, a node started a round every 500 ms for 12 s.
 */
const roundMs = 500;

/**
 * Number of messages that a node sends in one burst. In the published runs with 4,000 nodes, a node sent 6 to 7
 * messages per ms. In the published runs with 100 nodes, a node sent all messages at once.
 */
const burstMessages = 128;
/** Interval between consecutive bursts, ms. */
const burstMs = 20;

/** Level that all messages name. The complete graph has only this level. */
const level0 = 0;

/** Receivers of the current burst. All nodes share this array, because a port does not keep it after the call. */
const burstReceivers = new Int32Array(burstMessages);
/** Flags of the messages to the receivers of the current burst, also shared by all nodes. */
const burstFlags = new Uint8Array(burstMessages);

/** Value of `#bulk` during the verification of a single contribution. */
const noBulk: readonly Contribution[] = [];

/**
 * The two verification modes. With `each`, a node verifies every contribution separately, in order of arrival. With
 * `bulk`, a node aggregates the contributions and verifies the sum once it would reach the threshold, as in the
 * published runs.
 */
export const graphVerifications = ['each', 'bulk'] as const;
/** Verification mode: one of {@link graphVerifications}. */
export type GraphVerification = (typeof graphVerifications)[number];

/** Parameters of a {@link CompleteGraphNode}. */
export interface CompleteGraphOptions {
  readonly id: number;
  readonly scheme: AggregationScheme;
  /** Number of individual contributions that an output must contain, 1 to N. */
  readonly threshold: number;
  /**
   * Minimum weight of an output's signers, in addition to the threshold. With a quorum, a node must verify
   * contributions one by one.
   */
  readonly quorum?: Quorum | undefined;
  /** Verification mode. Default: `each`. */
  readonly verification?: GraphVerification;
  /** The node's individual contribution. The node retains this contribution for its whole lifetime. */
  readonly own: Contribution;
  readonly port: Port;
}

/**
 * A node of the complete graph, the baseline of v1.03 section 7.2. In each round, the node sends its individual
 * contribution to all other nodes, until it has reached the threshold. It verifies received contributions one by one in
 * order of arrival, or in bulk. An invalid bulk is repeatedly split into halves until the invalid contributions are
 * found, so no valid contribution is lost.
 *
 * A message carries the flag `levelReceived` if the sender has the receiver's contribution. A node that has ended its
 * rounds answers messages without a flag, so a node that missed a contribution receives it again. A run without message
 * loss ends when no node sends any more.
 */
export class CompleteGraphNode implements ProtocolNode {
  readonly #id: number;
  readonly #nodes: number;
  readonly #scheme: AggregationScheme;
  readonly #own: Contribution;
  readonly #port: Port;
  readonly #union: Union;
  readonly #verification: Verification;
  /** Unverified individual contributions, at most one per sender. */
  readonly #pending = new Fifo();
  /** Peers whose contribution has arrived and has not been found invalid. */
  readonly #received: MemberSet;
  /** Peers that sent an invalid contribution. */
  readonly #blacklisted = new Set<number>();
  readonly #threshold: number;
  readonly #isBulk: boolean;
  /**
   * Individual contributions whose sum is being verified. The list is empty while a single contribution is being
   * verified.
   */
  #bulk: readonly Contribution[] = noBulk;
  /** Halves of invalid bulks that still have to be verified. The halves are verified before any other contributions. */
  readonly #halves: (readonly Contribution[])[] = [];
  #started = false;
  /** Whether the node still starts rounds. */
  #sendsRounds = true;
  /** Start of the current round, µs. */
  #roundUs = 0;
  /** Number of peers contacted in the current round. */
  #contacted = 0;

  /** @throws RangeError for an id or a threshold out of range, or for a quorum combined with bulk verification. */
  constructor(options: CompleteGraphOptions) {
    requireNodeArguments(options);
    const { id, scheme, threshold, quorum, verification = 'each', own, port } = options;
    if (quorum !== undefined && verification !== 'each')
      throw new RangeError(expected('verification with a quorum', 'each', verification));
    const { nodes } = scheme.tree;
    scheme.retain(own);
    this.#id = id;
    this.#nodes = nodes;
    this.#scheme = scheme;
    this.#own = own;
    this.#port = port;
    this.#union = new Union(scheme, port, threshold, own, quorum);
    this.#verification = new Verification(port);
    this.#threshold = threshold;
    this.#isBulk = verification === 'bulk';
    this.#received = emptySet(nodes);
  }

  start(): void {
    if (this.#started) throw new RangeError('start: expected one call, got a second call');
    this.#started = true;
    this.#union.offer();
    this.#roundUs = this.#port.nowUs();
    this.#sendBurst();
    this.#verifyNext();
  }

  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    const refusal = this.#screen(from, level, aggregate, individual, flags);
    if (refusal !== undefined) {
      this.#port.refuse(level, from, refusal);
      return;
    }
    if (hasMember(this.#received, from)) {
      if (!this.#sendsRounds && (flags & knownFlags) === 0) this.#answer(from);
      return;
    }
    addMember(this.#received, from);
    this.#scheme.retain(aggregate);
    this.#pending.push(aggregate);
    this.#verifyNext();
  }

  /** Sends the next burst of a round, or the first burst of the next round. */
  onTimer(_timer: number): void {
    if (this.#contacted === 0) {
      if (this.#union.outputs.reached) {
        this.#sendsRounds = false;
        return;
      }
      this.#roundUs = this.#port.nowUs();
    }
    this.#sendBurst();
  }

  onVerified(ticket: number, valid: boolean): void {
    this.#verification.end(ticket);
    const { contribution } = this.#verification;
    const bulk = this.#bulk;
    if (valid) {
      this.#union.add(contribution);
      for (const one of bulk) this.#scheme.release(one);
    } else if (bulk.length > 0) {
      const half = bulk.length >>> 1;
      this.#halves.push(bulk.slice(half), bulk.slice(0, half));
    } else {
      this.#blacklist(this.#signer(contribution));
    }
    this.#scheme.release(contribution);
    if (this.#halves.length === 0) this.#union.offer();
    this.#verifyNext();
  }

  #blacklist(sender: number): void {
    removeMember(this.#received, sender);
    this.#blacklisted.add(sender);
    this.#port.trace(TraceKind.blacklisted, level0, sender, noContribution);
  }

  /**
   * Sends one burst. A node begins with the peer after its own id, so that different nodes contact different peers at
   * the same point of a round.
   */
  #sendBurst(): void {
    const peers = this.#nodes - 1;
    const end = Math.min(peers, this.#contacted + burstMessages);
    const count = end - this.#contacted;
    for (let index = 0; index < count; index++) {
      const to = (this.#id + 1 + this.#contacted + index) % this.#nodes;
      burstReceivers[index] = to;
      burstFlags[index] = this.#receivedFlag(to);
    }
    this.#contacted = end;
    if (count === burstMessages) this.#sendEach(burstReceivers, burstFlags);
    else this.#sendEach(burstReceivers.subarray(0, count), burstFlags.subarray(0, count));
    if (this.#contacted < peers) {
      this.#port.setTimer(burstMs * 1000, 0);
    } else if (peers > 0) {
      this.#contacted = 0;
      const sinceUs = this.#port.nowUs() - this.#roundUs;
      this.#port.setTimer(Math.max(burstMs * 1000, roundMs * 1000 - sinceUs), 0);
    }
  }

  /** Sends the node's contribution to each receiver, in order. @param flags one entry per receiver. */
  #sendEach(receivers: Int32Array, flags: Uint8Array): void {
    const own = this.#own;
    if (this.#port.sendEach !== undefined) this.#port.sendEach(receivers, level0, own, noContribution, flags);
    else for (const [place, to] of receivers.entries()) this.#port.send(to, level0, own, noContribution, flags[place]!);
  }

  #answer(to: number): void {
    this.#port.send(to, level0, this.#own, noContribution, MessageFlag.answer | this.#receivedFlag(to));
  }

  /** Returns the message flag that states whether a peer's contribution has arrived. */
  #receivedFlag(peer: number): number {
    return hasMember(this.#received, peer) ? MessageFlag.levelReceived : 0;
  }

  #verifyNext(): void {
    if (!this.#started || this.#verification.underWay) return;
    const half = this.#halves.pop();
    if (half !== undefined) this.#verifyAll(half);
    else if (this.#pending.length === 0) return;
    else if (!this.#isBulk) this.#verifyOne(this.#pending.shift());
    else if (this.#union.weight + this.#pending.length >= this.#threshold)
      this.#verifyAll(Array.from({ length: this.#pending.length }, () => this.#pending.shift()));
  }

  #verifyOne(individual: Contribution): void {
    this.#bulk = noBulk;
    this.#verification.begin(level0, this.#signer(individual), individual);
  }

  #verifyAll(individuals: readonly Contribution[]): void {
    if (individuals.length === 1) {
      this.#verifyOne(individuals[0]!);
      return;
    }
    this.#bulk = individuals;
    this.#verification.begin(level0, -1, sumOf(this.#scheme, individuals));
  }

  #signer(individual: Contribution): number {
    return this.#scheme.tree.start(this.#scheme.block(individual));
  }

  #screen(
    from: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
  ): ScreeningRefusal | undefined {
    const refusal = screenForm(this.#scheme, from, aggregate, flags, knownFlags);
    if (refusal !== undefined) return refusal;
    if (from === this.#id) return 'sender-not-in-peer-set';
    if (level !== level0) return 'level-out-of-range';
    if (this.#scheme.block(aggregate) !== this.#scheme.tree.leaf(from)) return 'wrong-span';
    if (individual !== noContribution) return 'not-individual';
    return this.#blacklisted.has(from) ? 'blacklisted' : undefined;
  }
}
