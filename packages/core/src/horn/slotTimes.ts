import { requireObject } from '../arguments.ts';
import type { HornSystem } from './globalTopic.ts';
import type { HornParameters } from './parameters.ts';

/** Lengths of a slot in seconds (Horn: "Slot time increase"). */
export interface SlotTimes {
  /** Current length of one communication round, s. */
  readonly roundSeconds: number;
  /** Length of a slot with one additional round of this length, s. */
  readonly minSeconds: number;
  /** Length of a slot in Horn's proposal, s. */
  readonly hornSeconds: number;
}

/** Returns the lengths of a slot (Horn: "Slot time increase"). */
export function slotTimes(parameters: HornParameters): SlotTimes {
  requireObject('parameters', parameters);
  const { slotSeconds, rounds, addedSeconds } = parameters;
  const roundSeconds = slotSeconds / rounds;
  return { roundSeconds, minSeconds: slotSeconds + roundSeconds, hornSeconds: slotSeconds + addedSeconds };
}

/** Times of a validator's actions, in microseconds of its own clock since the start of the slot. */
export interface SlotClock {
  readonly attestUs: number;
  readonly aggregateUs: number;
  /** Time of collections, only for Horn. */
  readonly collectUs: number;
  /** Time of the next block. The proposer includes only what it has verified by then. */
  readonly endUs: number;
}

/**
 * Returns the times of a slot. Rounds have their current length: votes end after one round, aggregates after two, and
 * Horn's collections begin after three. Collections propagate on the global topic for the rest of the longer slot
 * (Horn: "Slot time increase").
 */
export function slotClock(system: HornSystem, parameters: HornParameters): SlotClock {
  const { roundSeconds, hornSeconds } = slotTimes(parameters);
  const us = (seconds: number): number => Math.round(seconds * 1e6);
  return {
    attestUs: us(roundSeconds),
    aggregateUs: us(2 * roundSeconds),
    collectUs: us(3 * roundSeconds),
    endUs: us(system === 'horn' ? hornSeconds : parameters.slotSeconds),
  };
}
