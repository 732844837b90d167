import type { Ledger } from './ledger.ts';
import type { SlotWorld } from './slotWorld.ts';

/** One way to play a slot, piece by piece, into a ledger. */
export interface SlotEngine {
  readonly world: SlotWorld;
  readonly ledger: Ledger;
  /** Goes on by up to so many of its steps; false once the slot is over. */
  advance(maxSteps: number): boolean;
  /** How far it is, 0 to 1; a guess where steps differ. */
  readonly progress: number;
}
