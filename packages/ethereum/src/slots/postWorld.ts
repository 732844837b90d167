import {
  type HornParameters,
  hornSizes,
  type SlotClock,
  type SlotPlan,
  sizeOf,
  slotClock,
  type TopicPlan,
} from '@tutti/core/horn';
import { requireIn, requireObject } from '@tutti/core/input';
import { createNetwork, renumbered } from '@tutti/simulation/engine';
import type { VerificationCosts } from '../horn/costs.ts';
import { clientPresets } from '../horn/network/client.ts';
import { ethereumGossipsub } from '../horn/network/gossipsub.ts';
import { bytesPerUs, linkPresets } from '../horn/network/nodes.ts';
import { defaultNetworkScenario, type NetworkScenario } from '../horn/network/scenario.ts';
import { type VotingSystem, votingSystems } from '../horn/network/systems.ts';
import { runEveryMessage } from './network/everyMessage.ts';
import { type NetworkSlot, resultOf } from './network/networkSlot.ts';
import { countOf, type NetworkWorld } from './network/networkWorld.ts';
import { groupsByPlace, SlotRoles, votesIn } from './network/roles.ts';
import type { SlotWatch } from './network/slotRun.ts';
import { type SlotScenario, slotSettings } from './slotScenario.ts';
import { type ElectedPlaces, electedOf, type SlotWorld } from './slotWorld.ts';

/**
 * Creates a network with the assumptions of Horn's post. The network has one node per validator, numbered by the
 * validator's place, and links without limits. Gossip is plain, on meshes of degree D of present nodes, Eve's included.
 * Each node verifies one message after another, and is on the topics of its own subcommittee and committee.
 */
export function createPostWorld(scenario: SlotScenario, slot: SlotWorld): NetworkWorld {
  const { order, present, attack, casts, voters, subcommittee, committee, collects, clock, lateUs } = slot;
  const { parameters, degree, attacks, seed, network } = scenario;
  const nodes = present.length;
  const name = collects ? 'horn' : 'strawman';
  const allNodes = new Int32Array(nodes).map((_, node) => node);
  const there = slot.presentCount === nodes ? allNodes : allNodes.filter((place) => present[place] === 1);
  // Groups are consecutive, and so are the present members of each group.
  const presentOf = (members: number): Int32Array[] => {
    let from = 0;
    return Array.from({ length: voters / members }, (_, group) => {
      let to = from;
      while (to < there.length && there[to]! < (group + 1) * members) to++;
      const of = there.subarray(from, to);
      from = to;
      return of;
    });
  };
  const latencies = createNetwork(network, nodes, seed, scenario.tor);
  return {
    ...plainWorld({
      scenario: { system: name, attacks, network, seed, validators: nodes, nodes, distribution: 'one-each' },
      system: postSystem(name, parameters, slot.votingCommittees, clock),
      degree,
      clock,
      elected: slot.elected,
      members: subcommittee,
      casts,
      nodeAt: allNodes.subarray(0, voters),
      attack: attack.subarray(0, voters),
      subnets: presentOf(subcommittee),
      committeeTopics: collects ? presentOf(committee) : [],
    }),
    castUs: lateUs.map((us) => clock.attestUs + us),
    attackOf: attack,
    post: { costs: scenario, lateUs, present: there, proposer: slot.proposer },
    network: (among) =>
      renumbered(
        latencies,
        among.map((place) => order[place]!),
      ),
  };
}

/** Options of {@link runPlannedSlot}: the network, the costs of verification, and an observer. */
export interface PlannedSlotOptions extends VerificationCosts {
  /** Name of the network that determines the latencies, as `createNetwork` takes it. */
  readonly network: string;
  /** Observer of the running slot. */
  readonly watch?: SlotWatch;
}

/**
 * Simulates every message of a planned slot in virtual time. Real nodes with the same plan send the same messages over
 * sockets. A node may host several validators, all of them live and honest. Gossip is plain, and links have no limits.
 *
 * @throws TypeError for a plan or options of the wrong type; RangeError for an invalid cost.
 */
export function runPlannedSlot(plan: SlotPlan, options: PlannedSlotOptions): NetworkSlot {
  requireObject('plan', plan, 'a plan from planSlot');
  requireObject('options', options);
  requireObject('plan.parameters', plan.parameters);
  for (const key of ['verifyMs', 'additionNs', 'keySums'] as const)
    requireIn(`options.${key}`, options[key], slotSettings[key].range);
  const world = createPlanWorld(plan, options);
  const run = runEveryMessage(world, 1, options.watch)[0]!;
  return { world, run, result: resultOf(world, run) };
}

/** Creates the network of a plan. The plan assigns validators and topics to each node. */
function createPlanWorld(plan: SlotPlan, { network, ...costs }: PlannedSlotOptions): NetworkWorld {
  const { parameters, nodes, nodeAt, duties, seed, degree } = plan;
  const { validators, committees } = parameters;
  const { committee, subcommittee } = hornSizes(parameters);
  const clock = slotClock('horn', parameters);
  const present = new Uint8Array(validators).fill(1);
  const membersOf = (topics: readonly TopicPlan[]) => topics.map(({ members }) => members);
  return {
    ...plainWorld({
      scenario: { system: 'horn', attacks: [], network, seed, validators, nodes, distribution: 'uniform' },
      system: {
        ...postSystem('horn', parameters, committees, clock),
        attestations: parameters.blockCollections,
      },
      degree,
      clock,
      members: subcommittee,
      casts: present,
      nodeAt,
      elected: electedOf({ voters: validators, duties, present, subcommittee, committee }),
      attack: new Int8Array(validators).fill(-1),
      subnets: membersOf(plan.subnets),
      committeeTopics: membersOf(plan.committees),
    }),
    castUs: new Int32Array(nodes).fill(clock.attestUs),
    attackOf: new Int8Array(nodes).fill(-1),
    post: {
      costs,
      lateUs: new Int32Array(validators),
      present: Int32Array.from({ length: nodes }, (_, node) => node),
      proposer: 0,
    },
    network: (among) => renumbered(createNetwork(network, nodes, seed), among),
  };
}

/** State from which {@link plainWorld} creates a network. */
interface PlainSetting {
  readonly scenario: Pick<
    NetworkScenario,
    'system' | 'attacks' | 'network' | 'seed' | 'validators' | 'nodes' | 'distribution'
  >;
  readonly system: VotingSystem;
  readonly degree: number;
  readonly clock: SlotClock;
  readonly elected: ElectedPlaces;
  /** Number of members per subcommittee. */
  readonly members: number;
  /** Flag of each place: 1 if a vote is cast. */
  readonly casts: Uint8Array;
  readonly nodeAt: Int32Array;
  readonly attack: Int8Array;
  readonly subnets: readonly Int32Array[];
  readonly committeeTopics: readonly Int32Array[];
}

/**
 * Creates a network with plain gossip over unlimited links, in which each message is verified separately. No node is an
 * observer.
 */
function plainWorld({
  scenario: own,
  degree,
  clock,
  elected,
  members,
  casts,
  ...rest
}: PlainSetting): Omit<NetworkWorld, 'castUs' | 'attackOf' | 'post' | 'network'> {
  const { system, nodeAt, attack, subnets, committeeTopics } = rest;
  const { nodes, attacks, seed } = own;
  const links = Float64Array.of(bytesPerUs(linkPresets.unlimited[0].upMbps));
  const subcommittees = elected.aggregators.map((aggregators, group) => {
    const range = { start: group * members, members, aggregators };
    return { ...range, ...votesIn(range, casts, attack) };
  });
  const validatorsOf = countOf([nodeAt], nodes);
  const collects = system.collectors > 0;
  return {
    ...rest,
    scenario: {
      ...defaultNetworkScenario,
      links: linkPresets.unlimited,
      client: { ...defaultNetworkScenario.client, ...clientPresets.singly, cores: 1 },
      gossip: { ...ethereumGossipsub, d: degree, idontwantBytes: undefined, overheadBytes: 0 },
      ...own,
    },
    classOf: new Uint8Array(nodes),
    up: links,
    down: links,
    clients: undefined,
    observers: new Int32Array(0),
    subcommittees,
    collectors: collects ? elected.collectors : [],
    subnetsOf: countOf(subnets, nodes),
    committeeTopicsOf: countOf(committeeTopics, nodes),
    validatorsOf,
    // Votes take no time on a link, so their number has no effect.
    votesOf: validatorsOf,
    cast: subcommittees.reduce((sum, { honest }) => sum + sizeOf(honest), 0),
    roles: new SlotRoles({ attacks, attack, groupOf: groupsByPlace(subcommittees), clock, collects, seed }),
  };
}

/**
 * Returns a voting system with the post's parameters and a clock's times.
 *
 * @param committees number of committees that vote.
 */
function postSystem(
  name: 'horn' | 'strawman',
  { subcommittees, aggregators, collectors }: HornParameters,
  committees: number,
  { attestUs, aggregateUs, collectUs, endUs }: SlotClock,
): VotingSystem {
  return {
    ...votingSystems[name],
    committees,
    subcommittees,
    aggregators,
    collectors: name === 'horn' ? collectors : 0,
    attestMs: attestUs / 1000,
    aggregateMs: aggregateUs / 1000,
    collectMs: collectUs / 1000,
    slotMs: endUs / 1000,
    blockMs: endUs / 1000,
  };
}
