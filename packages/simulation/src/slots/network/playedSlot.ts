import type { MemberSet } from '@tutti/core/internal/horn';
import type { SlotBacklog } from './burdens.ts';

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
  /** Of all messages and members, the share that was verified when due. */
  readonly inTime: number;
}

/** The load of a node over the slot, averaged over the nodes of a class. */
export interface LayerLoad {
  readonly receivedBytes: number;
  readonly sentBytes: number;
  readonly controlBytes: number;
  /** Copies received, and of these the superfluous. */
  readonly copies: number;
  readonly duplicates: number;
  readonly coreSeconds: number;
}

export const layers = ['subnets', 'committees', 'global'] as const;
export type Layer = (typeof layers)[number];

/** A slot as it was played, in either way. */
export interface PlayedSlot {
  readonly sets: readonly PublishedSet[];
  /** Nodes that were watched on the global topic. */
  readonly observers: Int32Array;
  /** By set and observer: when it was verified, microseconds; -1 for not when the block was made. */
  readonly verifiedUs: readonly Int32Array[];
  readonly delays: Partial<Record<Layer, LayerDelay>>;
  /** By class of link. */
  readonly loads: readonly LayerLoad[];
  /** The same by layer, where layers were played apart. */
  readonly layerLoads: Partial<Record<Layer, readonly LayerLoad[]>>;
  /**
   * Layers of which links still carry much when the next begins: what follows is calibrated less well. Empty where all
   * was played.
   */
  readonly unfinished: readonly Layer[];
  /** Messages that full queues dropped, at the nodes that were played. */
  readonly dropped: number;
  /**
   * What links and cores still have to do when the slot ends, and will not have done when the next votes are cast;
   * undefined for hardly anything.
   */
  readonly backlog: SlotBacklog | undefined;
  readonly events: number;
}

/** Collects delays, cut off at the time when what depends on them is due. */
export class DelayCollector {
  readonly #ms: number[] = [];
  #inTime = 0;

  /** @param atUs when it was verified; -1 for never. */
  add(sentUs: number, atUs: number, dueUs: number): void {
    const isInTime = atUs !== -1 && atUs <= dueUs;
    if (isInTime) this.#inTime++;
    this.#ms.push((Math.max(sentUs, isInTime ? atUs : dueUs) - sentUs) / 1000);
  }

  result(): LayerDelay | undefined {
    const sorted = Float64Array.from(this.#ms).sort();
    if (sorted.length === 0) return undefined;
    return {
      meanMs: sorted.reduce((sum, one) => sum + one, 0) / sorted.length,
      p95Ms: sorted[Math.floor(0.95 * (sorted.length - 1))]!,
      inTime: this.#inTime / sorted.length,
    };
  }
}
