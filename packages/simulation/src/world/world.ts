import { RandomStream, shuffle, Tree, thresholdCount, type VerificationPriorities } from '@tutti/core';
import { expected, partOf } from '@tutti/core/internal';
import type { PlacementSetting } from '../attacks/attack.ts';
import { cpuFactors } from '../engine/cpu.ts';
import { createNetwork } from '../engine/network/network.ts';
import type { NetworkModel } from '../engine/network/networkModel.ts';
import { skewsUs } from '../faults/clock.ts';
import { neverBack } from '../faults/nodeSets.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { checkedNetwork, type Extensions } from './extensions.ts';
import { requireOptions } from './options.ts';
import { type PlayedAttack, playedAttacks } from './playedAttacks.ts';

/** What a scenario's seed draws before anything happens: who lives, where, how fast, from when. */
export interface World {
  readonly network: NetworkModel;
  /** 1 if a node is honest and stays alive or comes back: these should reach the threshold. */
  readonly alive: Uint8Array;
  /** The number of those. */
  readonly live: number;
  /** 1 if a node takes part at first, even if it is Byzantine or a fault stops it for good later. */
  readonly present: Uint8Array;
  /** Which of the run's attacks the node is part of; -1 for none. */
  readonly attack: Int8Array;
  /**
   * Contributions that an output must contain: the scenario's own count, or its share of the live nodes, rounded up.
   */
  readonly threshold: number;
  /** Microseconds; -1 for a dead node. */
  readonly startUs: Int32Array;
  readonly cpuFactor: Float32Array;
}

/**
 * @throws RangeError where the scenario's faults end every honest node for good, its threshold is a count over the live
 *   nodes', or a network that was handed in is of other nodes; TypeError for an extension of another kind.
 */
export function createWorld(
  scenario: Scenario,
  priorities: VerificationPriorities,
  extensions: Extensions = {},
): World {
  requireOptions(extensions);
  const { nodes, seed } = scenario;
  const present = new Uint8Array(nodes).fill(1);
  const own = extensions.network === undefined ? undefined : checkedNetwork(extensions.network);
  const network = own ?? createNetwork(scenario.network, nodes, seed, scenario.tor);
  if (network.region.length !== nodes)
    throw new RangeError(expected('options.network', `the regions of ${nodes} nodes`, network.region.length));
  const order = orderOfDeath(scenario, network);
  const dead = Math.min(nodes - 1, partOf(nodes, scenario.dead));
  for (const id of order.subarray(0, dead)) present[id] = 0;
  const attack = castAttacks(nodes, playedAttacks(scenario, extensions), [...order.subarray(dead)], {
    tree: new Tree(nodes, scenario.tree),
    priorities,
  });
  const alive = present.map((is, id) => (is === 1 && attack[id] === -1 ? 1 : 0));
  for (const id of neverBack(scenario.faults, nodes, seed)) alive[id] = 0;
  const live = alive.reduce((sum, one) => sum + one, 0);
  if (live === 0) throw new RangeError(expected('faults', 'an honest node that no crash ends', 'none'));
  const threshold = thresholdCount(scenario.threshold, live);
  if (threshold > live)
    throw new RangeError(expected('threshold', `at most the ${live} live nodes of ${nodes}`, threshold));
  const starts = new RandomStream(seed, 'start');
  const skewUs = skewsUs(scenario.faults, nodes, seed);
  const afterUs = startsApartUs(scenario, network, present);
  const startUs = Int32Array.from(present, (is, id) => {
    const at = afterUs[id]! + Math.floor(starts.nextUnit() * scenario.desyncMs * 1000);
    if (is === 0) return -1;
    return attack[id] === -1 ? Math.max(0, at - skewUs[id]!) : at;
  });
  return {
    network,
    alive,
    live,
    present,
    attack,
    threshold,
    startUs,
    cpuFactor: cpuFactors(nodes, seed, scenario.cpu.spread),
  };
}

/** How much later than its machine each node starts, microseconds. */
function startsApartUs({ nodes, seed, cpu }: Scenario, { machine }: NetworkModel, present: Uint8Array): Int32Array {
  const afterUs = new Int32Array(nodes);
  if (cpu.startsApartMs === 0 || machine === undefined) return afterUs;
  const next = new Map<number, number>();
  for (const id of shuffle(nodes, seed, 'starts of machines')) {
    if (present[id] === 0) continue;
    afterUs[id] = next.get(machine[id]!) ?? 0;
    next.set(machine[id]!, afterUs[id]! + Math.round(cpu.startsApartMs * 1000));
  }
  return afterUs;
}

/** All ids, those first that are dead where anybody is. */
function orderOfDeath({ nodes, seed, deadBy }: Scenario, { machine }: NetworkModel): Int32Array {
  const order = shuffle(nodes, seed, 'dead');
  if (deadBy === 'chance' || machine === undefined) return order;
  // How many of the machine's nodes are dead already: one in each round over the machines.
  const deadOn = new Map<number, number>();
  const round = new Int32Array(nodes);
  for (const id of order) {
    round[id] = deadOn.get(machine[id]!) ?? 0;
    deadOn.set(machine[id]!, round[id]! + 1);
  }
  return order.sort((a, b) => round[a]! - round[b]! || machine[a]! - machine[b]!);
}

/** Who takes part in which attack; at least one node stays honest. */
function castAttacks(
  nodes: number,
  attacks: readonly PlayedAttack[],
  free: number[],
  setting: Omit<PlacementSetting, 'plan'>,
): Int8Array {
  const attack = new Int8Array(nodes).fill(-1);
  for (const [index, { attack: played, share, plan }] of attacks.entries()) {
    const count = Math.min(free.length - 1, partOf(nodes, share));
    const chosen = played.choose?.(free, count, { ...setting, plan }) ?? free.slice(0, count);
    for (const id of chosen) attack[id] = index;
    free = free.filter((id) => attack[id] === -1);
  }
  return attack;
}
