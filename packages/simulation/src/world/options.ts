import type { Contribution, ForgingScheme, Stakes, Tree } from '@tutti/core';
import { requireKnownFields } from '@tutti/core/settings';
import type { RunMemory } from '../engine/runMemory.ts';
import type { RecordingOptions } from '../recording/recording.ts';
import { type Extensions, requireExtensions } from './extensions.ts';

/** An aggregation scheme with everybody's individual contribution, for a run in which one process plays all nodes. */
export interface SimulatedScheme {
  readonly scheme: ForgingScheme;
  /** The individual contribution of a node, retained once for the caller. */
  individual(id: number): Contribution;
}

export interface SimulationOptions extends Extensions {
  /** Needed for `scheme: 'bls'`, since a simulation holds no curve; the default is the counting scheme. */
  readonly scheme?: (tree: Tree, stakes?: Stakes) => SimulatedScheme;
  /** Keep a line of every step, or of some, for `Simulation.recording`. Default false. */
  readonly record?: boolean | RecordingOptions;
  /** Check the paper's claims after every event and throw `CheckFailed` at the first that is broken. Default false. */
  readonly checkers?: boolean;
  /**
   * When the run ends: once every live node has given an output (`threshold`, the default), or once every live node's
   * output contains every live node's contribution (`fairness`, v1.03 section 2.4).
   */
  readonly until?: 'threshold' | 'fairness';
  /**
   * The memory of an earlier run, to be reused by callers that run many small runs. That run must not be used any
   * more. Default: its own.
   */
  readonly memory?: RunMemory;
  /**
   * Virtual time at which a run that does not end is given up, ms. Default: 60,000 after the last start and the last
   * healing of a fault.
   */
  readonly giveUpAfterMs?: number;
}

/** A misspelt one would otherwise be ignored silently. */
const knownOptions: readonly (keyof SimulationOptions)[] = [
  ...(['nodes', 'around', 'messageBytes', 'network', 'attacks', 'checker', 'scheme', 'record'] as const),
  ...(['checkers', 'until', 'memory', 'giveUpAfterMs'] as const),
];

/** @throws TypeError naming the option that is missing, misspelt or of another kind. */
export function requireOptions(options: SimulationOptions): void {
  requireKnownFields('options', options, knownOptions);
  requireExtensions(options);
}
