import type { Scenario } from '@tutti/simulation';
import type { RunIndex } from '../timeline/runIndex.ts';

/** What the page asks of the simulation's worker: one run, and no more. Ending the worker stops it. */
export interface RunRequest {
  readonly scenario: Scenario;
  /** Virtual time at which a run that does not end is given up; core's default if not given. */
  readonly giveUpAfterMs?: number | undefined;
  /** False: messages are counted and not kept, whatever the size. */
  readonly sends?: boolean | undefined;
}

/** What a run says before it is done. */
export type RunProgress =
  /** Before the first event, where there are real signatures: how many nodes have signed. */
  | { readonly kind: 'signing'; readonly signed: number }
  | ({ readonly kind: 'running' } & RunStanding)
  /** A long run's state so far, so that it can be watched as it goes on. */
  | { readonly kind: 'partial'; readonly index: RunIndex };

export interface RunStanding {
  /** Live nodes that have reached the threshold, of how many. */
  readonly reached: number;
  readonly live: number;
  readonly nowUs: number;
  readonly events: number;
}

export interface FinishedRun {
  readonly index: RunIndex;
  /** Undefined where a run only counts, or no node got there. */
  readonly output: FinalOutput | undefined;
  /** What made the signatures, in words; undefined if there are none. */
  readonly curve: string | undefined;
}

/** The heaviest multi-signature of a run, and what it takes to check it. */
export interface FinalOutput {
  /** Who gave it first. */
  readonly node: number;
  /** 96 bytes, compressed G2. */
  readonly signature: Uint8Array;
  /** 1 where the node's signature is in it. */
  readonly signers: Uint8Array;
  /** Everybody's, by position; 48 bytes each, compressed G1. */
  readonly publicKeys: readonly Uint8Array[];
  readonly message: Uint8Array;
}
