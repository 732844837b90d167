import type { Scenario } from '@tutti/simulation';

/** What a node does with a contribution. `dropped`: it is invalid, or cannot improve In_l. */
export type Fate = 'kept' | 'aside' | 'chosen' | 'taken' | 'dropped';

/** Something that happened to the node, and which places of its source ran because of it. */
export interface TracedEvent {
  readonly timeUs: number;
  readonly kind: 'start' | 'message' | 'timer' | 'verified';
  /** Sender of a message; -1 for anything else. */
  readonly from: number;
  /** Level that a message is about; 0 for anything else. */
  readonly level: number;
  /** Marks in the order of their first run. */
  readonly marks: readonly number[];
  /** Decisions about contributions, in their order. */
  readonly decisions: readonly Decision[];
}

/** A decision about the contributions of a sender on a level, and the mark of its statement. */
export interface Decision {
  readonly mark: number;
  readonly level: number;
  readonly sender: number;
}

/** A run in which one node is the readable Handel, traced. */
export interface TracedRun {
  readonly digest: string;
  /** Ascending. */
  readonly events: readonly TracedEvent[];
}

/** Whether the readable Handel can run it: it has no batches, and nothing can be switched off. */
export function isReadable({ protocol, batch, without }: Scenario): boolean {
  return protocol === 'handel' && batch === 1 && without.length === 0;
}
