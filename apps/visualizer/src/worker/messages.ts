import type { Scenario } from '@tutti/simulation';
import type { RunIndex } from '../timeline/runIndex.ts';

/** Request to the simulation's worker for one run. The page stops the run by ending the worker. */
export interface RunRequest {
  readonly scenario: Scenario;
  /** Virtual time after which a run that has not ended is stopped, ms. Default: core's default. */
  readonly giveUpAfterMs?: number | undefined;
  /** False to count messages instead of recording them, whatever the size of the run. */
  readonly sends?: boolean | undefined;
}

/** Progress report of a run. */
export type RunProgress =
  /** Number of nodes that have signed, before the first event of a run with real signatures. */
  | { readonly kind: 'signing'; readonly signed: number }
  | ({ readonly kind: 'running' } & RunStanding)
  /** State of a long run so far, which the page shows during the run. */
  | { readonly kind: 'partial'; readonly index: RunIndex };

interface RunStanding {
  /** Number of live nodes that have reached the threshold. */
  readonly reached: number;
  /** Number of live nodes. */
  readonly live: number;
  readonly nowUs: number;
  readonly events: number;
}

export interface FinishedRun {
  readonly index: RunIndex;
  /** Output of the run; undefined if a run only counts signatures, or no node reached the threshold. */
  readonly output: FinalOutput | undefined;
  /** Name of the library that made the signatures; undefined if there are none. */
  readonly curve: string | undefined;
}

/** Multi-signature with the most signers of a run, with the data for its verification. */
export interface FinalOutput {
  /** First node that produced this output. */
  readonly node: number;
  /** Signature, 96 bytes, compressed G2. */
  readonly signature: Uint8Array;
  /** Flag per node: 1 if the multi-signature contains its signature. */
  readonly signers: Uint8Array;
  /** Public keys of all nodes by position, 48 bytes each, compressed G1. */
  readonly publicKeys: readonly Uint8Array[];
  readonly message: Uint8Array;
}
