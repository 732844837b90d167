import {
  type AggregationScheme,
  type Contribution,
  type DecodedMessage,
  decodeMessage,
  encodeMessage,
  type ForgingScheme,
  type Message,
  type MessageRefusal,
  RandomStream,
} from '@tutti/core';
import type { Corruption, Fault, NodeSet } from '../scenario/faultPlan.ts';
import { type InjectedCounts, idsIn, isOfNodes, type NodeFault, named, type Span, spanOf } from './nodeFaults.ts';

/** Functions that carry a message once its fate is decided. */
export interface Carrier {
  /** Virtual time, µs. */
  readonly nowUs: number;
  /**
   * Transmits a message.
   *
   * @param extraUs delay in addition to the network's latency, or -1 for a message that does not arrive.
   * @param leavesUs time at which the message leaves its sender, µs. Default: after the sender's work for a message.
   * @returns the time at which the message leaves its sender, µs.
   */
  carry(message: Message, extraUs: number, leavesUs?: number): number;
  /** Counts a message rejected before it reaches its receiver. */
  countRefusal(code: MessageRefusal): void;
}

interface LinkFaultsOptions {
  readonly faults: readonly Fault[];
  readonly nodes: number;
  readonly seed: number;
  readonly scheme: ForgingScheme;
  /** Whether channels are authenticated (v1.03 section 2.3). */
  readonly authenticated: boolean;
  readonly carrier: Carrier;
  readonly counts: InjectedCounts;
}

/**
 * The effects of a plan on the network. The faults apply when a run takes a message from its sender, so honest and
 * Byzantine nodes have the same network.
 */
export class LinkFaults {
  readonly #options: LinkFaultsOptions;
  readonly #fates: LinkFates;

  constructor(options: LinkFaultsOptions) {
    const { faults, nodes, seed } = options;
    this.#options = options;
    this.#fates = new LinkFates(faults, nodes, seed);
  }

  /** Carries a message, or its copies, as far as the current faults allow. */
  send(message: Message): void {
    const { carrier, counts } = this.#options;
    const fate = this.#fates.next(carrier.nowUs, message.from, message.to);
    if (fate.lostTo !== undefined) {
      counts.count(fate.lostTo);
      carrier.carry(message, -1);
    } else if (fate.corruption !== undefined) {
      counts.count('corruption');
      this.#sendCorrupted(message, fate, fate.corruption);
    } else {
      this.#carry(message, fate);
    }
  }

  #carry(message: Message, { copyAfterUs, heldUs, slowedUs }: Fate): void {
    const { carrier, counts } = this.#options;
    if (heldUs > 0) counts.count('reordering');
    if (slowedUs > 0) counts.count('slow-links');
    const leavesUs = carrier.carry(message, heldUs + slowedUs);
    if (copyAfterUs === undefined) return;
    counts.count('duplication');
    carrier.carry(message, copyAfterUs + heldUs + slowedUs, leavesUs);
  }

  /** Transmits a corrupted message. Authenticated channels drop every altered message (v1.03 section 2.3). */
  #sendCorrupted(message: Message, fate: Fate, { fault, random }: NonNullable<Fate['corruption']>): void {
    const { scheme, authenticated } = this.#options;
    if (authenticated) {
      this.#refuse(message, 'forged');
    } else if (fault.of === 'signature') {
      const forged = withWrongSignature(scheme, message.aggregate);
      this.#carry({ ...message, aggregate: forged }, fate);
      scheme.release(forged);
    } else {
      const read = withFlippedBits(scheme, random, message);
      if (!read.ok) {
        this.#refuse(message, read.code);
        return;
      }
      const { level, aggregate, individual, flags } = read;
      this.#carry({ from: message.from, to: message.to, level, aggregate, individual, flags }, fate);
      scheme.release(aggregate);
      scheme.release(individual);
    }
  }

  /** Counts a message as rejected; the message does not arrive. */
  #refuse(message: Message, code: MessageRefusal): void {
    const { carrier } = this.#options;
    carrier.countRefusal(code);
    carrier.carry(message, -1);
  }
}

/** Returns the same set with an invalid signature, retained once for the caller. */
function withWrongSignature(scheme: ForgingScheme, contribution: Contribution): Contribution {
  return scheme.forge(scheme.block(contribution), setOf(scheme, contribution));
}

/** Maximum number of bits that are flipped in one message. */
const maxFlips = 8;

/**
 * Flips one to eight bits of a message's bytes, and decodes the result as the receiver does. A contribution whose set
 * was changed is invalid in every scheme, because a signature belongs to its own signers.
 */
function withFlippedBits(scheme: ForgingScheme, random: RandomStream, message: Message): DecodedMessage {
  const { from, to, level, aggregate, individual, flags } = message;
  const bytes = encodeMessage(scheme, level, aggregate, individual, flags);
  for (let left = 1 + random.nextBelow(maxFlips); left > 0; left--) {
    const bit = random.nextBelow(bytes.length * 8);
    bytes[bit >>> 3]! ^= 1 << (bit & 7);
  }
  const read = decodeMessage(scheme, to, from, bytes);
  if (!read.ok || isSameSet(scheme, read.aggregate, aggregate)) return read;
  const forged = withWrongSignature(scheme, read.aggregate);
  scheme.release(read.aggregate);
  return { ...read, aggregate: forged };
}

function isSameSet(scheme: AggregationScheme, a: Contribution, b: Contribution): boolean {
  if (scheme.block(a) !== scheme.block(b)) return false;
  const words = scheme.setWords(b);
  return scheme.setWords(a).every((word, index) => word === words[index]);
}

/** Returns a set in the form that {@link ForgingScheme.forge} requires: undefined for the whole block. */
function setOf(scheme: AggregationScheme, contribution: Contribution): Int32Array | undefined {
  const isWhole = scheme.weight(contribution) === scheme.tree.size(scheme.block(contribution));
  return isWhole ? undefined : scheme.setWords(contribution);
}

type LinkFault = Exclude<Fault, NodeFault>;

/** A network fault, prepared for checking each message. */
interface FaultyLink extends Span {
  readonly fault: LinkFault;
  /**
   * One flag per node: 1 for each node affected as a sender and as a receiver; undefined for all nodes. For a
   * partition, both flag lists contain the same side.
   */
  readonly from: Uint8Array | undefined;
  readonly to: Uint8Array | undefined;
  readonly random: RandomStream;
}

/** Fate of one message. If the message is lost, nothing else applies. */
export interface Fate {
  readonly lostTo: 'loss' | 'partition' | undefined;
  /** Fault that corrupts the message, and the random stream of the corruption. */
  readonly corruption: { readonly fault: Corruption; readonly random: RandomStream } | undefined;
  /** Delay of the message's only copy after the message itself, µs; undefined if there is no copy. */
  readonly copyAfterUs: number | undefined;
  /** Delay caused by reordering, µs. */
  readonly heldUs: number;
  /** Delay caused by slow links, µs. */
  readonly slowedUs: number;
}

/** Determines the effect of a plan's network faults on each message: a simulated message, or a packet in a testbed. */
export class LinkFates {
  readonly #links: readonly FaultyLink[];

  /**
   * @param nodes number of nodes that the links connect. @param seed seed for all draws; each fault has its own stream.
   */
  constructor(faults: readonly Fault[], nodes: number, seed: number) {
    this.#links = named(faults).flatMap(({ fault, purpose }) =>
      isOfNodes(fault) ? [] : [openLink(fault, purpose, nodes, seed)],
    );
  }

  /** Returns the fate of the next message. @param nowUs time since the run's common origin, µs. */
  next(nowUs: number, from: number, to: number): Fate {
    let lostTo: Fate['lostTo'];
    let corruption: Fate['corruption'];
    let copyAfterUs: number | undefined;
    let heldUs = 0;
    let slowedUs = 0;
    for (const link of this.#links) {
      if (nowUs < link.fromUs || nowUs >= link.untilUs || !concerns(link, from, to)) continue;
      const { fault, random } = link;
      if ('share' in fault && random.nextUnit() >= fault.share) continue;
      if (fault.kind === 'loss' || fault.kind === 'partition') lostTo ??= fault.kind;
      else if (fault.kind === 'corruption') corruption ??= { fault, random };
      else if (fault.kind === 'duplication') copyAfterUs = upToMs(random, fault.withinMs ?? 0);
      else if (fault.kind === 'reordering') heldUs += upToMs(random, fault.byMs);
      else slowedUs += Math.round(fault.byMs * 1000);
    }
    return { lostTo, corruption, copyAfterUs, heldUs, slowedUs };
  }
}

function openLink(fault: LinkFault, purpose: string, nodes: number, seed: number): FaultyLink {
  const mask = (set: NodeSet | undefined, which: string): Uint8Array | undefined => {
    if (set === undefined) return undefined;
    const ids = new Uint8Array(nodes);
    for (const id of idsIn(set, nodes, seed, `${purpose} ${which}`)) ids[id] = 1;
    return ids;
  };
  const random = new RandomStream(seed, purpose);
  if (fault.kind !== 'partition') {
    return { ...spanOf(fault), fault, from: mask(fault.from, 'from'), to: mask(fault.to, 'to'), random };
  }
  const side = mask(fault.nodes, 'nodes');
  return { ...spanOf(fault), fault, from: side, to: side, random };
}

function concerns({ fault, from: senders, to: receivers }: FaultyLink, from: number, to: number): boolean {
  if (fault.kind === 'partition') return senders![from] !== senders![to];
  return (senders === undefined || senders[from] === 1) && (receivers === undefined || receivers[to] === 1);
}

/** Returns a uniform value in [0, ms], in µs. */
function upToMs(random: RandomStream, ms: number): number {
  return Math.floor(random.nextUnit() * (Math.round(ms * 1000) + 1));
}
