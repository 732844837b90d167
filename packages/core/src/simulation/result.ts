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
 * Why a run is over: every live node has given the output that it went on for; or nothing was left to happen, so that the others never will; or
 * its time was up, and the others might have. `running` where it is not over.
 */
export type RunEnd = 'reached' | 'silent' | 'given-up' | 'running';

/** What a run came to. Spreads are over the live nodes, honest ones that go on to live; times are from the run's common start. */
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
  /** Contributions in the outputs with which live nodes reached it; zeros when none did. */
  readonly signers: Spread;
  /** Over the live nodes that reached it; zeros when none did. */
  readonly timeToThresholdMs: Spread;
  /** What the nodes that reached it measured of themselves by then, as those of the published runs did (v1.03 section 7.1). */
  readonly untilThreshold: OwnMeasures;
  readonly messagesSent: Spread;
  readonly messagesReceived: Spread;
  readonly bytesSent: Spread;
  /** Contributions verified. */
  readonly checked: Spread;
  /** Of those, the ones that turned out invalid. */
  readonly checkedInvalid: Spread;
  /** Checks that it took: as many as there were contributions where each is verified by itself, fewer where some are together. */
  readonly checks: Spread;
  /** What they took of the node's own CPU, ms. */
  readonly checkingMs: Spread;
  /** Integers that pending contributions and what is remembered of peers take at most, of nodes of Handel. */
  readonly keptInts: Spread;
  /** Messages refused before anything was kept of them, by code, over all nodes. */
  readonly refused: Readonly<Record<string, number>>;
  /** What the fault plan did, by the kind of fault: see `InjectedCounts`. Empty without a plan. */
  readonly injected: Readonly<Record<string, number>>;
  readonly messagesDelivered: number;
  readonly events: number;
}
