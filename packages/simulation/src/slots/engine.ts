import type { SlotLog } from './slotLog.ts';
import type { SlotWorld } from './slotWorld.ts';

/** One way to play a slot, piece by piece, into a log. */
export interface SlotEngine {
  readonly world: SlotWorld;
  readonly log: SlotLog;
  /** Advances by up to this many steps; false once the slot is over. */
  advance(maxSteps: number): boolean;
  /** How far it is, 0 to 1; a guess where steps differ. */
  readonly progress: number;
}
