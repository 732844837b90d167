import { losses } from './lostVotes.ts';
import type { SlotLog } from './slotLog.ts';
import type { SlotResult } from './slotResult.ts';
import type { SlotWorld } from './slotWorld.ts';

/** Aggregates or collections, a column each; in the order in which they were published. */
export interface RecordedSets {
  /** The place of who sent it. */
  readonly author: Int32Array;
  readonly sentUs: Int32Array;
  readonly weight: Int32Array;
  /** 1 where Eve sent it. */
  readonly byzantine: Uint8Array;
}

/**
 * A slot for a view, in flat columns: votes by place, so that a committee is a run of them, and what the proposer
 * verified of the global topic. Times in microseconds since the start of the slot; -1 is never.
 */
export interface SlotRecording {
  readonly result: SlotResult;
  readonly committee: number;
  readonly subcommittee: number;
  /** The validator at each place. */
  readonly order: Int32Array;
  /** Which of the scenario's attacks the validator at each place is part of; -1 for the honest and the dead. */
  readonly attack: Int8Array;
  /** Of the voters. On no subnet, where Eve kept it to herself. */
  readonly castUs: Int32Array;
  /** Verified by the first honest aggregator. */
  readonly seenUs: Int32Array;
  /** In the proposer's reach. */
  readonly reachUs: Int32Array;
  /** What each honest vote was lost to in the end, an index into `lossNames`; -1 where it was not. */
  readonly lostTo: Int8Array;
  readonly aggregates: RecordedSets;
  readonly collections: RecordedSets;
  /**
   * Numbers of sets, of collections where there are any, otherwise of aggregates; and when each was verified, in order.
   */
  readonly arrivals: { readonly set: Int32Array; readonly atUs: Int32Array };
}

export function slotRecording(result: SlotResult, world: SlotWorld, log: SlotLog): SlotRecording {
  const columns = (sets: SlotLog['aggregates']): RecordedSets => {
    return {
      author: Int32Array.from(sets, ({ place }) => place),
      sentUs: Int32Array.from(sets, ({ set }) => set.sentUs),
      weight: Int32Array.from(sets, ({ set }) => set.weight),
      byzantine: Uint8Array.from(sets, ({ place }) => (world.attack[place] === -1 ? 0 : 1)),
    };
  };
  return {
    result,
    committee: world.committee,
    subcommittee: world.subcommittee,
    order: world.order.slice(),
    attack: world.attack.slice(),
    castUs: log.castUs.slice(),
    seenUs: log.seenUs.slice(),
    reachUs: log.reachUs.slice(),
    lostTo: losses(result.scenario, world, log),
    aggregates: columns(log.aggregates),
    collections: columns(log.collections),
    arrivals: {
      set: Int32Array.from(log.arrivals, ({ set }) => set),
      atUs: Int32Array.from(log.arrivals, ({ atUs }) => atUs),
    },
  };
}
