import type { Scenario } from '@tutti/simulation';

/**
 * Outcome of a contribution. `kept`: it is queued. `aside`: it is stored until it can improve In_l. `chosen`: it is being
 * verified. `taken`: it is valid. `dropped`: it is invalid, or cannot improve In_l.
 */
export type Fate = 'kept' | 'aside' | 'chosen' | 'taken' | 'dropped';

/** Event of the node, with the places in its source that were executed. */
export interface TracedEvent {
  readonly timeUs: number;
  readonly kind: 'start' | 'message' | 'timer' | 'verified';
  /** Sender of the message; -1 for other events. */
  readonly from: number;
  /** Level of the message; 0 for other events. */
  readonly level: number;
  /** Marks in the order of their first execution. */
  readonly marks: readonly number[];
  /** Decisions about contributions, in order. */
  readonly decisions: readonly Decision[];
}

/** A decision about the contributions of a sender on a level, with the mark of its statement. */
export interface Decision {
  readonly mark: number;
  readonly level: number;
  readonly sender: number;
}

/** Run in which one node executes the traced readable Handel. */
export interface TracedRun {
  readonly digest: string;
  /** Events in order of time. */
  readonly events: readonly TracedEvent[];
}

/**
 * Returns whether the readable Handel supports a scenario. It has no batches, and its mechanisms cannot be switched
 * off.
 */
export function isReadable({ protocol, batch, without }: Scenario): boolean {
  return protocol === 'handel' && batch === 1 && without.length === 0;
}
