import { requireObject } from '../errors.ts';
import type { HornSystem } from './globalTopic.ts';
import type { HornParameters } from './parameters.ts';

/** Lengths of a slot in seconds (Horn: "Slot time increase"). */
export interface SlotTimes {
  /** One round of communication today. */
  readonly roundSeconds: number;
  /** A slot with room for one more such round. */
  readonly minSeconds: number;
  /** A slot as Horn proposes it. */
  readonly hornSeconds: number;
}

/** Returns the lengths of a slot (Horn: "Slot time increase"). */
export function slotTimes(parameters: HornParameters): SlotTimes {
  requireObject('parameters', parameters);
  const { slotSeconds, rounds, addedSeconds } = parameters;
  const roundSeconds = slotSeconds / rounds;
  return { roundSeconds, minSeconds: slotSeconds + roundSeconds, hornSeconds: slotSeconds + addedSeconds };
}

/** When a validator acts, in microseconds of its own clock since the start of the slot. */
export interface SlotClock {
  readonly attestUs: number;
  readonly aggregateUs: number;
  /** Horn alone. */
  readonly collectUs: number;
  /** The next block is made: what the proposer has not verified by then is not in its reach. */
  readonly endUs: number;
}

/**
 * Rounds as long as today's: votes after one, aggregates after two, and Horn's collections after three, with the rest
 * of its longer slot to cross the global topic (Horn: "Slot time increase").
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
