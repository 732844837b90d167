/**
 * A run as data. Together with the version of the code, a scenario is all that it takes to see the run again: the same
 * scenario gives the same event digest in Node and in the browser.
 */
export interface Scenario {
  readonly protocol: 'handel';
  /** N, the size of the registry, 1 to 2^20. */
  readonly nodes: number;
  /** Share of the live nodes whose contributions an output must contain, in (0, 1]; the count is rounded down, at least 1. */
  readonly threshold: number;
  /** `aws`, `constant:MS` (one way) or `distance`. */
  readonly network: string;
  /** Share of the nodes that are dead from the beginning, in [0, 1); the count is rounded down. */
  readonly dead: number;
  /** Nodes start uniformly in [0, desyncMs) ms. */
  readonly desyncMs: number;
  readonly scheme: 'counting' | 'bls';
  /** Dissemination period, ms (v1.03 section 3.6). */
  readonly periodMs: number;
  /** Level l starts (l-1) times this after the node's start, ms. */
  readonly levelStartMs: number;
  /** Peers contacted at once when Out_l becomes complete. 0 switches the fast path off. */
  readonly fastPath: number;
  /** What a verification costs on a standard node, ms. */
  readonly verifyMs: number;
  /** An integer, 0 to 2^32 - 1. */
  readonly seed: number;
  /** How verification priorities are computed; see overlay/verificationPriority. */
  readonly priorities: 'shifted' | 'independent';
}

export const defaultScenario: Scenario = {
  protocol: 'handel',
  nodes: 1024,
  threshold: 0.99,
  network: 'aws',
  dead: 0,
  desyncMs: 0,
  scheme: 'counting',
  periodMs: 20,
  levelStartMs: 50,
  fastPath: 10,
  verifyMs: 4,
  seed: 1,
  priorities: 'shifted',
};
