import { RandomStream } from '@tutti/core';

/**
 * What work costs on a node's machine, and who shares one. Kept apart from the scenario's `verifyMs`, which every world
 * has.
 */
export interface CpuSettings {
  /** A node is up to this many times slower or faster than a standard one; 1 makes all machines alike. */
  readonly spread: number;
  /** What each public key that a verification adds up costs on a standard node, µs, over `verifyMs`. */
  readonly perKeyUs: number;
  /** What a message costs who sends it, and again who takes it in, µs on a standard node; needs a shared core. */
  readonly perMessageUs: number;
  /**
   * Nodes of a region that share one core for all they do, first come first served. With 0 each verifies on a core of
   * its own, and everything else takes no time (v1.03 section 6 and appendix A).
   */
  readonly nodesPerCore: number;
  /** How much longer a timer waits if its shared core is busy, ms: the time slice of a scheduler. */
  readonly sliceMs: number;
  /**
   * How much later each further live node of a machine starts than the one before it, ms, in an order drawn by seed;
   * needs machines.
   */
  readonly startsApartMs: number;
}

/**
 * What work costs on each node over what it costs on a standard one: half of the nodes uniform in [1/spread, 1], half
 * in [1, spread] (v1.03 appendix A, with a spread of 3).
 */
export function cpuFactors(nodes: number, seed: number, spread = 3): Float32Array {
  const random = new RandomStream(seed, 'cpu');
  return Float32Array.from({ length: nodes }, () => {
    const faster = random.nextUnit() < 0.5;
    const at = random.nextUnit();
    return faster ? 1 / spread + at * (1 - 1 / spread) : 1 + at * (spread - 1);
  });
}
