import type { Contribution, ForgingScheme, Stakes, Tree } from '@tutti/core';
import { requireKnownFields } from '@tutti/core/input';
import type { RunMemory } from '../engine/runMemory.ts';
import type { RecordingOptions } from '../recording/recording.ts';
import { type Extensions, requireExtensions } from './extensions.ts';

/**
 * An aggregation scheme with all nodes' individual contributions, for a run in which one process simulates all nodes.
 */
export interface SimulatedScheme {
  readonly scheme: ForgingScheme;
  /** Returns the individual contribution of a node, retained once for the caller. */
  individual(id: number): Contribution;
}

/** Options of a run in addition to its scenario. */
export interface SimulationOptions extends Extensions {
  /**
   * Creates the scheme. It is required for `scheme: 'bls'`, since a simulation contains no curve. Default: the counting
   * scheme.
   */
  readonly scheme?: (tree: Tree, stakes?: Stakes) => SimulatedScheme;
  /** Keep a line of every step, or of some steps, for `Simulation.recording`. Default: false. */
  readonly record?: boolean | RecordingOptions;
  /** Check the paper's claims after every event and throw `CheckFailed` at the first violation. Default: false. */
  readonly checkers?: boolean;
  /**
   * Condition for the end of the run. `threshold`, the default: every live node has given an output. `fairness`: every
   * live node's output contains every live node's contribution (v1.03 section 2.4).
   */
  readonly until?: 'threshold' | 'fairness';
  /**
   * Memory of an earlier run, to reuse in many small runs. That run must not be used afterwards. Default: a new one.
   */
  readonly memory?: RunMemory;
  /**
   * Virtual time after which an unfinished run is stopped, ms. Default: 60,000 after the last start and the last
   * healing of a fault.
   */
  readonly giveUpAfterMs?: number;
}

/** Names of the options. A misspelt option would otherwise be ignored. */
const knownOptions: readonly (keyof SimulationOptions)[] = [
  ...(['nodes', 'around', 'messageBytes', 'network', 'attacks', 'checker', 'scheme', 'record'] as const),
  ...(['checkers', 'until', 'memory', 'giveUpAfterMs'] as const),
];

/** Checks options. @throws TypeError that names an option that is missing, misspelt or of another type. */
export function requireOptions(options: SimulationOptions): void {
  requireKnownFields('options', options, knownOptions);
  requireExtensions(options);
}
