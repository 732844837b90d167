import { requireObject } from '../../../errors.ts';
import { electionModulus, isElected } from '../../../horn/election.ts';
import { bytesPerUs, classifyNodes } from '../../../horn/network/linkClasses.ts';
import { mapNodes, type NodeMap } from '../../../horn/network/nodeMap.ts';
import { type NetworkScenario, systemOf, validatorsOf, votersOf } from '../../../horn/network/scenario.ts';
import type { VotingSystem } from '../../../horn/network/systems.ts';
import { addMember, emptySet, type MemberSet } from '../../../horn/play/memberSet.ts';
import { shuffle } from '../../../overlay/shuffle.ts';
import { RandomStream } from '../../../random.ts';
import { createNetwork } from '../../network.ts';
import type { NetworkModel } from '../../networkModel.ts';

/** One group of validators that votes together: a subcommittee, a run of places. */
export interface Subcommittee {
  readonly start: number;
  readonly members: number;
  /** Places of its aggregators. */
  readonly aggregators: readonly number[];
  /** Those who vote. */
  readonly casts: MemberSet;
  readonly cast: number;
}

/** What a scenario's seed draws before the slot begins. */
export interface NetworkWorld {
  readonly scenario: NetworkScenario;
  readonly system: VotingSystem;
  readonly validators: number;
  /** By node. */
  readonly validatorsOf: Int32Array;
  readonly classOf: Uint8Array;
  readonly up: Float64Array;
  readonly down: Float64Array;
  /** The node of each voter, by place. */
  readonly nodeAt: Int32Array;
  readonly subcommittees: readonly Subcommittee[];
  /** Places of each committee's collectors. */
  readonly collectors: readonly (readonly number[])[];
  /** Nodes on each subnet, and on each committee's topic. */
  readonly subnets: readonly Int32Array[];
  readonly committeeTopics: readonly Int32Array[];
  /** Of how many subnets and committee topics a node is. */
  readonly subnetsOf: Int32Array;
  readonly committeeTopicsOf: Int32Array;
  /** Votes that a node casts. */
  readonly votesOf: Int32Array;
  /** Votes cast by all. */
  readonly cast: number;
  network(): NetworkModel;
}

/** Draws which node hosts how many validators, whose, and by which class of link. */
export function placeNodes(scenario: NetworkScenario): NodeMap & { readonly classOf: Uint8Array } {
  requireObject('scenario', scenario, 'an object like that of defaultNetworkScenario');
  const { distribution, nodes, links, seed } = scenario;
  const map = mapNodes(distribution, validatorsOf(scenario), nodes, seed);
  return { ...map, classOf: classifyNodes(links, map.validators, shuffle(nodes, seed, 'links')) };
}

/** Draws the nodes, their links and places, duties and subscriptions. */
export function createNetworkWorld(scenario: NetworkScenario): NetworkWorld {
  const { seed, nodes } = scenario;
  const system = systemOf(scenario);
  const validators = validatorsOf(scenario);
  const { classOf, ...map } = placeNodes(scenario);
  const free = 1 - scenario.reserved;
  const up = Float64Array.from(classOf, (of) => free * bytesPerUs(scenario.links[of]!.upMbps));
  const down = Float64Array.from(classOf, (of) => free * bytesPerUs(scenario.links[of]!.downMbps));
  const voters = votersOf(scenario);
  const order = shuffle(validators, seed, 'committees').subarray(0, voters);
  const groups = system.committees * system.subcommittees;
  const nodeAt = new Int32Array(voters);
  const random = new RandomStream(seed, 'participation');
  const duties = new RandomStream(seed, 'aggregators');
  const votesOf = new Int32Array(nodes);
  let cast = 0;
  const size = (node: number): number => map.validators[node]!;
  const subcommittees = Array.from({ length: groups }, (_, group): Subcommittee => {
    const start = Math.floor((voters * group) / groups);
    const end = Math.floor((voters * (group + 1)) / groups);
    // Which place a member has means nothing; sorted, the same place is much the same kind of node in every
    // subcommittee.
    const assigned = Array.from(order.subarray(start, end), (validator) => map.nodeOf[validator]!).sort(
      (a, b) => classOf[a]! - classOf[b]! || size(a) - size(b) || a - b,
    );
    nodeAt.set(assigned, start);
    const members = end - start;
    const casts = emptySet(members);
    let count = 0;
    for (let member = 0; member < members; member++) {
      if (random.nextUnit() >= scenario.participation) continue;
      addMember(casts, member);
      votesOf[assigned[member]!]!++;
      count++;
    }
    cast += count;
    return {
      start,
      members,
      aggregators: elect(system, system.aggregators, start, members, duties),
      casts,
      cast: count,
    };
  });
  const collecting = new RandomStream(seed, 'collectors');
  const collectors = Array.from({ length: system.collectors > 0 ? system.committees : 0 }, (_, committee) => {
    const start = Math.floor((voters * committee) / system.committees);
    const end = Math.floor((voters * (committee + 1)) / system.committees);
    return elect(system, system.collectors, start, end - start, collecting);
  });
  const isGossip = system.gathering === 'gossip';
  const subnets = isGossip
    ? join(
        subcommittees.map(({ aggregators }) => aggregators),
        nodeAt,
        nodes,
        scenario.subnetsPerNode,
        seed,
        'subnets',
      )
    : [];
  const committeeTopics =
    isGossip && system.collectors > 0
      ? join(collectors, nodeAt, nodes, scenario.committeeTopicsPerNode, seed, 'committee topics')
      : [];
  return {
    scenario,
    system,
    validators,
    validatorsOf: map.validators,
    classOf,
    up,
    down,
    nodeAt,
    subcommittees,
    collectors,
    subnets,
    committeeTopics,
    subnetsOf: countOf(subnets, nodes),
    committeeTopicsOf: countOf(committeeTopics, nodes),
    votesOf,
    cast,
    network: () => createNetwork(scenario.network, nodes, seed),
  };
}

/** The specification's election, each member by the hash of its selection proof; or a fixed number, by seed. */
function elect(
  { election = 'self-selected' }: VotingSystem,
  aim: number,
  start: number,
  members: number,
  random: RandomStream,
): number[] {
  const elected: number[] = [];
  if (election === 'fixed') {
    const chosen = new Set<number>();
    while (chosen.size < Math.min(aim, members)) chosen.add(start + random.nextBelow(members));
    return [...chosen].sort((a, b) => a - b);
  }
  const modulus = electionModulus({ members, aggregators: Math.min(aim, members) });
  for (let member = 0; member < members; member++) {
    if (isElected(random.nextUint32(), random.nextUint32(), modulus)) elected.push(start + member);
  }
  return elected;
}

/** Topics' nodes: those with a duty there, and those that are there for good. */
function join(
  duties: readonly (readonly number[])[],
  nodeAt: Int32Array,
  nodes: number,
  perNode: number,
  seed: number,
  purpose: string,
): Int32Array[] {
  const topics = duties.map((places) => new Set(places.map((place) => nodeAt[place]!)));
  const random = new RandomStream(seed, purpose);
  for (let node = 0; node < nodes; node++) {
    for (let one = 0; one < perNode; one++) topics[random.nextBelow(topics.length)]!.add(node);
  }
  return topics.map((of) => Int32Array.from(of).sort());
}

function countOf(topics: readonly Int32Array[], nodes: number): Int32Array {
  const counts = new Int32Array(nodes);
  for (const of of topics) for (const node of of) counts[node]!++;
  return counts;
}
