import { losses } from './lostVotes.ts';
import type { SlotLog } from './slotLog.ts';
import type { SlotResult } from './slotResult.ts';
import type { SlotWorld } from './slotWorld.ts';

/** Aggregates or collections in order of publication, in columns. */
export interface RecordedSets {
  /** Place of the sender. */
  readonly author: Int32Array;
  readonly sentUs: Int32Array;
  readonly weight: Int32Array;
  /** Flag of each set: 1 if the sender is Byzantine. */
  readonly byzantine: Uint8Array;
}

/**
 * A slot in flat columns for a view: votes by place, so that a committee is a range, and the proposer's verified sets
 * of the global topic. Times are µs since the start of the slot; -1 stands for never.
 */
export interface SlotRecording {
  readonly result: SlotResult;
  readonly committee: number;
  readonly subcommittee: number;
  /** Validator at each place. */
  readonly order: Int32Array;
  /**
   * Index of the scenario's attack in which the validator at each place takes part; -1 for honest and dead validators.
   */
  readonly attack: Int8Array;
  /** Time at which each voter cast its vote; -1 if Eve withheld it from the subnet. */
  readonly castUs: Int32Array;
  /** Time at which the first honest aggregator verified each vote. */
  readonly seenUs: Int32Array;
  /** Time at which each vote came into the proposer's reach. */
  readonly reachUs: Int32Array;
  /** Cause of loss of each honest vote, an index into `lossNames`; -1 if it was not lost. */
  readonly lostTo: Int8Array;
  readonly aggregates: RecordedSets;
  readonly collections: RecordedSets;
  /** Numbers of verified sets with the times, in order. Sets are collections if there are any, otherwise aggregates. */
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
