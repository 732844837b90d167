import type { Percentiles } from '../statistics/statistics.ts';
import type { Scenario } from './scenario.ts';

/** Minimum, mean and maximum of a quantity over the nodes of a run. */
export interface Spread {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

/** Percentiles over the live nodes; for the time, over those that reached the threshold. Null if there is no node. */
export interface RunPercentiles {
  readonly timeToThresholdMs: Percentiles | null;
  readonly messagesSent: Percentiles | null;
  readonly messagesReceived: Percentiles | null;
  readonly bytesSent: Percentiles | null;
  readonly checked: Percentiles | null;
}

/** Measurements of a node, each from its own start to its own first output. */
export interface OwnMeasures {
  readonly timeMs: Spread;
  readonly messagesSent: Spread;
  readonly messagesReceived: Spread;
  readonly bytesSent: Spread;
  readonly checked: Spread;
}

/**
 * Reason for the end of a run. `reached`: every live node has given the output that the run waited for. `silent`: no
 * event was left, so the others never will. `given-up`: the time limit was reached, and the others might have.
 * `running`: the run is not over.
 */
export type RunEnd = 'reached' | 'silent' | 'given-up' | 'running';

/**
 * Result of a run. Values with min, mean and max are over the live nodes, which are the honest ones that stay alive.
 * Times are from the run's common start.
 */
export interface RunResult {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly version: string;
  /** Digest of every event in order, 16 hexadecimal digits: equal for equal runs, in Node and in the browser. */
  readonly digest: string;
  readonly nodes: number;
  readonly live: number;
  /** Number of live nodes that gave an output at or over the threshold. */
  readonly reached: number;
  readonly ended: RunEnd;
  /** Number of contributions that an output had to contain. */
  readonly threshold: number;
  /**
   * Weights, if nodes weigh differently: of all nodes, of the live ones, and the minimum of an output's signers, in
   * decimal digits. Also the share of the total weight in the outputs with which live nodes reached the threshold.
   */
  readonly stake?: {
    readonly total: string;
    readonly live: string;
    readonly required: string;
    readonly signed: Spread;
  };
  /** Number of contributions in the outputs with which live nodes reached the threshold; zeros if none did. */
  readonly signers: Spread;
  /** Time at which live nodes reached the threshold, ms; zeros if none did. */
  readonly timeToThresholdMs: Spread;
  /**
   * Measurements of the nodes that reached the threshold, up to that time, as in the published runs (v1.03 section
   * 7.1).
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
   * Number of checks: equal to the number of contributions if each is verified singly, smaller if some are verified
   * together.
   */
  readonly checks: Spread;
  /** CPU time of checks on the node's own core, ms. */
  readonly checkingMs: Spread;
  /** Maximum number of integers that pending contributions and data about peers took, for nodes of Handel. */
  readonly keptInts: Spread;
  readonly percentiles: RunPercentiles;
  /** Number of messages rejected before anything of them was stored, by code, over all nodes. */
  readonly refused: Readonly<Record<string, number>>;
  /** Effects of the fault plan, by the kind of fault: see `InjectedCounts`. Empty without a plan. */
  readonly injected: Readonly<Record<string, number>>;
  readonly messagesDelivered: number;
  readonly events: number;
}
