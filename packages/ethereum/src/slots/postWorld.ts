import { addMember, Duty, emptySet, hornSizes, type MemberSet, type SlotPlan, slotClock } from '@tutti/core/horn';
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
import type { NetworkWorld, PostRules, Subcommittee } from './network/networkWorld.ts';
import { clockOf, groupsByPlace, SlotRoles, votesIn } from './network/roles.ts';
import type { SlotWatch } from './network/slotRun.ts';
import type { SlotScenario } from './slotScenario.ts';
import { electedOf, rolesOf, type SlotWorld } from './slotWorld.ts';

/**
 * Creates a network with the assumptions of Horn's post. It has one node per validator, numbered by its place, and
 * links without limits. Gossip is plain, on meshes of degree D of live nodes. Each node verifies one message after
 * another, and is on the topics of its own subcommittee and committee.
 */
export function createPostWorld(scenario: SlotScenario, slot: SlotWorld): NetworkWorld {
  const { order, present, attack, casts, voters, subcommittee, committee, collects } = slot;
  const nodes = present.length;
  const { aggregators, collectors } = electedOf(slot);
  const drawn = aggregators.map((places, group): Subcommittee => {
    const of = { start: group * subcommittee, members: subcommittee, aggregators: places };
    return { ...of, ...votesIn(of, casts, attack) };
  });
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
  const post: PostRules = {
    costs: scenario,
    lateUs: slot.lateUs,
    present: there,
    proposer: slot.proposer,
  };
  const links = Float64Array.of(bytesPerUs(linkPresets.unlimited[0].upMbps));
  const network = createNetwork(scenario.network, nodes, scenario.seed, scenario.tor);
  let cast = 0;
  for (let place = 0; place < voters; place++) if (casts[place] === 1 && attack[place] === -1) cast++;
  return {
    scenario: networkScenarioOf(scenario, slot),
    system: systemOf(scenario, slot),
    validators: nodes,
    validatorsOf: voters === nodes ? topicsOf : new Int32Array(present),
    classOf: new Uint8Array(nodes),
    up: links,
    down: links,
    nodeAt: allNodes.subarray(0, voters),
    subcommittees: drawn,
    collectors: collects ? collectors : [],
    clients: undefined,
    subnets: presentOf(subcommittee),
    observers: new Int32Array(0),
    committeeTopics: collects ? presentOf(committee) : [],
    subnetsOf: topicsOf,
    committeeTopicsOf: collects ? topicsOf : new Int32Array(nodes),
    // Votes take no time on a link, so their number has no effect.
    votesOf: topicsOf,
    castUs: slot.lateUs.map((us) => slot.clock.attestUs + us),
    cast,
    attackOf: attack,
    attack: attack.subarray(0, voters),
    roles: rolesOf(scenario, slot),
    post,
    network: (among) =>
      renumbered(
        network,
        among.map((place) => order[place]!),
      ),
  };
}

function systemOf(
  { parameters: { collectors, aggregators } }: SlotScenario,
  { clock, collects, votingCommittees, subcommittees }: SlotWorld,
): VotingSystem {
  const endMs = clock.endUs / 1000;
  return {
    ...votingSystems[collects ? 'horn' : 'strawman'],
    committees: votingCommittees,
    subcommittees,
    collectors: collects ? collectors : 0,
    aggregators,
    attestMs: clock.attestUs / 1000,
    aggregateMs: clock.aggregateUs / 1000,
    collectMs: clock.collectUs / 1000,
    slotMs: endMs,
    blockMs: endMs,
  };
}

function networkScenarioOf(
  scenario: SlotScenario,
  { present: { length: validators }, collects }: SlotWorld,
): NetworkScenario {
  const system = collects ? 'horn' : 'strawman';
  return { ...plainScenario({ ...scenario, system }), validators, nodes: validators, distribution: 'one-each' };
}

/** Returns a scenario with plain gossip over links without limits, where each message is verified separately. */
export function plainScenario({
  system,
  attacks,
  degree,
  network,
  seed,
}: Pick<NetworkScenario, 'system' | 'attacks' | 'network' | 'seed'> & { readonly degree: number }): NetworkScenario {
  return {
    ...defaultNetworkScenario,
    system,
    links: linkPresets.unlimited,
    client: { ...defaultNetworkScenario.client, ...clientPresets.singly, cores: 1 },
    gossip: { ...ethereumGossipsub, d: degree, idontwantBytes: undefined, overheadBytes: 0 },
    network,
    attacks,
    seed,
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
 * sockets. Nodes host several validators, all of them live and honest. Gossip is plain, and links have no limits.
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

function createPlanWorld(plan: SlotPlan, { network: name, ...costs }: PlannedSlotOptions): NetworkWorld {
  const { parameters, nodes, nodeAt, duties, seed, degree } = plan;
  const { validators, committees } = parameters;
  const { committee, subcommittee, allSubcommittees } = hornSizes(parameters);
  const elected = (duty: number, members: number, groups: number): number[][] => {
    const of = Array.from({ length: groups }, (): number[] => []);
    duties.forEach((bits, place) => {
      if ((bits & duty) !== 0) of[Math.floor(place / members)]!.push(place);
    });
    return of;
  };
  const subcommittees = elected(Duty.aggregator, subcommittee, allSubcommittees).map(
    (aggregators, group): Subcommittee => {
      const all = allOf(subcommittee);
      return { start: group * subcommittee, members: subcommittee, aggregators, casts: all, honest: all };
    },
  );
  const [attestMs, aggregateMs, collectMs, slotMs] = Object.values(slotClock('horn', parameters)).map(
    (us) => us / 1000,
  );
  const system = {
    ...votingSystems.horn,
    committees,
    subcommittees: parameters.subcommittees,
    aggregators: parameters.aggregators,
    collectors: parameters.collectors,
    attestations: parameters.blockCollections,
    attestMs: attestMs!,
    aggregateMs: aggregateMs!,
    collectMs: collectMs!,
    slotMs: slotMs!,
    blockMs: slotMs!,
  };
  const allNodes = Int32Array.from({ length: nodes }, (_, node) => node);
  const validatorsOf = countOf([nodeAt], nodes);
  const links = Float64Array.of(bytesPerUs(linkPresets.unlimited[0].upMbps));
  const attack = new Int8Array(validators).fill(-1);
  const members = (topics: SlotPlan['subnets']): Int32Array[] => topics.map((topic) => topic.members);
  return {
    scenario: {
      ...plainScenario({ system: 'horn', network: name, degree, attacks: [], seed }),
      validators,
      nodes,
      distribution: 'uniform',
    },
    system,
    validators,
    validatorsOf,
    classOf: new Uint8Array(nodes),
    up: links,
    down: links,
    clients: undefined,
    nodeAt,
    subcommittees,
    collectors: elected(Duty.collector, committee, committees),
    subnets: members(plan.subnets),
    observers: new Int32Array(0),
    committeeTopics: members(plan.committees),
    subnetsOf: countOf(members(plan.subnets), nodes),
    committeeTopicsOf: countOf(members(plan.committees), nodes),
    votesOf: validatorsOf,
    castUs: new Int32Array(nodes).fill(1000 * system.attestMs),
    cast: validators,
    attackOf: new Int8Array(nodes).fill(-1),
    attack,
    roles: new SlotRoles({
      attacks: [],
      attack,
      groupOf: groupsByPlace(subcommittees),
      clock: clockOf(system),
      collects: true,
      seed,
    }),
    post: { costs, lateUs: new Int32Array(validators), present: allNodes, proposer: 0 },
    network: (among) => renumbered(createNetwork(name, nodes, seed), among),
  };
}

function allOf(members: number): MemberSet {
  const all = emptySet(members);
  for (let member = 0; member < members; member++) addMember(all, member);
  return all;
}

/** Returns the number of occurrences of each node in these lists. */
function countOf(lists: readonly Int32Array[], nodes: number): Int32Array {
  const counts = new Int32Array(nodes);
  for (const list of lists) for (const node of list) counts[node]!++;
  return counts;
}
