import { sizeOf, type VoteSet } from '@tutti/core/horn';
import { requireArray, requireNumber, requireObject } from '@tutti/core/input';
import { nearestRank, percentile } from '@tutti/simulation';
import { clockOf, type VotingSystem } from '../../horn/network/systems.ts';
import type { LayerLoad, SlotBacklog } from './loads.ts';

/** Set of votes that is sent: a subcommittee's aggregate, or a committee's collection. */
export interface PublishedSet extends VoteSet {
  /** Time of sending, microseconds since the slot began. */
  readonly sentUs: number;
}

/**
 * Delays, in ms, of one layer: from the sending of a message until a member has verified the message, or until the
 * message is due if that is earlier.
 */
export interface LayerDelay {
  readonly meanMs: number;
  /** 95th percentile of the delay, ms; for Handel, the time of the slowest node. */
  readonly p95Ms: number;
  /** Median delay, ms. Undefined for Handel, whose simulation gives only the mean and the slowest node. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** Share of all pairs of a message and a member in which the member verified the message in time. Range 0 to 1. */
  readonly inTime: number;
}

/** Layers of vote propagation, in order. */
export const layers = ['subnets', 'committees', 'global'] as const;
/** Name of one of {@link layers}. */
export type Layer = (typeof layers)[number];

/** Returns the layers on which a system's votes travel by gossip, in order. */
export function layersOf({ gathering, collectors }: VotingSystem): readonly Layer[] {
  if (gathering === 'handel') return ['global'];
  return collectors === 0 ? ['subnets', 'global'] : layers;
}

/** Returns the times at which the messages of each layer are due, µs since the slot began. */
export function dueTimesUs(system: VotingSystem): Readonly<Record<Layer, number>> {
  const { aggregateUs, collectUs, endUs } = clockOf(system);
  return { subnets: aggregateUs, committees: collectUs, global: endUs };
}

/**
 * Votes of one subnet, with the times at which the subnet's nodes verified them. Observers of a real network record the
 * same data.
 */
export interface SubnetArrivals {
  readonly subnet: number;
  /** Observed nodes. */
  readonly members: Int32Array;
  readonly votes: readonly {
    /** Places of the voters. */
    readonly places: readonly number[];
    /** Node of the voters. */
    readonly node: number;
    /** Time at which the voters cast their votes, µs since the slot began. */
    readonly castUs: number;
    /**
     * Time at which each observed node verified the vote, µs since the slot began; -1 if not verified before the block.
     */
    readonly verifiedUs: Int32Array;
  }[];
}

/**
 * Computes quantiles of the delay from casting a vote until a node of its subnet has verified it, ms. The quantiles
 * cover all votes and all observed nodes except the voter's. A quantile is infinite if the nodes verified less than
 * that share of the votes, and NaN if no vote was observed.
 *
 * @param shares quantiles to compute, 0 to 1.
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
  return shares.map((share) => percentile(sorted, share) ?? Number.NaN);
}

/** A simulated slot, in either mode. */
export interface SlotRun {
  /** Sets on the global topic. */
  readonly sets: readonly PublishedSet[];
  /** Observed nodes on the global topic. */
  readonly observers: Int32Array;
  /**
   * Times at which the observers verified each set, µs; -1 if not verified before the block was built. Under the post's
   * assumptions, later times are included.
   */
  readonly verifiedUs: readonly Int32Array[];
  /** Delays by layer. Empty if a sample is simulated with an observer. */
  readonly delays: Partial<Record<Layer, LayerDelay>>;
  /**
   * Arrivals on the simulated subnets. Empty if votes are not gathered by gossip, or if every message is simulated with
   * an observer.
   */
  readonly arrivals: readonly SubnetArrivals[];
  /** Load by class of link. */
  readonly loads: readonly LayerLoad[];
  /** Load by layer and class of link, if layers were simulated separately. */
  readonly layerLoads: Partial<Record<Layer, readonly LayerLoad[]>>;
  /**
   * Layers for which links still carry much load when the next layer begins. Samples of the next layer are then less
   * accurate. Empty under the post's assumptions.
   */
  readonly unfinished: readonly Layer[];
  /** Number of messages that full queues dropped, at the simulated nodes. */
  readonly dropped: number;
  /**
   * Number of copies that plain gossip sent if every message is simulated; 0 for gossipsub, whose bytes are in the
   * loads, and for samples.
   */
  readonly copies: number;
  /**
   * Work that a sample's links and cores still have to do when the next slot begins. Undefined if they complete nearly
   * all of it before the next votes are cast, or if every message was simulated.
   */
  readonly backlog: SlotBacklog | undefined;
  readonly events: number;
}

/** Callbacks for an observer that needs more data about a running slot than its result contains. */
export interface SlotWatch {
  /** Called when a message of a layer is sent. The `set` of a vote is undefined. */
  published(layer: Layer, place: number, set: PublishedSet | undefined, atUs: number): void;
  /**
   * Called once for each message after its topic was simulated, with the verification times of the members, µs; -1 for
   * never. A sender has its own message at the time of sending.
   */
  verified(layer: Layer, sentUs: number, atUs: Int32Array): void;
  /**
   * Called when an aggregator of a vote's subcommittee has the vote.
   *
   * @param vote place of the voter.
   * @param aggregator place of the aggregator.
   */
  seen(vote: number, aggregator: number, atUs: number): void;
  /**
   * Called with the total number of neighbours that the members of a layer's topic lack compared with D, as a mean over
   * topics.
   */
  missingPeers(layer: Layer, count: number): void;
  /** Called if most members are still verifying a layer's messages when the layer is due. */
  overloaded(layer: Layer): void;
}

/** Collects delays. Each delay is limited to the time at which the messages are due. */
export class DelayCollector {
  /**
   * Delays, grouped by the number of messages that each represents. There are many delays, but few different numbers of
   * messages.
   */
  readonly #of = new Map<number, number[]>();
  #count = 0;
  #inTime = 0;

  /**
   * Adds a delay.
   *
   * @param atUs time of verification, µs; -1 for never.
   * @param together number of messages with this delay.
   */
  add(sentUs: number, atUs: number, dueUs: number, together = 1): void {
    const isInTime = atUs !== -1 && atUs <= dueUs;
    if (isInTime) this.#inTime += together;
    this.#count += together;
    let delays = this.#of.get(together);
    if (delays === undefined) {
      delays = [];
      this.#of.set(together, delays);
    }
    delays.push(Math.max(sentUs, isInTime ? atUs : dueUs) - sentUs);
  }

  /** Returns the delays, or undefined if there are none. */
  result(): LayerDelay | undefined {
    const count = this.#count;
    if (count === 0) return undefined;
    const ranks = [0.5, 0.95, 0.99].map((share) => nearestRank(count, share));
    const quantilesMs = ranks.map(() => 0);
    // Delays are summed in ascending order and one by one, so that the sum depends on neither order nor weight.
    let sum = 0;
    let passed = 0;
    forEachAscending(
      Array.from(this.#of, ([weight, delays]) => ({ weight, sorted: Float64Array.from(delays).sort() })),
      (delayUs, weight) => {
        for (let one = 0; one < weight; one++) sum += delayUs / 1000;
        for (let index = 0; index < ranks.length; index++)
          if (passed <= ranks[index]!) quantilesMs[index] = delayUs / 1000;
        passed += weight;
      },
    );
    const [p50Ms, p95Ms, p99Ms] = quantilesMs as [number, number, number];
    return { meanMs: sum / count, p50Ms, p95Ms, p99Ms, inTime: this.#inTime / count };
  }
}

/** Calls `visit` with each value of the sorted lists in ascending order, and with the weight of the value's list. */
export function forEachAscending(
  lists: readonly { readonly weight: number; readonly sorted: Float64Array | Int32Array }[],
  visit: (value: number, weight: number) => void,
): void {
  const left = lists.map((list) => ({ ...list, next: 0 })).filter(({ sorted }) => sorted.length > 0);
  while (left.length > 0) {
    let least = left[0]!;
    for (const list of left) if (list.sorted[list.next]! < least.sorted[least.next]!) least = list;
    visit(least.sorted[least.next++]!, least.weight);
    if (least.next === least.sorted.length) left.splice(left.indexOf(least), 1);
  }
}

/** A published set with its author's place. */
export interface AuthoredSet {
  readonly place: number;
  readonly set: PublishedSet;
  /** Number of members of the set's group. */
  readonly members: number;
}

/** Returns the set of votes that a validator publishes, or an empty list if the set contains no votes. */
export function authoredSets(place: number, set: Omit<PublishedSet, 'weight'>, members: number): AuthoredSet[] {
  const { group, sentUs, bits } = set;
  const weight = sizeOf(bits);
  return weight === 0 ? [] : [{ place, set: { group, sentUs, weight, bits }, members }];
}
