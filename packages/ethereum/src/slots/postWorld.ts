import { type HornParameters, hornSizes, type SlotClock, type SlotPlan, sizeOf, slotClock } from '@tutti/core/horn';
import { requireObject } from '@tutti/core/input';
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
import type { SlotScenario } from './slotScenario.ts';
import { electedOf, type SlotWorld } from './slotWorld.ts';

/**
 * Creates a network with the assumptions of Horn's post. The network has one node per validator, numbered by the
 * validator's place, and links without limits. Gossip is plain, on meshes of degree D of live nodes. Each node verifies
 * one message after another, and is on the topics of its own subcommittee and committee.
 */
export function createPostWorld(scenario: SlotScenario, slot: SlotWorld): NetworkWorld {
  const { order, present, attack, casts, voters, subcommittee, committee, collects, clock } = slot;
  const { degree, attacks, seed, network } = scenario;
  const nodes = present.length;
  const system = collects ? 'horn' : 'strawman';
  const { subcommittees, collectors } = groupsOf(slot, casts, attack);
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
  // Each node that votes is on one topic of each kind.
  const topicsOf = new Int32Array(nodes);
  topicsOf.set(present.subarray(0, voters));
  const latencies = createNetwork(network, nodes, seed, scenario.tor);
  return {
    ...uniformNodes(nodes),
    scenario: plainScenario(degree, {
      system,
      attacks,
      network,
      seed,
      validators: nodes,
      nodes,
      distribution: 'one-each',
    }),
    system: postSystem(system, scenario.parameters, slot.votingCommittees, clock),
    validators: nodes,
    validatorsOf: voters === nodes ? topicsOf : new Int32Array(present),
    nodeAt: allNodes.subarray(0, voters),
    subcommittees,
    collectors: collects ? collectors : [],
    subnets: presentOf(subcommittee),
    committeeTopics: collects ? presentOf(committee) : [],
    subnetsOf: topicsOf,
    committeeTopicsOf: collects ? topicsOf : new Int32Array(nodes),
    // Votes take no time on a link, so their number has no effect.
    votesOf: topicsOf,
    castUs: slot.lateUs.map((us) => clock.attestUs + us),
    cast: subcommittees.reduce((sum, { honest }) => sum + sizeOf(honest), 0),
    attackOf: attack,
    attack: attack.subarray(0, voters),
    roles: new SlotRoles({ attacks, attack, groupOf: groupsByPlace(subcommittees), clock, collects, seed }),
    post: { costs: scenario, lateUs: slot.lateUs, present: there, proposer: slot.proposer },
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
 * @throws TypeError for a plan or options of the wrong type.
 */
export function runPlannedSlot(plan: SlotPlan, options: PlannedSlotOptions): NetworkSlot {
  requireObject('plan', plan, 'a plan from planSlot');
  requireObject('options', options);
  requireObject('plan.parameters', plan.parameters);
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
  const attack = new Int8Array(validators).fill(-1);
  const present = new Uint8Array(validators).fill(1);
  const all = { voters: validators, duties, present, subcommittee, committee };
  const { subcommittees, collectors } = groupsOf(all, present, attack);
  const validatorsOf = countOf([nodeAt], nodes);
  const [subnets, committeeTopics] = [plan.subnets, plan.committees].map((topics) =>
    topics.map(({ members }) => members),
  );
  return {
    ...uniformNodes(nodes),
    scenario: plainScenario(degree, {
      system: 'horn',
      attacks: [],
      network,
      seed,
      validators,
      nodes,
      distribution: 'uniform',
    }),
    system: { ...postSystem('horn', parameters, committees, clock), attestations: parameters.blockCollections },
    validators,
    validatorsOf,
    nodeAt,
    subcommittees,
    collectors,
    subnets: subnets!,
    committeeTopics: committeeTopics!,
    subnetsOf: countOf(subnets!, nodes),
    committeeTopicsOf: countOf(committeeTopics!, nodes),
    votesOf: validatorsOf,
    castUs: new Int32Array(nodes).fill(clock.attestUs),
    cast: validators,
    attackOf: new Int8Array(nodes).fill(-1),
    attack,
    roles: new SlotRoles({ attacks: [], attack, groupOf: groupsByPlace(subcommittees), clock, collects: true, seed }),
    post: {
      costs,
      lateUs: new Int32Array(validators),
      present: Int32Array.from({ length: nodes }, (_, node) => node),
      proposer: 0,
    },
    network: (among) => renumbered(createNetwork(network, nodes, seed), among),
  };
}

/**
 * Returns the subcommittees with their votes, and the places of each committee's collectors.
 *
 * @param casts flag of each place: 1 if a vote is cast.
 * @param attack index of the attack, by place; -1 for none.
 */
function groupsOf(
  of: Parameters<typeof electedOf>[0],
  casts: Uint8Array,
  attack: Int8Array,
): Pick<NetworkWorld, 'subcommittees' | 'collectors'> {
  const { aggregators, collectors } = electedOf(of);
  const members = of.subcommittee;
  const subcommittees = aggregators.map((places, group) => {
    const range = { start: group * members, members, aggregators: places };
    return { ...range, ...votesIn(range, casts, attack) };
  });
  return { subcommittees, collectors };
}

/** Returns properties of nodes that all have links without limits and the same client. No node is an observer. */
function uniformNodes(nodes: number): Pick<NetworkWorld, 'classOf' | 'up' | 'down' | 'clients' | 'observers'> {
  const links = Float64Array.of(bytesPerUs(linkPresets.unlimited[0].upMbps));
  return { classOf: new Uint8Array(nodes), up: links, down: links, clients: undefined, observers: new Int32Array(0) };
}

/**
 * Returns a voting system with the parameters of the post and the times of a clock.
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

/** Returns a scenario with plain gossip over links without limits, where each message is verified separately. */
function plainScenario(
  degree: number,
  own: Pick<NetworkScenario, 'system' | 'attacks' | 'network' | 'seed' | 'validators' | 'nodes' | 'distribution'>,
): NetworkScenario {
  return {
    ...defaultNetworkScenario,
    links: linkPresets.unlimited,
    client: { ...defaultNetworkScenario.client, ...clientPresets.singly, cores: 1 },
    gossip: { ...ethereumGossipsub, d: degree, idontwantBytes: undefined, overheadBytes: 0 },
    ...own,
  };
}
