import { requireNodeArguments } from '../contribution/nodeArguments.ts';
import type { AggregationScheme } from '../contribution/scheme.ts';
import { expected } from '../errors.ts';
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
import { sumOf, Union } from './union.ts';
import { Fifo, screenForm, Verification } from './verification.ts';

/**
 * A round begins so long after the one before, ms: the published run of 500 nodes that took longest sent one in every
 * 500 ms, for 12 s.
 */
const roundMs = 500;

/**
 * How many messages a node sends at once, and how soon it sends the next burst, ms. The published runs of 4000 nodes
 * sent 6 to 7 a millisecond, and those of 100 sent to all at once.
 */
const burst = 128;
const burstMs = 20;

/** All messages are on this level: there are no others. */
const level0 = 0;

/** The burst that is being sent; one for all nodes, for the port is only lent it. */
const receivers = new Int32Array(burst);
const flags = new Uint8Array(burst);

/** The bulk of who verifies one by one. */
const singly: readonly Contribution[] = [];

/**
 * Whether a node verifies each contribution singly when it arrives, or adds up what has arrived and verifies the sum as
 * soon as it would reach the threshold, as in the published runs.
 */
export const graphVerifications = ['each', 'bulk'] as const;
export type GraphVerification = (typeof graphVerifications)[number];

export interface CompleteGraphOptions {
  readonly id: number;
  readonly scheme: AggregationScheme;
  /** Contributions that an output must contain, 1 to N. */
  readonly threshold: number;
  /** What an output's signers must weigh besides; then contributions are verified each. */
  readonly quorum?: Quorum | undefined;
  /** Default: each. */
  readonly verification?: GraphVerification;
  /** The node's individual contribution; retained for as long as the node lives. */
  readonly own: Contribution;
  readonly port: Port;
}

/**
 * A node of the complete graph, the baseline of v1.03 section 7.2: it sends its individual contribution to everybody,
 * in rounds until it has reached the threshold itself, and verifies everybody's, one by one in the order of arrival or
 * in bulk. An invalid bulk is halved until the invalid contributions in it are found, so that nobody's contribution is
 * lost because of another's lie.
 *
 * A message carries `levelReceived` if the sender has the receiver's contribution. A node that has ended its rounds
 * answers messages without it: so a node that missed a message gets it again, and a run with everything delivered ends
 * in silence.
 */
export class CompleteGraphNode implements ProtocolNode {
  readonly #id: number;
  readonly #nodes: number;
  readonly #scheme: AggregationScheme;
  readonly #own: Contribution;
  readonly #port: Port;
  readonly #union: Union;
  readonly #verification: Verification;
  /** Individual contributions to be verified, one of each sender. */
  readonly #pending = new Fifo();
  /** Peers whose contributions have come and were not found invalid, and those whose were. */
  readonly #heard: Int32Array;
  readonly #blacklisted = new Set<number>();
  readonly #threshold: number;
  readonly #isBulk: boolean;
  /** Individual contributions whose sum is being verified; none while a single one is. */
  #bulk: readonly Contribution[] = singly;
  /** Halves of invalid bulks, which are verified before anything else. */
  readonly #halves: (readonly Contribution[])[] = [];
  #started = false;
  /** Rounds go on. */
  #calling = true;
  #roundUs = 0;
  /** Peers that this round has reached. */
  #place = 0;

  /** @throws RangeError for an id or a threshold out of its range, and for a quorum with verification in bulk. */
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
    this.#heard = idSet(nodes);
  }

  start(): void {
    if (this.#started) throw new RangeError(expected('start', 'to be called once', 'again'));
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
    if (hasId(this.#heard, from)) {
      if (!this.#calling && (flags & knownFlags) === 0) this.#answer(from);
      return;
    }
    addId(this.#heard, from);
    this.#scheme.retain(aggregate);
    this.#pending.push(aggregate);
    this.#verifyNext();
  }

  /** The next burst of a round, or the first of the next round. */
  onTimer(_timer: number): void {
    if (this.#place === 0) {
      if (this.#union.outputs.reached) {
        this.#calling = false;
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
    removeId(this.#heard, sender);
    this.#blacklisted.add(sender);
    this.#port.trace(TraceKind.blacklisted, level0, sender, noContribution);
  }

  /**
   * To the peers that follow the node's own id, so that no two nodes ever send to one peer at the same place of a
   * round.
   */
  #sendBurst(): void {
    const peers = this.#nodes - 1;
    const end = Math.min(peers, this.#place + burst);
    const count = end - this.#place;
    for (let index = 0; index < count; index++) {
      const to = (this.#id + 1 + this.#place + index) % this.#nodes;
      receivers[index] = to;
      flags[index] = this.#received(to);
    }
    this.#place = end;
    const isWhole = count === burst;
    sendEach(
      this.#port,
      isWhole ? receivers : receivers.subarray(0, count),
      level0,
      this.#own,
      noContribution,
      isWhole ? flags : flags.subarray(0, count),
    );
    if (this.#place < peers) {
      this.#port.setTimer(burstMs * 1000, 0);
    } else if (peers > 0) {
      this.#place = 0;
      const sinceUs = this.#port.nowUs() - this.#roundUs;
      this.#port.setTimer(Math.max(burstMs * 1000, roundMs * 1000 - sinceUs), 0);
    }
  }

  #answer(to: number): void {
    this.#port.send(to, level0, this.#own, noContribution, MessageFlag.answer | this.#received(to));
  }

  /** What a message to a peer says of the peer's contribution. */
  #received(peer: number): number {
    return hasId(this.#heard, peer) ? MessageFlag.levelReceived : 0;
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
    this.#bulk = singly;
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
    return !hasId(this.#heard, from) && this.#blacklisted.has(from) ? 'blacklisted' : undefined;
  }
}

/**
 * Sets of ids in [0, N), a bit each in plain words: what a node looks at with every message is to stay in the
 * processor's cache, even in a run of thousands of nodes.
 */
export function idSet(nodes: number): Int32Array {
  return new Int32Array((nodes + 31) >>> 5);
}

export function hasId(set: Int32Array, id: number): boolean {
  return ((set[id >>> 5]! >>> (id & 31)) & 1) === 1;
}

export function addId(set: Int32Array, id: number): void {
  set[id >>> 5]! |= 1 << (id & 31);
}

export function removeId(set: Int32Array, id: number): void {
  set[id >>> 5]! &= ~(1 << (id & 31));
}

/**
 * Sends one message to each of many, in their order.
 *
 * @param flags one for each receiver.
 */
function sendEach(
  port: Port,
  receivers: Int32Array,
  level: number,
  aggregate: Contribution,
  individual: Contribution,
  flags: Uint8Array,
): void {
  if (port.sendEach !== undefined) {
    port.sendEach(receivers, level, aggregate, individual, flags);
    return;
  }
  for (const [place, to] of receivers.entries()) port.send(to, level, aggregate, individual, flags[place]!);
}
