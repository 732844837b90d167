import { RandomStream, shuffle } from '@tutti/core';
import { electionModulus, emptySet, isElected, type MemberSet, shiftInto, sizeOf } from '@tutti/core/horn';
import { requireObject } from '@tutti/core/input';
import { createNetwork, type NamedNetwork, renumbered } from '@tutti/simulation/engine';
import type { VerificationCosts } from '../../horn/costs.ts';
import { type ClientParameters, clientsOfNodes } from '../../horn/network/client.ts';
import { bytesPerUs, classifyNodes, mapNodes, type NodeMap, voteTimes } from '../../horn/network/nodes.ts';
import { type NetworkScenario, systemOf, votersOf } from '../../horn/network/scenario.ts';
import { clockOf, type VotingSystem } from '../../horn/network/systems.ts';
import {
  committeeRange,
  type Elected,
  eveNodes,
  groupsByPlace,
  SlotRoles,
  votesByNode,
  votesIn,
  withholdVotes,
} from './roles.ts';

/** A group of validators that vote together: a subcommittee, which is a range of places. */
export interface Subcommittee extends Elected {
  /** Members that vote on the group's subnet. */
  readonly casts: MemberSet;
  /** Honest members that vote on the group's subnet. */
  readonly honest: MemberSet;
}

/** State that a scenario's seed determines before the slot begins. */
export interface NetworkWorld {
  readonly scenario: NetworkScenario;
  readonly system: VotingSystem;
  /** Number of validators of each node. */
  readonly validatorsOf: Int32Array;
  readonly classOf: Uint8Array;
  /** Link rates by class without the reserved share, bytes per microsecond. */
  readonly up: Float64Array;
  readonly down: Float64Array;
  /** Verification parameters of each node; undefined if all nodes use the scenario's client. */
  readonly clients: readonly ClientParameters[] | undefined;
  /** Node of each voter, by place. */
  readonly nodeAt: Int32Array;
  readonly subcommittees: readonly Subcommittee[];
  /** Places of each committee's collectors; empty in systems without collectors. */
  readonly collectors: readonly (readonly number[])[];
  /** Nodes on each subnet; empty without gossip on subnets. */
  readonly subnets: readonly Int32Array[];
  /** Nodes that are on all subnets. */
  readonly observers: Int32Array;
  /** Nodes on each committee's topic. */
  readonly committeeTopics: readonly Int32Array[];
  /** Number of subnets that each node is on. */
  readonly subnetsOf: Int32Array;
  /** Number of committee topics that each node is on. */
  readonly committeeTopicsOf: Int32Array;
  /** Number of votes that each node casts. */
  readonly votesOf: Int32Array;
  /** Times at which each node casts its votes, µs. */
  readonly castUs: Int32Array;
  /** Number of honest votes cast. */
  readonly cast: number;
  /** Index of the scenario's attack in which each node takes part, -1 for none. */
  readonly attackOf: Int8Array;
  /** Index of the scenario's attack in which each place takes part, -1 for none. */
  readonly attack: Int8Array;
  /** Roles of all validators. */
  readonly roles: SlotRoles;
  /** Rules of the slot in Horn's post, if its assumptions apply; see `createPostWorld`. */
  readonly post?: PostRules;
  /** Returns the latencies between the given nodes, which are identified by their indices in the list. */
  network(among: Int32Array): NamedNetwork;
}

/**
 * Rules that apply only to the slot in Horn's post. Links have no limits, and gossip is plain. Each node verifies one
 * message after another in order of arrival, and clocks run late.
 */
export interface PostRules {
  readonly costs: VerificationCosts;
  /** Delay of each place's clock, microseconds. */
  readonly lateUs: Int32Array;
  /** Nodes that take part. All participating nodes are on the global topic. */
  readonly present: Int32Array;
  /** A node that must be among the observed nodes of the global topic. */
  readonly proposer: number;
}

/** Draws the number of validators of each node, the node of each validator, and the link class of each node. */
export function placeNodes(scenario: NetworkScenario): NodeMap & { readonly classOf: Uint8Array } {
  requireObject('scenario', scenario, 'an object like that of defaultNetworkScenario');
  const { distribution, nodes, links, seed } = scenario;
  const map = mapNodes(distribution, scenario.validators, nodes, seed);
  return { ...map, classOf: classifyNodes(links, map.validators, shuffle(nodes, seed, 'links')) };
}

/** Draws the nodes, their links and places, duties and subscriptions. */
export function createNetworkWorld(scenario: NetworkScenario): NetworkWorld {
  const { seed, nodes, client, clients } = scenario;
  const system = systemOf(scenario);
  const clock = clockOf(system);
  const { classOf, ...map } = placeNodes(scenario);
  const free = 1 - scenario.reserved;
  const attackOf = eveNodes(scenario, map.validators);
  const { drawn, nodeAt, casts } = drawVoters(scenario, { ...map, classOf }, attackOf);
  const committees = Array.from({ length: system.collectors > 0 ? system.committees : 0 }, (_, committee) =>
    committeeRange(system, drawn, committee),
  );
  const random = new RandomStream(seed, 'collectors');
  const collectors = committees.map(({ start, members }) => elect(system.collectors, start, members, random));
  const attack = Int8Array.from(nodeAt, (node) => attackOf[node]!);
  const isGossip = system.gathering === 'gossip';
  const together = isGossip
    ? drawn
    : committees.map((range, committee) => ({ ...range, aggregators: collectors[committee]! }));
  withholdVotes(casts, scenario.attacks, attack, together);
  const subcommittees = drawn.map((of): Subcommittee => ({ ...of, ...votesIn(of, casts, attack) }));
  return {
    scenario,
    system,
    validatorsOf: map.validators,
    classOf,
    up: Float64Array.from(scenario.links, ({ upMbps }) => free * bytesPerUs(upMbps)),
    down: Float64Array.from(scenario.links, ({ downMbps }) => free * bytesPerUs(downMbps)),
    clients: clients.length === 0 ? undefined : clientsOfNodes(client, clients, shuffle(nodes, seed, 'clients')),
    nodeAt,
    subcommittees,
    collectors,
    ...drawTopics(scenario, classOf, nodeAt, { aggregators: drawn.map(({ aggregators }) => aggregators), collectors }),
    votesOf: votesByNode(casts, nodeAt, nodes),
    castUs: voteTimes(scenario.lateness, nodes, clock.attestUs, seed),
    cast: subcommittees.reduce((sum, { honest }) => sum + sizeOf(honest), 0),
    attackOf,
    attack,
    roles: new SlotRoles({
      attacks: scenario.attacks,
      attack,
      groupOf: groupsByPlace(together),
      clock,
      collects: system.collectors > 0,
      seed,
    }),
    network: (among) => renumbered(createNetwork(scenario.network, nodes, seed), among),
  };
}

/**
 * Draws the validators that vote in the slot, their nodes and the elected aggregators. A place's flag in `casts` is 1
 * if its validator takes part.
 */
function drawVoters(
  scenario: NetworkScenario,
  { nodeOf, classOf, validators }: ReturnType<typeof placeNodes>,
  attackOf: Int8Array,
): { readonly drawn: Elected[]; readonly nodeAt: Int32Array; readonly casts: Uint8Array } {
  const { seed, participation } = scenario;
  const system = systemOf(scenario);
  const voters = votersOf(scenario);
  const order = shuffle(scenario.validators, seed, 'committees').subarray(0, voters);
  const groups = system.committees * system.subcommittees;
  const nodeAt = new Int32Array(voters);
  const casts = new Uint8Array(voters);
  const random = new RandomStream(seed, 'participation');
  const duties = new RandomStream(seed, 'aggregators');
  const size = (node: number): number => validators[node]!;
  const drawn = Array.from({ length: groups }, (_, group): Elected => {
    const start = Math.floor((voters * group) / groups);
    const end = Math.floor((voters * (group + 1)) / groups);
    // The order of the members in a subcommittee has no meaning. After sorting by node, members with the same index in
    // different subcommittees are on similar nodes.
    const assigned = Array.from(order.subarray(start, end), (validator) => nodeOf[validator]!).sort(
      (a, b) => classOf[a]! - classOf[b]! || size(a) - size(b) || a - b,
    );
    nodeAt.set(assigned, start);
    for (let place = start; place < end; place++) {
      // Byzantine validators always take part.
      if (random.nextUnit() < participation || attackOf[nodeAt[place]!] !== -1) casts[place] = 1;
    }
    const members = end - start;
    return { start, members, aggregators: elect(system.aggregators, start, members, duties) };
  });
  return { drawn, nodeAt, casts };
}

/**
 * Elects members as the specification does, each by the hash of its selection proof.
 *
 * @param aim expected number of elected members; if there are fewer members, all are elected.
 * @returns the places of the elected members.
 */
function elect(aim: number, start: number, members: number, random: RandomStream): number[] {
  const elected: number[] = [];
  const modulus = electionModulus({ members, aggregators: aim });
  for (let member = 0; member < members; member++) {
    if (isElected(random.nextUint32(), random.nextUint32(), modulus)) elected.push(start + member);
  }
  return elected;
}

/** Draws the topics of each node, from the places of each subcommittee's aggregators and each committee's collectors. */
function drawTopics(
  scenario: NetworkScenario,
  classOf: Uint8Array,
  nodeAt: Int32Array,
  { aggregators, collectors }: Readonly<Record<'aggregators' | 'collectors', readonly (readonly number[])[]>>,
): Pick<NetworkWorld, 'observers' | 'subnets' | 'committeeTopics' | 'subnetsOf' | 'committeeTopicsOf'> {
  const { nodes, subnetsPerNode, committeeTopicsPerNode } = scenario;
  const { gathering, subnets: count } = systemOf(scenario);
  const isGossip = gathering === 'gossip';
  const observers = observersOf(scenario, classOf);
  const dutiesOf = (places: readonly number[]): number[] => places.map((place) => nodeAt[place]!);
  const subnets = membersOfTopics(scenario, {
    duties: isGossip ? aggregators.map((places) => [...dutiesOf(places), ...observers]) : [],
    perNode: subnetsPerNode,
    topics: count,
    purpose: 'subnets',
  });
  const committeeTopics = membersOfTopics(scenario, {
    duties: isGossip ? collectors.map(dutiesOf) : [],
    perNode: committeeTopicsPerNode,
    purpose: 'committee topics',
  });
  return {
    observers,
    subnets,
    committeeTopics,
    subnetsOf: countOf(subnets, nodes),
    committeeTopicsOf: countOf(committeeTopics, nodes),
  };
}

/** Subscriptions to the topics of one kind. */
interface Subscriptions {
  /** Nodes that are on each topic in any case. */
  readonly duties: readonly (readonly number[])[];
  /** Number of topics that each node draws as a permanent subscriber. */
  readonly perNode: number;
  /**
   * Number of topics from which nodes draw. Topics beyond those with duties carry no messages. Default: the number of
   * topics with duties.
   */
  readonly topics?: number | undefined;
  /** Purpose of the random numbers. */
  readonly purpose: string;
}

/**
 * Returns the nodes of each topic: nodes with a duty on the topic, and permanent subscribers. A node draws its topics
 * with replacement, so it may join fewer than `perNode`.
 */
function membersOfTopics(
  { nodes, seed }: NetworkScenario,
  { duties, perNode, topics = duties.length, purpose }: Subscriptions,
): Int32Array[] {
  if (duties.length === 0) return [];
  const members = duties.map((of) => new Set(of));
  const random = new RandomStream(seed, purpose);
  for (let node = 0; node < nodes; node++) {
    for (let draw = 0; draw < perNode; draw++) members[random.nextBelow(topics)]?.add(node);
  }
  return members.map((of) => Int32Array.from(of).sort());
}

/** Chooses observers among the nodes with the highest upload rate. */
function observersOf({ observers, nodes, links, seed }: NetworkScenario, classOf: Uint8Array): Int32Array {
  if (observers === 0) return new Int32Array(0);
  const upOf = (node: number): number => links[classOf[node]!]!.upMbps;
  const order = shuffle(nodes, seed, 'observers');
  const best = order.reduce((max, node) => Math.max(max, upOf(node)), 0);
  return order.filter((node) => upOf(node) === best).subarray(0, observers);
}

/** Returns the number of occurrences of each node in the lists. */
export function countOf(topics: readonly Int32Array[], nodes: number): Int32Array {
  const counts = new Int32Array(nodes);
  for (const of of topics) for (const node of of) counts[node]!++;
  return counts;
}

/** Returns the members of a committee that vote, or only the honest ones. */
export function castOf(
  { subcommittees, system }: NetworkWorld,
  committee: number,
  who: 'casts' | 'honest' = 'casts',
): MemberSet {
  const { first, start, members } = committeeRange(system, subcommittees, committee);
  const bits = emptySet(members);
  for (let group = first; group < first + system.subcommittees; group++) {
    shiftInto(bits, subcommittees[group]![who], subcommittees[group]!.start - start);
  }
  return bits;
}
