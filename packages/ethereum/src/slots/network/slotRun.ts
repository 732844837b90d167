import type { MemberSet } from '@tutti/core/horn-rules';
import { requireArray, requireNumber, requireObject } from '@tutti/core/settings';
import type { SlotBacklog } from './burden.ts';
import type { LayerLoad } from './loads.ts';

/** What was sent to the global topic: aggregates of subcommittees, or collections of committees. */
export interface PublishedSet {
  /** The subcommittee or committee, by number. */
  readonly group: number;
  readonly sentUs: number;
  readonly weight: number;
  /** Of the group's members. */
  readonly bits: MemberSet;
}

/**
 * Delays of one layer, ms, from when a message is sent until a member has verified it, or until it is due if that is
 * sooner.
 */
export interface LayerDelay {
  readonly meanMs: number;
  readonly p95Ms: number;
  /** Undefined where a simulation of Handel gives no more than its mean and its slowest node. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** Of all messages and members, the share that was verified when due. */
  readonly inTime: number;
}

export const layers = ['subnets', 'committees', 'global'] as const;
export type Layer = (typeof layers)[number];

/** The votes of one subnet and when those on it had verified them: what observers of a network write down. */
export interface SubnetArrivals {
  readonly subnet: number;
  /** The nodes that were watched. */
  readonly members: Int32Array;
  readonly votes: readonly {
    /** The voters' places; their node, and when it cast them, microseconds since the slot began. */
    readonly places: readonly number[];
    readonly node: number;
    readonly castUs: number;
    /** By watched node, since the slot began; -1 for not before the block was made. */
    readonly verifiedUs: Int32Array;
  }[];
}

/**
 * From when a vote is cast until a node of its subnet has verified it: these quantiles over all votes and nodes that
 * were watched but the voter's, ms; infinite where the share never did.
 *
 * @param shares of 0 to 1.
 */
export function arrivalQuantiles(run: Pick<SlotRun, 'arrivals'>, shares: readonly number[]): number[] {
  requireObject('run', run, 'a slot that was run');
  const { arrivals } = run;
  requireArray('arrivals', arrivals);
  requireArray('shares', shares);
  for (const share of shares) requireNumber('share', share, 0, 1);
  const ms: number[] = [];
  for (const { members, votes } of arrivals)
    for (const { node, castUs, verifiedUs } of votes)
      verifiedUs.forEach((at, place) => {
        if (members[place] !== node) ms.push(at === -1 ? Number.POSITIVE_INFINITY : (at - castUs) / 1000);
      });
  const sorted = Float64Array.from(ms).sort();
  return shares.map((share) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN);
}

/** A slot as it was run, in either way. */
export interface SlotRun {
  readonly sets: readonly PublishedSet[];
  /** Nodes that were watched on the global topic. */
  readonly observers: Int32Array;
  /** By set and observer: when it was verified, microseconds; -1 for not when the block was made. */
  readonly verifiedUs: readonly Int32Array[];
  readonly delays: Partial<Record<Layer, LayerDelay>>;
  /** Of the subnets that were run; none where votes are not gathered by gossip. */
  readonly arrivals: readonly SubnetArrivals[];
  /** By class of link. */
  readonly loads: readonly LayerLoad[];
  /** The same by layer, where layers were run apart. */
  readonly layerLoads: Partial<Record<Layer, readonly LayerLoad[]>>;
  /**
   * Layers that are not finished when the next one begins, or the block is made: the links of a twentieth of the nodes
   * are busy for more than 100 ms after it. In a sample, what follows is calibrated less well. Empty with the post's
   * assumptions, which have no links.
   */
  readonly unfinished: readonly Layer[];
  /** Messages that full queues dropped, at the nodes that were run. */
  readonly dropped: number;
  /**
   * What links and cores still have to do when the slot ends, and will not have done when the next votes are cast;
   * undefined for hardly anything.
   */
  readonly backlog: SlotBacklog | undefined;
  readonly events: number;
}

/** What wants to know more of a slot than its result has, as it is run. */
export interface SlotWatch {
  /** A message of a layer is sent: a vote without its set. */
  published(layer: Layer, place: number, set: PublishedSet | undefined, atUs: number): void;
  /** Members have verified one, at these times; -1 for who never has, and those who sent it have it when it is sent. */
  verified(layer: Layer, sentUs: number, atUs: Int32Array): void;
  /** An aggregator of a vote's subcommittee has it. @param vote and @param aggregator by place. */
  seen(vote: number, aggregator: number, atUs: number): void;
  /** How many neighbours the members of a topic of a layer lack of D, in all; on average over topics. */
  missingPeers(layer: Layer, count: number): void;
  /** Most members are still verifying what is on a layer when it is due. */
  overloaded(layer: Layer): void;
}

/** Delays that each stand for as many messages. */
class Delays {
  #us = new Float64Array(1024);
  #count = 0;

  add(us: number): void {
    if (this.#count === this.#us.length) {
      const larger = new Float64Array(2 * this.#count);
      larger.set(this.#us);
      this.#us = larger;
    }
    this.#us[this.#count++] = us;
  }

  sorted(): Float64Array {
    return this.#us.subarray(0, this.#count).sort();
  }
}

/** Collects delays, cut off at the time when what depends on them is due. */
export class DelayCollector {
  /** By how many messages each stands for: they are many, and few of them are different. */
  readonly #of = new Map<number, Delays>();
  #count = 0;
  #inTime = 0;

  /** @param atUs when it was verified; -1 for never. @param together messages of which each was so. */
  add(sentUs: number, atUs: number, dueUs: number, together = 1): void {
    const isInTime = atUs !== -1 && atUs <= dueUs;
    if (isInTime) this.#inTime += together;
    this.#count += together;
    let delays = this.#of.get(together);
    if (delays === undefined) {
      delays = new Delays();
      this.#of.set(together, delays);
    }
    delays.add(Math.max(sentUs, isInTime ? atUs : dueUs) - sentUs);
  }

  result(): LayerDelay | undefined {
    const count = this.#count;
    if (count === 0) return undefined;
    const lists = [...this.#of].map(([weight, delays]) => ({ weight, sorted: delays.sorted(), next: 0 }));
    const [middle, late, last] = [0.5, 0.95, 0.99].map((share) => Math.floor(share * (count - 1))) as [
      number,
      number,
      number,
    ];
    let p50Us = 0;
    let p95Us = 0;
    let p99Us = 0;
    // In ascending order and one by one, so that the sum depends on neither order nor weight.
    let sum = 0;
    for (let passed = 0; passed < count; ) {
      const least = lists.reduce((a, b) => ((b.sorted[b.next] ?? later) < (a.sorted[a.next] ?? later) ? b : a));
      const delayUs = least.sorted[least.next++]!;
      for (let one = 0; one < least.weight; one++) sum += delayUs / 1000;
      if (passed <= middle) p50Us = delayUs;
      if (passed <= late) p95Us = delayUs;
      if (passed <= last) p99Us = delayUs;
      passed += least.weight;
    }
    const quantiles = { p50Ms: p50Us / 1000, p95Ms: p95Us / 1000, p99Ms: p99Us / 1000 };
    return { meanMs: sum / count, ...quantiles, inTime: this.#inTime / count };
  }
}

/** After every delay. */
const later = Number.POSITIVE_INFINITY;
