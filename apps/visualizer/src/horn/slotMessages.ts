import type { SlotScenario } from '@tutti/core/horn';
import type { SlotIndex } from './slotIndex.ts';

/** What the page asks of a slot's worker: one slot, and no more. Ending the worker stops it. */
export interface SlotRequest {
  readonly scenario: SlotScenario;
}

export type SlotReport =
  /** How far it is, 0 to 1. */
  | { readonly kind: 'progress'; readonly progress: number }
  | { readonly kind: 'done'; readonly index: SlotIndex }
  | { readonly kind: 'failed'; readonly message: string };
