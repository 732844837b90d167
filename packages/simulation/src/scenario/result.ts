import type { Percentiles } from '../statistics/statistics.ts';
import type { Scenario } from './scenario.ts';

/** Minimum, mean and maximum of a quantity over the nodes of a run. */
export interface Spread {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

/**
 * Percentiles over the live nodes; percentiles of times are over the live nodes that reached the threshold. Null if no
 * node qualifies.
 */
export interface RunPercentiles {
  readonly timeToThresholdMs: Percentiles | null;
  readonly messagesSent: Percentiles | null;
  readonly messagesReceived: Percentiles | null;
  readonly bytesSent: Percentiles | null;
  readonly checked: Percentiles | null;
}

/** Measurements of a node, each from the node's own start to its own first output. */
export interface OwnMeasures {
  readonly timeMs: Spread;
  readonly messagesSent: Spread;
  readonly messagesReceived: Spread;
  readonly bytesSent: Spread;
  readonly checked: Spread;
}

/**
 * Reason why the run ended. `reached`: every live node has produced the output for which the run waited. `silent`: no
 * event was left, so the remaining nodes will never produce an output. `given-up`: the time limit was reached; the
 * remaining nodes might still have produced an output. `running`: the run has not ended.
 */
export type RunEnd = 'reached' | 'silent' | 'given-up' | 'running';

/**
 * Result of a run. Values with min, mean and max are taken over the live nodes, which are the honest nodes that stay
 * alive. Times are measured from the run's common start.
 */
export interface RunResult {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly version: string;
  /**
   * Digest of every event in order, 16 hexadecimal digits; equal runs have equal digests, in Node and in the browser.
   */
  readonly digest: string;
  readonly nodes: number;
  readonly live: number;
  /** Number of live nodes that produced an output at or above the threshold. */
  readonly reached: number;
  readonly ended: RunEnd;
  /** Number of contributions required in an output. */
  readonly threshold: number;
  /**
   * Weights, if nodes have different weights: of all nodes, of the live nodes, and the minimum of an output's signers,
   * in decimal digits. The object also has the share of the total weight in the outputs with which live nodes reached
   * the threshold.
   */
  readonly stake?: {
    readonly total: string;
    readonly live: string;
    readonly required: string;
    readonly signed: Spread;
  };
  /**
   * Number of contributions in the outputs with which live nodes reached the threshold; zeros if no node reached it.
   */
  readonly signers: Spread;
  /** Time at which live nodes reached the threshold, ms; zeros if no node reached it. */
  readonly timeToThresholdMs: Spread;
  /**
   * Measurements of the nodes that reached the threshold, each up to the time of reaching it, as in the published runs
   * (v1.03 section 7.1).
   */
  readonly untilThreshold: OwnMeasures;
  readonly messagesSent: Spread;
  readonly messagesReceived: Spread;
  readonly bytesSent: Spread;
  /** Number of contributions that a node verified. */
  readonly checked: Spread;
  /** Number of invalid contributions among the verified ones. */
  readonly checkedInvalid: Spread;
  /**
   * Number of checks that a node performed. It equals the number of verified contributions if the node verifies each
   * one separately, and is usually smaller if the node verifies several together.
   */
  readonly checks: Spread;
  /** CPU time of a node's checks, without waiting for a shared core, ms. */
  readonly checkingMs: Spread;
  /**
   * Number of integers that a node that runs Handel occupies: the maximum for pending contributions plus the maximum for
   * data about peers.
   */
  readonly keptInts: Spread;
  readonly percentiles: RunPercentiles;
  /** Number of messages rejected before any part was stored, by code, over all nodes. */
  readonly refused: Readonly<Record<string, number>>;
  /**
   * Effects of the fault plan and of the absence of nodes, by the kind of fault: see `InjectedCounts`. Empty if the
   * scenario has neither.
   */
  readonly injected: Readonly<Record<string, number>>;
  readonly messagesDelivered: number;
  readonly events: number;
}
