import type { HornSystem } from './globalTopic.ts';
import type { HornParameters } from './parameters.ts';
import { slotTimes } from './slotTimes.ts';

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
