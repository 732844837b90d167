import { requireObject } from '../errors.ts';
import type { HornParameters } from './parameters.ts';

/** Lengths of a slot in seconds (Horn: "Slot time increase"). */
export interface SlotTimes {
  /** One round of communication today. */
  readonly roundSeconds: number;
  /** A slot with room for one more such round. */
  readonly leastSeconds: number;
  /** A slot as Horn proposes it. */
  readonly hornSeconds: number;
}

/** Returns the lengths of a slot (Horn: "Slot time increase"). */
export function slotTimes(parameters: HornParameters): SlotTimes {
  requireObject('parameters', parameters);
  const { slotSeconds, rounds, addedSeconds } = parameters;
  const roundSeconds = slotSeconds / rounds;
  return { roundSeconds, leastSeconds: slotSeconds + roundSeconds, hornSeconds: slotSeconds + addedSeconds };
}
