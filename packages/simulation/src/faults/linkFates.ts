import { RandomStream } from '@tutti/core';
import type { Corruption, Fault, NodeSet } from '../scenario/faultPlan.ts';
import { idsIn, isOfNodes, type NodeFault, named, type Span, spanOf } from './nodeFaults.ts';

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

/** Fate of one message. If it is lost, nothing else applies. */
export interface Fate {
  readonly lostTo: 'loss' | 'partition' | undefined;
  /** Fault that corrupts the message, and the random stream of the corruption. */
  readonly corruption: { readonly fault: Corruption; readonly random: RandomStream } | undefined;
  /** Delay of a copy after the message itself, µs; undefined if there is no copy. */
  readonly copyAfterUs: number | undefined;
  /** Delay by reordering, µs. */
  readonly heldUs: number;
  /** Delay by slow links, µs. */
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
