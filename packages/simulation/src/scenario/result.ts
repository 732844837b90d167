import type { Scenario } from './scenario.ts';

export interface Spread {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

/** What nodes can measure of themselves, each from its own start to its own first output. */
export interface OwnMeasures {
  readonly timeMs: Spread;
  readonly messagesSent: Spread;
  readonly messagesReceived: Spread;
  readonly bytesSent: Spread;
  readonly checked: Spread;
}

/**
 * Why a run ended: `reached`, every live node has given the output that the run waited for; `silent`, no event was
 * left, so the others never will; `given-up`, time was up, and the others might have. `running` if it is not over.
 */
export type RunEnd = 'reached' | 'silent' | 'given-up' | 'running';

/**
 * The result of a run. Spreads are over the live nodes, which are the honest ones that stay alive; times are from the
 * run's common start.
 */
export interface RunResult {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly version: string;
  /** 16 hexadecimal digits over every event in order: equal for equal runs, in Node and in the browser. */
  readonly digest: string;
  readonly nodes: number;
  readonly live: number;
  /** Live nodes that gave an output at or over the threshold. */
  readonly reached: number;
  readonly ended: RunEnd;
  /** Contributions that an output had to contain. */
  readonly threshold: number;
  /**
   * Where nodes weigh differently: what all of them weigh, the live ones, and the signers of an output at least, in
   * decimal digits; and the share of the weight of all in the outputs with which live nodes reached the threshold.
   */
  readonly stake?: {
    readonly total: string;
    readonly live: string;
    readonly required: string;
    readonly signed: Spread;
  };
  /** Contributions in the outputs with which live nodes reached it; zeros when none did. */
  readonly signers: Spread;
  /** Over the live nodes that reached it; zeros when none did. */
  readonly timeToThresholdMs: Spread;
  /**
   * What the nodes that reached it measured of themselves by then, as those of the published runs did (v1.03 section
   * 7.1).
   */
  readonly untilThreshold: OwnMeasures;
  readonly messagesSent: Spread;
  readonly messagesReceived: Spread;
  readonly bytesSent: Spread;
  /** Contributions verified. */
  readonly checked: Spread;
  /** Of those, the ones that turned out invalid. */
  readonly checkedInvalid: Spread;
  /**
   * The checks that it ran: as many as contributions if each is verified singly, fewer if some are verified together.
   */
  readonly checks: Spread;
  /** What they took of the node's own CPU, ms. */
  readonly checkingMs: Spread;
  /** The most integers that pending contributions and what is remembered of peers took, for nodes of Handel. */
  readonly keptInts: Spread;
  /** Messages refused before anything was kept of them, by code, over all nodes. */
  readonly refused: Readonly<Record<string, number>>;
  /** What the fault plan did, by the kind of fault: see `InjectedCounts`. Empty without a plan. */
  readonly injected: Readonly<Record<string, number>>;
  readonly messagesDelivered: number;
  readonly events: number;
}
