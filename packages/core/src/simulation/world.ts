import { shuffle } from '../overlay/shuffle.ts';
import { RandomStream } from '../random.ts';
import { cpuFactors } from './cpu.ts';
import { createNetwork, type NetworkModel } from './network.ts';
import type { Scenario } from './scenario.ts';

/** What a scenario's seed draws before anything happens: who lives, where, how fast, from when. */
export interface World {
  readonly network: NetworkModel;
  /** 1 where the node lives. */
  readonly alive: Uint8Array;
  readonly live: number;
  /** Contributions that an output must contain: the threshold's share of the live nodes, rounded down, at least 1. */
  readonly threshold: number;
  /** Microseconds; -1 for a dead node. */
  readonly startUs: Int32Array;
  readonly cpuFactor: Float32Array;
}

export function createWorld(scenario: Scenario): World {
  const { nodes, seed } = scenario;
  const alive = new Uint8Array(nodes).fill(1);
  const dead = Math.min(nodes - 1, shareOf(nodes, scenario.dead));
  for (const id of shuffle(nodes, seed, 'dead').subarray(0, dead)) alive[id] = 0;
  const live = nodes - dead;
  const starts = new RandomStream(seed, 'start');
  const startUs = Int32Array.from(alive, (lives) => {
    const at = Math.floor(starts.nextUnit() * scenario.desyncMs * 1000);
    return lives === 1 ? at : -1;
  });
  return {
    network: createNetwork(scenario.network, nodes, seed),
    alive,
    live,
    threshold: Math.max(1, shareOf(live, scenario.threshold)),
    startUs,
    cpuFactor: cpuFactors(nodes, seed),
  };
}

/** A share of a count, rounded down; 0.7 of 90 is 63, though the product of the two floats is just under it. */
function shareOf(count: number, share: number): number {
  return Math.floor(count * share + 1e-9);
}
