import { addMember, Duty, emptySet, hornSizes, type MemberSet, type SlotPlan, slotClock } from '@tutti/core/horn';
import { requireObject } from '@tutti/core/input';
import { createNetwork, renumbered } from '@tutti/simulation/engine';
import type { VerificationCosts } from '../horn/costs.ts';
import { bytesPerUs, linkPresets } from '../horn/network/linkClasses.ts';
import { votingSystems } from '../horn/network/systems.ts';
import { runEveryMessage } from './network/everyMessage.ts';
import { type NetworkSlot, resultOf } from './network/networkSlot.ts';
import type { NetworkWorld, Subcommittee } from './network/networkWorld.ts';
import { SlotRoles } from './network/roles.ts';
import type { SlotWatch } from './network/slotRun.ts';
import { clockOf, groupsByPlace } from './network/voteGroups.ts';
import { plainScenario } from './postWorld.ts';

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
