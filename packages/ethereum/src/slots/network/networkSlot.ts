import { type MemberSet, sizeOf } from '@tutti/core/horn';
import { oneOf, requireIn, requireInteger, requireObject } from '@tutti/core/input';
import { type NetworkScenario, systemOf, validateNetworkScenario } from '../../horn/network/scenario.ts';
import { runEveryMessage } from './everyMessage.ts';
import { maxTimeUs, Priority } from './gossipState.ts';
import { defaultSampleSizes, type SampleSizes } from './layerSamples.ts';
import type { LayerLoad } from './loads.ts';
import { aggregateMessage } from './messageKinds.ts';
import { castOf, createNetworkWorld, type NetworkWorld } from './networkWorld.ts';
import { type ProposerReach, type ProposerShares, ReachSoFar, reachOfProposers } from './proposerReach.ts';
import { committeeRange } from './roles.ts';
import { runSampled } from './sampledRun.ts';
import type { Layer, LayerDelay, PublishedSet, SlotRun } from './slotRun.ts';

/** Options of a slot that is simulated on a network. */
export interface NetworkSlotOptions {
  /**
   * Simulation mode. `singly` simulates every message, and is suitable for a few hundred nodes and a few thousand
   * votes. Default: statistical.
   */
  readonly mode?: 'statistical' | 'singly';
  readonly sample?: SampleSizes;
}

/** Result of a slot. Times are ms since the slot began. Bytes and core seconds are means per node, by class of link. */
export interface NetworkSlotResult {
  readonly voters: number;
  /** Number of honest votes cast. All counts of votes below refer to honest votes. */
  readonly cast: number;
  readonly globalMessages: number;
  /** Length of the messages on the global topic without the transport's overhead, each message counted once, bytes. */
  readonly globalBytes: number;
  /** Number of cast votes that are in a set on the global topic. */
  readonly published: number;
  /** Share of the votes cast that is in the reach of proposers; see {@link ProposerReach}. */
  readonly inReach: ProposerReach['inReach'];
  /**
   * Counts of Eve's validators: those that could vote, those that voted on a subnet, and those whose votes a proposer
   * has in any way (mean over honest proposers). Undefined without attacks.
   */
  readonly eve?: { readonly voters: number; readonly cast: number; readonly inReach: number };
  /** Time until proposers have 99 % of the votes cast; see {@link ProposerReach}. */
  readonly reach: ProposerReach['reach'];
  /** Delays by layer; see {@link SlotRun}. */
  readonly delays: Partial<Record<Layer, LayerDelay>>;
  /** Names of the link classes, in the order of the loads. */
  readonly links: readonly string[];
  readonly loads: readonly LayerLoad[];
  readonly layerLoads: Partial<Record<Layer, readonly LayerLoad[]>>;
  /** Layers that are unfinished when the next layer begins; see {@link SlotRun}. */
  readonly unfinished: readonly Layer[];
  /** Number of messages that full queues dropped, at the simulated nodes. */
  readonly dropped: number;
  readonly events: number;
}

/** A slot together with its world, for further evaluation. */
export interface NetworkSlot {
  readonly world: NetworkWorld;
  readonly run: SlotRun;
  readonly result: NetworkSlotResult;
}

/**
 * Returns the values that `result.inReach` summarises, one per observed node that could propose.
 *
 * @throws TypeError if the slot does not come from {@link runNetworkSlot}.
 */
export function proposerShares(slot: NetworkSlot): ProposerShares {
  requireSlot('slot', slot);
  const { world, run } = slot;
  const honest = honestVotes(world);
  return reachOfProposers(world, { ...run, sets: withoutEve(world, run.sets) }, honest).proposers;
}

/**
 * Checks that a value is an object with a world and a run, as a simulated slot is.
 *
 * @throws TypeError if the value has another type.
 */
export function requireSlot(label: string, slot: NetworkSlot): void {
  requireObject(label, slot, 'a slot from runNetworkSlot');
  requireObject(`${label}.world`, slot.world);
  requireObject(`${label}.run`, slot.run);
}

/**
 * Simulates one slot of a voting system on a network of nodes with links and cores.
 *
 * @throws RangeError naming the invalid field of the scenario or the invalid option.
 */
export function runNetworkSlot(scenario: NetworkScenario, options: NetworkSlotOptions = {}): NetworkSlot {
  validateNetworkScenario(scenario);
  const { mode, sample } = validOptions(options);
  const world = createNetworkWorld(scenario);
  const run = mode === 'singly' ? runEveryMessage(world)[0]! : runSampled(world, sample);
  return { world, run, result: resultOf(world, run) };
}

/** Returns the options with their defaults. */
function validOptions(options: NetworkSlotOptions): Required<NetworkSlotOptions> {
  requireObject('options', options);
  const { mode = 'statistical', sample = defaultSampleSizes } = options;
  requireIn('mode', mode, oneOf(['statistical', 'singly']));
  requireObject('sample', sample);
  // The delay of a larger topic is extrapolated from two runs with different numbers of members.
  for (const key of Object.keys(defaultSampleSizes) as (keyof SampleSizes)[])
    requireInteger(`sample.${key}`, sample[key], key === 'nodes' ? 2 : 1, 2 ** 20);
  return { mode, sample };
}

/**
 * Threshold for the difference between the mean shares in reach of two consecutive slots; below it, the slots count as
 * equal.
 */
const settledShare = 0.001;

/**
 * Simulates consecutive slots, each with the load that the previous slot has left on links and cores. In the
 * statistical mode, the simulation ends when a slot leaves no load, when a slot equals the previous one, or after the
 * given number of slots. In the mode `singly`, the function simulates exactly the given number of slots. All slots use
 * the duties of the first slot.
 *
 * @param max number of slots, 1 to 4096. In the mode `singly`, the slots together take at most 2^31 - 1 µs, so there are
 * at most 178 slots of 12 s.
 * @throws RangeError naming the invalid field of the scenario or the invalid option.
 */
export function runNetworkSlots(
  scenario: NetworkScenario,
  max: number,
  options: NetworkSlotOptions = {},
): [NetworkSlot, ...NetworkSlot[]] {
  validateNetworkScenario(scenario);
  const { mode, sample } = validOptions(options);
  const limit = mode === 'singly' ? Math.floor(maxTimeUs / (1000 * systemOf(scenario).slotMs)) : 4096;
  requireInteger('max', max, 1, Math.min(4096, limit));
  if (mode === 'singly') {
    const world = createNetworkWorld(scenario);
    const runs = runEveryMessage(world, max);
    return runs.map((one) => ({ world, run: one, result: resultOf(world, one) })) as [NetworkSlot];
  }
  const slots: [NetworkSlot, ...NetworkSlot[]] = [runNetworkSlot(scenario, { sample })];
  while (slots.length < max) {
    const { world, run, result } = slots.at(-1)!;
    if (run.backlog === undefined) break;
    const next = runSampled(world, sample, run.backlog);
    slots.push({ world, run: next, result: resultOf(world, next) });
    if (Math.abs(slots.at(-1)!.result.inReach.mean - result.inReach.mean) < settledShare) break;
  }
  return slots;
}

/** Returns the result of a slot. */
export function resultOf(world: NetworkWorld, run: SlotRun): NetworkSlotResult {
  const { scenario, cast, nodeAt } = world;
  const honest = honestVotes(world);
  const sets = withoutEve(world, run.sets);
  const { inReach, reach } = reachOfProposers(world, { ...run, sets }, honest);
  const union = new ReachSoFar(Int32Array.from(honest, sizeOf));
  for (const { group, bits } of sets) if (union.lacks(group)) union.add(group, bits);
  return {
    voters: nodeAt.length,
    cast,
    globalMessages: sets.length,
    globalBytes: sets.reduce(
      (sum, { group, weight }) =>
        sum + aggregateMessage(world, membersOfGroup(world, group), weight, Priority.global).bytes,
      0,
    ),
    published: union.votes,
    inReach,
    ...(scenario.attacks.length > 0 && { eve: eveOf(world, run) }),
    reach,
    delays: run.delays,
    links: scenario.links.map(({ name }) => name),
    loads: run.loads,
    layerLoads: run.layerLoads,
    unfinished: run.unfinished,
    dropped: run.dropped,
    events: run.events,
  };
}

/** Returns the counts of Eve's validators. */
function eveOf(world: NetworkWorld, run: SlotRun): NonNullable<NetworkSlotResult['eve']> {
  const { attack, subcommittees, cast } = world;
  const others = honestVotes(world).map((set) => set.map((word) => ~word));
  const { votes } = reachOfProposers(world, { ...run, sets: within(run.sets, others) }, others);
  return {
    voters: attack.reduce((sum, one) => sum + (one === -1 ? 0 : 1), 0),
    cast: subcommittees.reduce((sum, { casts }) => sum + sizeOf(casts), 0) - cast,
    inReach: votes,
  };
}

/** Returns the sets on the global topic, without Eve's votes. */
export function withoutEve(world: NetworkWorld, sets: readonly PublishedSet[]): readonly PublishedSet[] {
  if (world.scenario.attacks.length === 0) return sets;
  return within(sets, honestVotes(world));
}

/**
 * Restricts sets to the given votes.
 *
 * @param of votes to keep, by group.
 */
function within(sets: readonly PublishedSet[], of: readonly MemberSet[]): PublishedSet[] {
  return sets.map((set) => ({ ...set, bits: set.bits.map((word, index) => word & of[set.group]![index]!) }));
}

function membersOfGroup({ system, subcommittees }: NetworkWorld, group: number): number {
  if (system.collectors === 0) return subcommittees[group]!.members;
  return committeeRange(system, subcommittees, group).members;
}

/** Returns the honest votes of each group that a set may cover: each committee, or each subcommittee. */
export function honestVotes(world: NetworkWorld): MemberSet[] {
  const { system, subcommittees } = world;
  if (system.collectors === 0) return subcommittees.map(({ honest }) => honest);
  return Array.from({ length: system.committees }, (_, committee) => castOf(world, committee, 'honest'));
}
