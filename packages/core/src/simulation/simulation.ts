import type { Recording } from './recording.ts';
import type { RunResult } from './result.ts';
import type { Scenario } from './scenario.ts';

/** A run that can be advanced piece by piece, so that a page stays responsive and long work can be stopped. */
export interface Simulation {
  /** Virtual time, microseconds. */
  readonly nowUs: number;
  /** Live nodes that have reached the threshold so far. */
  readonly reached: number;
  /** Events handled so far. */
  readonly events: number;
  /** Handles up to `maxEvents` events; false once the run has ended. */
  advance(maxEvents: number): boolean;
  result(): RunResult;
  /** Only when the run was created with `record: true`. */
  recording(): Recording;
}
export type { Recording, RunResult, Scenario };
