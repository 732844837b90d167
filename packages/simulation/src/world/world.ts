import {
  minWeight,
  Quorum,
  RandomStream,
  type Stakes,
  shuffle,
  Tree,
  thresholdCount,
  type VerificationPriorities,
} from '@tutti/core';
import { expected, partOf } from '@tutti/core/settings';
import type { Attack, PlacementSetting } from '../attacks/attack.ts';
import { attackNamed } from '../attacks/attacks.ts';
import { cpuFactors } from '../engine/cpu.ts';
import { createNetwork } from '../engine/network/network.ts';
import type { NetworkModel } from '../engine/network/networkModel.ts';
import { isForGood } from '../faults/nodeFaults.ts';
import { type PlannedFaults, plannedFaults } from '../faults/planned.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { stakesOf } from '../scenario/weights.ts';
import { type Extensions, validatedNetwork } from './extensions.ts';
import { requireOptions } from './options.ts';

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
  readonly attacks: readonly RunAttack[];
  readonly faults: PlannedFaults;
  /**
   * Contributions that an output must contain: the scenario's own count, or its share of the live nodes, rounded up.
   */
  readonly threshold: number;
  /** What nodes weigh, if the scenario says; then an output has no least number of contributions but 1. */
  readonly stakes?: Stakes | undefined;
  /** What an output's signers must weigh: the scenario's share of the live nodes' weight. */
  readonly quorum?: Quorum | undefined;
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
  stakes = stakesOf(scenario),
): World {
  requireOptions(extensions);
  const { nodes, seed } = scenario;
  const present = new Uint8Array(nodes).fill(1);
  const own = extensions.network === undefined ? undefined : validatedNetwork(extensions.network);
  const network = own ?? createNetwork(scenario.network, nodes, seed, scenario.tor, scenario.jitter);
  if (network.region.length !== nodes)
    throw new RangeError(expected('options.network', `the regions of ${nodes} nodes`, network.region.length));
  const order = orderOfDeath(scenario, network);
  const dead = Math.min(nodes - 1, partOf(nodes, scenario.dead));
  for (const id of order.subarray(0, dead)) present[id] = 0;
  const attacks = attacksOfRun(scenario, extensions);
  const free = [...order.subarray(dead)];
  const attack =
    stakes === undefined || scenario.attackBy === 'nodes'
      ? castAttacks(nodes, attacks, free, { tree: new Tree(nodes, scenario.tree), priorities })
      : castByWeight(nodes, attacks, free, stakes, scenario.attackBy);
  const alive = present.map((is, id) => (is === 1 && attack[id] === -1 ? 1 : 0));
  const faults = plannedFaults(scenario);
  for (const [id, own] of faults.byNode) if (isForGood(own)) alive[id] = 0;
  const live = alive.reduce((sum, one) => sum + one, 0);
  if (live === 0) throw new RangeError(expected('faults', 'an honest node that no crash ends', 'none'));
  const threshold = stakes === undefined ? thresholdCount(scenario.threshold, live) : 1;
  if (threshold > live)
    throw new RangeError(expected('threshold', `at most the ${live} live nodes of ${nodes}`, threshold));
  const starts = new RandomStream(seed, 'start');
  const afterUs = startsApartUs(scenario, network, present);
  const startUs = Int32Array.from(present, (is, id) => {
    const at = afterUs[id]! + Math.floor(starts.nextUnit() * scenario.desyncMs * 1000);
    if (is === 0) return -1;
    return attack[id] === -1 ? Math.max(0, at - (faults.byNode.get(id)?.skewUs ?? 0)) : at;
  });
  return {
    network,
    alive,
    live,
    present,
    attack,
    attacks,
    faults,
    threshold,
    stakes,
    quorum: stakes && quorumOf(stakes, alive, scenario.threshold),
    startUs,
    cpuFactor: cpuFactors(nodes, seed, scenario.cpu.spread),
  };
}

/** Shares are decimals of at most so many digits after the point, as people write them. */
const shareUnits = 10 ** 9;

/** The share of what the live nodes weigh; exactly that share is enough. */
function quorumOf(stakes: Stakes, alive: Uint8Array, share: number): Quorum {
  let live = 0n;
  for (const [id, lives] of alive.entries()) if (lives === 1) live += stakes.weight(id);
  const numerator = BigInt(Math.max(1, Math.round(share * shareUnits)));
  return new Quorum([{ stakes, least: minWeight(live, numerator, BigInt(shareUnits)) }]);
}

/** As {@link castAttacks}, with shares of the weight of all: who would exceed it is passed over. */
function castByWeight(
  nodes: number,
  attacks: readonly RunAttack[],
  free: readonly number[],
  stakes: Stakes,
  by: Exclude<Scenario['attackBy'], 'nodes'>,
): Int8Array {
  const attack = new Int8Array(nodes).fill(-1);
  const order = [...free];
  const compare = (a: number, b: number): number => {
    const more = stakes.weight(a) - stakes.weight(b);
    return more < 0n ? -1 : more > 0n ? 1 : 0;
  };
  if (by === 'lightest') order.sort(compare);
  else if (by === 'heaviest') order.sort((a, b) => compare(b, a));
  let honest = free.length;
  for (const [index, { share }] of attacks.entries()) {
    let left = (stakes.total * BigInt(Math.round(share * shareUnits))) / BigInt(shareUnits);
    for (const id of order) {
      if (attack[id] !== -1 || stakes.weight(id) > left || honest === 1) continue;
      attack[id] = index;
      left -= stakes.weight(id);
      honest--;
    }
  }
  return attack;
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
  attacks: readonly RunAttack[],
  free: number[],
  setting: Omit<PlacementSetting, 'plan'>,
): Int8Array {
  const attack = new Int8Array(nodes).fill(-1);
  for (const [index, { attack: own, share, plan }] of attacks.entries()) {
    const count = Math.min(free.length - 1, partOf(nodes, share));
    const chosen = own.choose?.(free, count, { ...setting, plan }) ?? free.slice(0, count);
    for (const id of chosen) attack[id] = index;
    free = free.filter((id) => attack[id] === -1);
  }
  return attack;
}

/** An attack of a run, and the share of all nodes that play it. */
interface RunAttack {
  readonly attack: Attack;
  readonly share: number;
  /** What it should do, if it can be chosen. */
  readonly plan: string | undefined;
}

/** The attacks of a run: those that its scenario names, then those that were handed in. */
function attacksOfRun({ attacks }: Scenario, { attacks: handedIn = [] }: Extensions): RunAttack[] {
  return [
    ...attacks.map(({ name, share, plan }) => ({ attack: attackNamed(name)!, share, plan })),
    ...handedIn.map(({ attack, share }) => ({ attack, share, plan: undefined })),
  ];
}
