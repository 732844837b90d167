import { type MemberSet, sizeBeyond, sizeOf } from '@tutti/core/horn-rules';
import { requireObject } from '@tutti/core/settings';
import { type NetworkScenario, validateNetworkScenario } from '../../horn/network/scenario.ts';
import { runEveryMessage } from './everyMessage.ts';
import { Priority } from './gossipState.ts';
import { castOf } from './handelGathering.ts';
import type { LayerLoad } from './loads.ts';
import { aggregateMessage } from './messageKinds.ts';
import { createNetworkWorld, type NetworkWorld } from './networkWorld.ts';
import { defaultSampleSizes, runSampled, type SampleSizes } from './sampledRun.ts';
import type { Layer, LayerDelay, PublishedSet, SlotRun } from './slotRun.ts';

export interface NetworkSlotOptions {
  /** `singly` runs every message; for some hundred nodes and some thousand votes. Default: statistical. */
  readonly mode?: 'statistical' | 'singly';
  readonly sample?: SampleSizes;
}

/**
 * The result of a slot. Times in ms since it began; bytes and seconds of cores by class of link, a node's on average.
 */
export interface NetworkSlotResult {
  readonly voters: number;
  /** Votes cast by those who are not Eve's; the counts of votes below are of these. */
  readonly cast: number;
  readonly globalMessages: number;
  /** Bytes of these, each once, as on the wire. */
  readonly globalBytes: number;
  /** Of the votes cast, those that somebody has sent to the global topic. */
  readonly published: number;
  /** The same as what a proposer has verified when its block is made: over proposers, drawn by their validators. */
  readonly inReach: { readonly mean: number; readonly least: number; readonly most: number };
  /**
   * Eve's validators: those who could vote, those who did on a subnet, and those whose votes a proposer has, however
   * they came there, the mean over proposers. Undefined where she has none.
   */
  readonly eve?: { readonly voters: number; readonly cast: number; readonly inReach: number };
  /** Until a proposer has 99 % of the votes cast; the mean over those who do, and their share. */
  readonly reach: { readonly meanMs: number | undefined; readonly share: number };
  readonly delays: Partial<Record<Layer, LayerDelay>>;
  readonly links: readonly string[];
  readonly loads: readonly LayerLoad[];
  readonly layerLoads: Partial<Record<Layer, readonly LayerLoad[]>>;
  /** See {@link SlotRun}. */
  readonly unfinished: readonly Layer[];
  readonly dropped: number;
  readonly events: number;
}

/** A slot and what it was made from, for further questions. */
export interface NetworkSlot {
  readonly world: NetworkWorld;
  readonly run: SlotRun;
  readonly result: NetworkSlotResult;
}

/** @throws TypeError unless it is a slot that was run, as far as can be seen. */
export function requireSlot(label: string, slot: NetworkSlot): void {
  requireObject(label, slot, 'a slot from runNetworkSlot');
  requireObject(`${label}.world`, slot.world);
  requireObject(`${label}.run`, slot.run);
}

/**
 * Runs one slot of a voting system on a network of nodes with links and cores.
 *
 * @throws RangeError naming the field of the scenario that is wrong.
 */
export function runNetworkSlot(scenario: NetworkScenario, options: NetworkSlotOptions = {}): NetworkSlot {
  validateNetworkScenario(scenario);
  requireObject('options', options);
  const { mode = 'statistical', sample = defaultSampleSizes } = options;
  const world = createNetworkWorld(scenario);
  const run = mode === 'singly' ? runEveryMessage(world)[0]! : runSampled(world, sample);
  return { world, run, result: resultOf(world, run) };
}

/** Slots count as going on alike if the votes in reach differ from the slot before by at most this share. */
const settledShare = 0.001;

/**
 * Runs slots in a row, each with what the one before has left to links and cores. By a sample, until one leaves
 * nothing, or goes like the one before, or the number is reached; singly, exactly that number. Duties are those of the
 * first slot in all of them.
 *
 * @throws RangeError naming the field of the scenario that is wrong.
 */
export function runNetworkSlots(
  scenario: NetworkScenario,
  most: number,
  options: NetworkSlotOptions = {},
): [NetworkSlot, ...NetworkSlot[]] {
  requireObject('options', options);
  const { mode = 'statistical', sample = defaultSampleSizes } = options;
  if (mode === 'singly') {
    validateNetworkScenario(scenario);
    const world = createNetworkWorld(scenario);
    const runs = runEveryMessage(world, most);
    return runs.map((one) => ({ world, run: one, result: resultOf(world, one) })) as [NetworkSlot];
  }
  const slots: [NetworkSlot, ...NetworkSlot[]] = [runNetworkSlot(scenario, { sample })];
  while (slots.length < most) {
    const { world, run, result } = slots.at(-1)!;
    if (run.backlog === undefined) break;
    const next = runSampled(world, sample, run.backlog);
    slots.push({ world, run: next, result: resultOf(world, next) });
    if (Math.abs(slots.at(-1)!.result.inReach.mean - result.inReach.mean) < settledShare) break;
  }
  return slots;
}

/** The share of the votes in reach at which times are reported. */
const waited = 0.99;

/** What a slot that was run came to. */
export function resultOf(world: NetworkWorld, run: SlotRun): NetworkSlotResult {
  const { scenario, cast, nodeAt } = world;
  const honest = Array.from({ length: groupsOf(world) }, (_, group) => castOfGroup(world, group));
  const sets = withoutEve(world, run.sets);
  const { inReach, reach } = reachOfProposers(world, { ...run, sets }, honest);
  const union = new ReachSoFar(Int32Array.from(honest, sizeOf));
  for (const { group, bits } of sets) union.add(group, bits);
  return {
    voters: nodeAt.length,
    cast,
    globalMessages: sets.length,
    globalBytes: sets.reduce((sum, { group, weight }) => sum + bytesOf(group, weight), 0),
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

  function bytesOf(group: number, weight: number): number {
    return aggregateMessage(world, membersOfGroup(world, group), weight, Priority.global).bytes;
  }
}

/** What Eve's validators came to. */
function eveOf(world: NetworkWorld, run: SlotRun): NonNullable<NetworkSlotResult['eve']> {
  const { attack, subcommittees, cast } = world;
  const others = Array.from({ length: groupsOf(world) }, (_, group) => castOfGroup(world, group).map((word) => ~word));
  const { votes } = reachOfProposers(world, { ...run, sets: within(run.sets, others) }, others);
  return {
    voters: attack.reduce((sum, one) => sum + (one === -1 ? 0 : 1), 0),
    cast: subcommittees.reduce((sum, { casts }) => sum + sizeOf(casts), 0) - cast,
    inReach: Math.max(0, votes),
  };
}

/** What was sent to the global topic, without Eve's votes. */
export function withoutEve(world: NetworkWorld, sets: readonly PublishedSet[]): readonly PublishedSet[] {
  if (world.scenario.attacks.length === 0) return sets;
  const honest = Array.from({ length: groupsOf(world) }, (_, group) => castOfGroup(world, group));
  return within(sets, honest);
}

/** @param of by group, the votes that are looked at. */
function within(sets: readonly PublishedSet[], of: readonly MemberSet[]): PublishedSet[] {
  return sets.map((set) => ({ ...set, bits: set.bits.map((word, index) => word & of[set.group]![index]!) }));
}

/**
 * What honest proposers have verified when their block is made, weighted by their validators.
 *
 * @param all by group, the votes that there are.
 */
function reachOfProposers(
  world: NetworkWorld,
  { observers, sets, verifiedUs }: Pick<SlotRun, 'observers' | 'sets' | 'verifiedUs'>,
  all: readonly MemberSet[],
): Pick<NetworkSlotResult, 'inReach' | 'reach'> & { readonly votes: number } {
  const { cast } = world;
  const missing = Int32Array.from(all, sizeOf);
  const weights = Array.from(observers, (node) => (world.attackOf[node] === -1 ? world.validatorsOf[node]! : 0));
  const stake = weights.reduce((sum, one) => sum + one, 0) || 1;
  const together = setsByRow(verifiedUs);
  const orders = ordersOf(together, weights);
  const groups = Int32Array.from(sets, ({ group }) => group);
  let mean = 0;
  let meanVotes = 0;
  let least = 1;
  let most = 0;
  let share = 0;
  let reachUs = 0;
  observers.forEach((_, observer) => {
    if (weights[observer] === 0) return;
    const { votes, atUs } = reachOf(observer);
    const part = votes / Math.max(1, cast);
    mean += (part * weights[observer]!) / stake;
    meanVotes += (votes * weights[observer]!) / stake;
    least = Math.min(least, part);
    most = Math.max(most, part);
    if (atUs === -1) return;
    share += weights[observer]! / stake;
    reachUs += (atUs * weights[observer]!) / stake;
  });
  return {
    votes: meanVotes,
    inReach: { mean, least: Math.min(least, most), most },
    reach: { meanMs: share === 0 ? undefined : reachUs / share / 1000, share },
  };

  function reachOf(observer: number): { readonly votes: number; readonly atUs: number } {
    const reach = new ReachSoFar(missing);
    let atUs = -1;
    for (const key of orders[observer]!.sort()) {
      if (reach.isWhole) break;
      const at = Math.floor(key / together.length);
      for (const set of together[key - at * together.length]!.which)
        if (reach.lacks(groups[set]!)) reach.add(groups[set]!, sets[set]!.bits);
      if (atUs === -1 && reach.votes >= waited * cast) atUs = at;
    }
    return { votes: reach.votes, atUs };
  }
}

/** Sets that were run as one, and when each observer had verified them. */
interface SetsOfRow {
  readonly row: Int32Array;
  readonly which: number[];
}

function setsByRow(verifiedUs: readonly Int32Array[]): readonly SetsOfRow[] {
  const byRow = new Map<Int32Array, SetsOfRow>();
  verifiedUs.forEach((row, set) => {
    const known = byRow.get(row);
    if (known === undefined) byRow.set(row, { row, which: [set] });
    else known.which.push(set);
  });
  return [...byRow.values()];
}

/**
 * By observer, the rows that it has verified: time and then number, in one number each; empty for those without weight.
 *
 * Collected row by row, as the times lie in memory.
 */
function ordersOf(together: readonly SetsOfRow[], weights: readonly number[]): readonly Float64Array[] {
  const orders = weights.map((weight) => new Float64Array(weight === 0 ? 0 : together.length));
  const counts = new Uint32Array(weights.length);
  together.forEach(({ row }, index) => {
    for (let observer = 0; observer < row.length; observer++) {
      const at = row[observer]!;
      if (at !== -1 && weights[observer] !== 0) orders[observer]![counts[observer]!++] = at * together.length + index;
    }
  });
  return orders.map((order, observer) => order.subarray(0, counts[observer]));
}

/** Votes that somebody has, set after set. */
class ReachSoFar {
  votes = 0;
  readonly #of: (MemberSet | undefined)[] = [];
  readonly #missing: Int32Array;
  /** Groups of which votes are missing. */
  #open: number;

  /** @param missing by group, how many votes there are. */
  constructor(missing: Int32Array) {
    this.#missing = missing.slice();
    this.#open = missing.reduce((count, one) => count + (one === 0 ? 0 : 1), 0);
  }

  /** Whether nothing can be added any more. */
  get isWhole(): boolean {
    return this.#open === 0;
  }

  /** Whether votes of a group are missing. */
  lacks(group: number): boolean {
    return this.#missing[group] !== 0;
  }

  add(group: number, bits: MemberSet): void {
    if (!this.lacks(group)) return;
    const before = this.#of[group];
    const more = before === undefined ? sizeOf(bits) : sizeBeyond(bits, before);
    this.votes += more;
    this.#missing[group]! -= more;
    if (this.#missing[group] === 0) this.#open--;
    if (before === undefined) this.#of[group] = bits.slice();
    else for (let word = 0; word < before.length; word++) before[word]! |= bits[word]!;
  }
}

/** How many groups there are that sets are about. */
function groupsOf({ system, subcommittees }: NetworkWorld): number {
  return system.collectors > 0 ? system.committees : subcommittees.length;
}

function membersOfGroup({ system, subcommittees }: NetworkWorld, group: number): number {
  if (system.collectors === 0) return subcommittees[group]!.members;
  const first = group * system.subcommittees;
  return subcommittees.slice(first, first + system.subcommittees).reduce((sum, { members }) => sum + members, 0);
}

/** The votes that one group of sets is about, a committee's or a subcommittee's, without Eve's. */
export function castOfGroup(world: NetworkWorld, group: number): MemberSet {
  return world.system.collectors > 0 ? castOf(world, group, 'honest') : world.subcommittees[group]!.honest;
}
