import { requireObject } from '../errors.ts';
import type { HornSystem } from './globalTopic.ts';
import type { HornParameters } from './parameters.ts';

/** Lengths of a slot in seconds (Horn: "Slot time increase"). */
export interface SlotTimes {
  /** Length of one communication round today, s. */
  readonly roundSeconds: number;
  /** Length of a slot with one additional round of that length, s. */
  readonly minSeconds: number;
  /** Length of a slot as Horn proposes it, s. */
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
  /** Time of collections. Only Horn has it. */
  readonly collectUs: number;
  /** Time of the next block. The proposer cannot include what it has not verified by then. */
  readonly endUs: number;
}

/**
 * Returns the times of a slot. Rounds have today's length: votes end after one, aggregates after two, and Horn's
 * collections begin after three. They cross the global topic in the rest of the longer slot (Horn: "Slot time
 * increase").
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
