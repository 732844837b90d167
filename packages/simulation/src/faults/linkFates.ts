import { RandomStream } from '@tutti/core';
import type {
  Corruption,
  Duplication,
  Fault,
  Loss,
  NodeSet,
  Partition,
  Reordering,
  SlowLinks,
} from '../scenario/faultPlan.ts';
import { type Span, spanOf } from './nodeFaults.ts';
import { idsIn, named } from './nodeSets.ts';

type LinkFault = Partition | Loss | Duplication | Reordering | Corruption | SlowLinks;

/** A fault of the network, ready to be asked of each message. */
interface FaultyLink extends Span {
  readonly fault: LinkFault;
  /**
   * 1 for the nodes that it concerns as senders and as receivers; undefined: all. Of a partition, one side is in both.
   */
  readonly from: Uint8Array | undefined;
  readonly to: Uint8Array | undefined;
  readonly random: RandomStream;
}

/** What becomes of one message. */
export interface Fate {
  readonly lostTo: 'loss' | 'partition' | undefined;
  /** The fault that alters it, and what the alteration is drawn from. */
  readonly corruption: { readonly fault: Corruption; readonly random: RandomStream } | undefined;
  /** When a copy leaves, after the message itself. */
  readonly copyAfterUs: number | undefined;
  readonly heldUs: number;
  readonly slowedUs: number;
}

/**
 * Says what a plan's faults of the network do to each message, whatever a message is: a simulated one, or a packet of a
 * testbed.
 */
export class LinkFates {
  readonly #links: readonly FaultyLink[];

  /**
   * @param nodes how many ends the links have. @param seed of everything that is drawn, for each fault in a stream of
   * its own.
   */
  constructor(faults: readonly Fault[], nodes: number, seed: number) {
    this.#links = named(faults).flatMap(({ fault, purpose }) =>
      isOfLinks(fault) ? [openLink(fault, purpose, nodes, seed)] : [],
    );
  }

  /** @param nowUs time since the run's common origin, microseconds. */
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

const linkKinds: readonly string[] = [
  'partition',
  'loss',
  'duplication',
  'reordering',
  'corruption',
  'slow-links',
] satisfies LinkFault['kind'][];

function isOfLinks(fault: Fault): fault is LinkFault {
  return linkKinds.includes(fault.kind);
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

/** Uniform in [0, ms], in microseconds. */
function upToMs(random: RandomStream, ms: number): number {
  return Math.floor(random.nextUnit() * (Math.round(ms * 1000) + 1));
}
