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
import { expected, partOf } from '@tutti/core/input';
import type { Attack, PlacementSetting } from '../attacks/attack.ts';
import { attackNamed } from '../attacks/attacks.ts';
import { cpuFactors } from '../engine/cpu.ts';
import { createNetwork } from '../engine/network/network.ts';
import type { NetworkModel } from '../engine/network/networkModel.ts';
import { absentNodes, crashes, type PlannedFaults, plannedFaults } from '../faults/nodeFaults.ts';
import { type Scenario, validateScenario } from '../scenario/scenario.ts';
import { stakesOf } from '../scenario/weights.ts';
import { type Extensions, maxRunMs, validatedNetwork } from './extensions.ts';
import { createPriorities } from './honest.ts';

/** All data that a scenario's seed draws before the run: the live nodes, and all positions, speeds and start times. */
export interface World {
  readonly network: NetworkModel;
  /**
   * One flag per node: 1 if the node is honest and stays alive or comes back. The nodes with this flag should reach the
   * threshold.
   */
  readonly alive: Uint8Array;
  /** Number of nodes with the flag `alive`. */
  readonly live: number;
  /**
   * One flag per node: 1 if the node participates at first, even if it is Byzantine or a fault later stops it forever.
   */
  readonly present: Uint8Array;
  /** Index of each node's attack; -1 for a node without an attack. */
  readonly attack: Int8Array;
  readonly attacks: readonly RunAttack[];
  readonly faults: PlannedFaults;
  /**
   * Number of contributions required in an output: the scenario's own count, or the scenario's share of the live nodes,
   * rounded up.
   */
  readonly threshold: number;
  /**
   * Weights of the nodes, if the scenario assigns weights. With weights, the minimum number of contributions in an
   * output is only 1.
   */
  readonly stakes?: Stakes | undefined;
  /** Minimum weight of an output's signers: the scenario's share of the live nodes' weight. */
  readonly quorum?: Quorum | undefined;
  /** Start time of each node, µs; -1 for a dead node. */
  readonly startUs: Int32Array;
  /** Ratio of each node's costs to a standard node's costs. */
  readonly cpuFactor: Float32Array;
}

/**
 * Draws the world of a scenario. @throws RangeError if the scenario's faults stop every honest node forever, its
 * threshold exceeds the number of live nodes, there are too many attacks, a start is too late, or a given network has a
 * different number of nodes or lacks machines.
 *
 * @param extensions checked extensions.
 */
export function createWorld(
  scenario: Scenario,
  priorities: VerificationPriorities,
  extensions: Extensions = {},
  stakes = stakesOf(scenario),
): World {
  const { nodes, seed } = scenario;
  const network = networkOf(scenario, extensions);
  const order = orderOfDeath(scenario, network);
  const dead = Math.min(nodes - 1, partOf(nodes, scenario.dead));
  const present = new Uint8Array(nodes).fill(1);
  for (const id of order.subarray(0, dead)) present[id] = 0;
  const attacks = attacksOfRun(scenario, extensions);
  const free = [...order.subarray(dead)];
  const attack =
    stakes === undefined || scenario.attackBy === 'nodes'
      ? castAttacks(nodes, attacks, free, { tree: new Tree(nodes, scenario.tree), priorities })
      : castByWeight(nodes, attacks, free, stakes, scenario.attackBy);
  const faults = plannedFaults(scenario);
  const alive = present.map((is, id) => (is === 1 && attack[id] === -1 ? 1 : 0));
  for (const [id, ofNode] of faults.byNode) if (crashes(ofNode)) alive[id] = 0;
  const live = alive.reduce((sum, one) => sum + one, 0);
  if (live === 0) throw new RangeError('faults: expected an honest node that no crash ends, got none');
  const threshold = stakes === undefined ? thresholdCount(scenario.threshold, live) : 1;
  if (threshold > live)
    throw new RangeError(expected('threshold', `at most the ${live} live nodes of ${nodes}`, threshold));
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
    startUs: startTimesUs(scenario, { network, present, attack, faults }),
    cpuFactor: cpuFactors(nodes, seed, scenario.cpu.spread),
  };
}

/** Returns the network of an extension, or else of the scenario. */
function networkOf(scenario: Scenario, { network: own }: Extensions): NetworkModel {
  const { network: name, nodes, seed, tor, jitter, deadBy, cpu } = scenario;
  const network = own === undefined ? createNetwork(name, nodes, seed, tor, jitter) : validatedNetwork(own);
  if (network.region.length !== nodes)
    throw new RangeError(expected('options.network', `the regions of ${nodes} nodes`, network.region.length));
  if ((network.machine?.length ?? nodes) !== nodes)
    throw new RangeError(expected('options.network', `the machines of ${nodes} nodes`, network.machine?.length));
  if (network.machine === undefined && (deadBy === 'machine' || cpu.startsApartMs > 0))
    throw new RangeError(
      expected('options.network', 'machines, because of deadBy or cpu.startsApartMs', network.machine),
    );
  return network;
}

/** Returns the start time of each node, µs; -1 for a dead node. An honest node starts by its own clock. */
function startTimesUs(
  scenario: Scenario,
  { network, present, attack, faults }: Pick<World, 'network' | 'present' | 'attack' | 'faults'>,
): Int32Array {
  const starts = new RandomStream(scenario.seed, 'start');
  const afterUs = startsApartUs(scenario, network, present);
  return Int32Array.from(present, (is, id) => {
    const at = afterUs[id]! + Math.floor(starts.nextUnit() * scenario.desyncMs * 1000);
    if (is === 0) return -1;
    const startUs = attack[id] === -1 ? Math.max(0, at - (faults.byNode.get(id)?.skewUs ?? 0)) : at;
    if (startUs <= 1000 * maxRunMs) return startUs;
    const limit = `within ${maxRunMs} ms, by cpu.startsApartMs, desyncMs and skews`;
    throw new RangeError(expected('start of a node', limit, `${startUs / 1000} ms`));
  });
}

/**
 * Checks a scenario, and checks that enough nodes stay alive for each of the given seeds. Only a threshold given as a
 * count, or a permanent crash, can require more nodes than stay alive.
 *
 * @param seeds number of seeds, starting with the scenario's seed.
 * @throws the same RangeError that `simulate` throws before the run.
 */
export function validateLiveNodes(scenario: Scenario, seeds = 1): void {
  validateScenario(scenario);
  if (scenario.threshold <= 1 && !scenario.faults.some(({ kind }) => kind === 'crash')) return;
  for (let seed = scenario.seed; seed < scenario.seed + seeds; seed++) {
    const one = { ...scenario, seed };
    createWorld(one, createPriorities(one));
  }
}

/** Number of units in a whole, for computing shares of weight as integers: shares are rounded to nine decimals. */
const shareUnits = 10 ** 9;

/** Returns the quorum for a share of the live nodes' weight; a weight of exactly that share is sufficient. */
function quorumOf(stakes: Stakes, alive: Uint8Array, share: number): Quorum {
  let live = 0n;
  for (const [id, lives] of alive.entries()) if (lives === 1) live += stakes.weight(id);
  const numerator = BigInt(Math.max(1, Math.round(share * shareUnits)));
  return new Quorum([{ stakes, min: minWeight(live, numerator, BigInt(shareUnits)) }]);
}

/** Assigns attacks by shares of the total weight. A node that would exceed the share is skipped. */
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

/** Returns the delay of each node after the start of its machine, µs. */
function startsApartUs({ nodes, seed, cpu }: Scenario, { machine }: NetworkModel, present: Uint8Array): Float64Array {
  const afterUs = new Float64Array(nodes);
  if (cpu.startsApartMs === 0) return afterUs;
  const next = new Map<number, number>();
  for (const id of shuffle(nodes, seed, 'starts of machines')) {
    if (present[id] === 0) continue;
    afterUs[id] = next.get(machine![id]!) ?? 0;
    next.set(machine![id]!, afterUs[id]! + Math.round(cpu.startsApartMs * 1000));
  }
  return afterUs;
}

/** Returns all ids in the order in which nodes are drawn to be dead. Nodes that are absent at first come last. */
function orderOfDeath(scenario: Scenario, { machine }: NetworkModel): Int32Array {
  const { nodes, seed, deadBy } = scenario;
  const order = shuffle(nodes, seed, 'dead');
  if (deadBy === 'chance') return order;
  // Number of dead nodes per machine, which increases by one in each round over the machines.
  const deadOn = new Map<number, number>();
  const round = new Int32Array(nodes);
  for (const id of order) {
    round[id] = deadOn.get(machine![id]!) ?? 0;
    deadOn.set(machine![id]!, round[id]! + 1);
  }
  for (const id of absentNodes(scenario)) round[id] = nodes;
  return order.sort((a, b) => round[a]! - round[b]! || machine![a]! - machine![b]!);
}

/** Assigns nodes to attacks. At least one node remains honest. */
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

/** An attack of a run, and its share of all nodes, or of their weight. */
interface RunAttack {
  readonly attack: Attack;
  readonly share: number;
  /** Plan of the attack; undefined for the default plan or an attack without plans. */
  readonly plan: string | undefined;
}

/** Maximum number of attacks of a run. A node's attack is an index of 8 bits. */
const maxAttacks = 2 ** 7;

/** Returns the attacks of a run: those of its scenario, then those of its extensions. */
function attacksOfRun({ attacks }: Scenario, { attacks: handedIn = [] }: Extensions): RunAttack[] {
  const count = attacks.length + handedIn.length;
  if (count > maxAttacks) throw new RangeError(expected('number of attacks', `at most ${maxAttacks}`, count));
  return [
    ...attacks.map(({ name, share, plan }) => ({ attack: attackNamed(name)!, share, plan })),
    ...handedIn.map(({ attack, share }) => ({ attack, share, plan: undefined })),
  ];
}
