import type { ForgingScheme } from '../../contribution/scheme.ts';
import type { Contribution } from '../../protocol.ts';
import { RandomStream } from '../../random.ts';
import { withFlippedBits, withWrongSignature } from './corruption.ts';
import type { InjectedCounts } from './injected.ts';
import { type Span, spanOf } from './nodeFaults.ts';
import { idsIn, named } from './nodeSets.ts';
import type { Corruption, Duplication, Fault, Loss, NodeSet, Partition, Reordering, SlowLinks } from './plan.ts';

/** How a run carries a message once it is known what becomes of it. */
export interface Carrier {
  /** Virtual time, microseconds. */
  readonly nowUs: number;
  /** @param extraUs on top of the network's latency, or -1 for a message that does not arrive. */
  carry(
    from: number,
    to: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
    extraUs: number,
  ): void;
  /** Counts a message that is refused before its receiver is told of it. */
  refuse(code: string): void;
}

type LinkFault = Partition | Loss | Duplication | Reordering | Corruption | SlowLinks;

/** A fault of the network, ready to be asked of each message. */
interface Link extends Span {
  readonly fault: LinkFault;
  /** 1 for the nodes that it concerns as senders and as receivers; undefined: all. Of a partition, one side is in both. */
  readonly from: Uint8Array | undefined;
  readonly to: Uint8Array | undefined;
  readonly random: RandomStream;
}

export interface LinkFaultsOptions {
  readonly faults: readonly Fault[];
  readonly nodes: number;
  readonly seed: number;
  readonly scheme: ForgingScheme;
  /** Whether channels are authenticated (v1.03 section 2.3). */
  readonly authenticated: boolean;
  readonly carrier: Carrier;
  readonly counts: InjectedCounts;
}

/** What becomes of one message. */
interface Fate {
  lostTo: 'loss' | 'partition' | undefined;
  corruption: Link | undefined;
  /** When a copy leaves, after the message itself. */
  copyAfterUs: number | undefined;
  heldUs: number;
  slowedUs: number;
}

/**
 * What a plan does to the network. It stands where a run takes a message over from its sender, whoever that is: honest and Byzantine nodes
 * have the same network.
 */
export class LinkFaults {
  readonly #options: LinkFaultsOptions;
  readonly #links: readonly Link[];

  constructor(options: LinkFaultsOptions) {
    const { faults, nodes, seed } = options;
    this.#options = options;
    this.#links = named(faults).flatMap(({ fault, purpose }) =>
      isOfLinks(fault) ? [openLink(fault, purpose, nodes, seed)] : [],
    );
  }

  /** Carries a message, or its copies, as far as the faults of the moment let it. */
  send(
    from: number,
    to: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
  ): void {
    const { carrier, counts } = this.#options;
    const fate = this.#fate(from, to);
    if (fate.lostTo !== undefined) {
      counts.count(fate.lostTo);
      carrier.carry(from, to, level, aggregate, individual, flags, -1);
      return;
    }
    if (fate.corruption !== undefined) {
      counts.count('corruption');
      this.#sendCorrupted(fate, fate.corruption, from, to, level, aggregate, individual, flags);
      return;
    }
    this.#carry(fate, from, to, level, aggregate, individual, flags);
  }

  #fate(from: number, to: number): Fate {
    const { nowUs } = this.#options.carrier;
    const fate: Fate = { lostTo: undefined, corruption: undefined, copyAfterUs: undefined, heldUs: 0, slowedUs: 0 };
    for (const link of this.#links) {
      if (nowUs < link.fromUs || nowUs >= link.untilUs || !concerns(link, from, to)) continue;
      const { fault, random } = link;
      if ('share' in fault && random.nextUnit() >= fault.share) continue;
      if (fault.kind === 'loss' || fault.kind === 'partition') fate.lostTo ??= fault.kind;
      else if (fault.kind === 'corruption') fate.corruption ??= link;
      else if (fault.kind === 'duplication') fate.copyAfterUs = upToMs(random, fault.withinMs ?? 0);
      else if (fault.kind === 'reordering') fate.heldUs += upToMs(random, fault.byMs);
      else fate.slowedUs += Math.round(fault.byMs * 1000);
    }
    return fate;
  }

  #carry(
    { copyAfterUs, heldUs, slowedUs }: Fate,
    from: number,
    to: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
  ): void {
    const { carrier, counts } = this.#options;
    if (heldUs > 0) counts.count('reordering');
    if (slowedUs > 0) counts.count('slow-links');
    carrier.carry(from, to, level, aggregate, individual, flags, heldUs + slowedUs);
    if (copyAfterUs === undefined) return;
    counts.count('duplication');
    carrier.carry(from, to, level, aggregate, individual, flags, copyAfterUs + heldUs + slowedUs);
  }

  /** Authenticated channels let nothing through that was altered (v1.03 section 2.3). */
  #sendCorrupted(
    fate: Fate,
    { fault, random }: Link,
    from: number,
    to: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
  ): void {
    const { scheme, carrier, authenticated } = this.#options;
    const refused = (code: string): void => {
      carrier.refuse(code);
      carrier.carry(from, to, level, aggregate, individual, flags, -1);
    };
    if (authenticated) {
      refused('not-authentic');
    } else if ((fault as Corruption).of === 'signature') {
      const forged = withWrongSignature(scheme, aggregate);
      this.#carry(fate, from, to, level, forged, individual, flags);
      scheme.release(forged);
    } else {
      const read = withFlippedBits(scheme, random, from, to, level, aggregate, individual, flags);
      if (!read.ok) {
        refused(read.code);
        return;
      }
      this.#carry(fate, from, to, read.level, read.aggregate, read.individual, read.flags);
      scheme.release(read.aggregate);
      scheme.release(read.individual);
    }
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

function openLink(fault: LinkFault, purpose: string, nodes: number, seed: number): Link {
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

function concerns({ fault, from: senders, to: receivers }: Link, from: number, to: number): boolean {
  if (fault.kind === 'partition') return senders![from] !== senders![to];
  return (senders === undefined || senders[from] === 1) && (receivers === undefined || receivers[to] === 1);
}

/** Uniform in [0, ms], in microseconds. */
function upToMs(random: RandomStream, ms: number): number {
  return Math.floor(random.nextUnit() * (Math.round(ms * 1000) + 1));
}
