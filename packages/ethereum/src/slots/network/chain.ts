import { RandomStream } from '@tutti/core';
import { hasMember, type MemberSet, type PackedBlock, packBlock, shiftInto } from '@tutti/core/horn';
import {
  defaultsOf,
  integers,
  requireAllIn,
  requireArray,
  requireKnownFields,
  type SettingsOf,
  seedSetting,
  shares,
} from '@tutti/core/input';
import { honestVotes, type NetworkSlot, requireSlot } from './networkSlot.ts';
import type { NetworkWorld } from './networkWorld.ts';
import type { PublishedSet, SlotRun } from './slotRun.ts';

/**
 * Weights of the parts of a vote's reward that depend on the time of inclusion (consensus-specs,
 * altair/beacon-chain.md: TIMELY_HEAD_WEIGHT 14, TIMELY_TARGET_WEIGHT 26, TIMELY_SOURCE_WEIGHT 14). The head's part is
 * paid only for inclusion in the next slot, the source's part within 5 slots, and the target's part within the epoch
 * and the next (EIP-7045).
 */
const rewardWeights = { head: 14, target: 26, source: 14 } as const;
const allWeights = rewardWeights.head + rewardWeights.target + rewardWeights.source;
const sourceSlots = 5;

/** Options of {@link runChain}. */
export interface ChainOptions {
  /** Number of slots to run. */
  readonly slots: number;
  /** Share of the slots without a proposer. */
  readonly missed: number;
  /** Share of the proposers that are Byzantine and leave out every vote. */
  readonly omitting: number;
  readonly seed: number;
}

/** Default, range and meaning of each option of a chain. */
export const chainSettings: SettingsOf<ChainOptions> = {
  slots: { default: 32, range: integers(1, 4096), about: 'number of slots' },
  missed: { default: 0, range: shares, about: 'share of slots without a block' },
  omitting: { default: 0, range: shares, about: 'share of proposers that leave out all votes' },
  seed: seedSetting,
};

/** Default of every option of a chain. */
export const defaultChainOptions: ChainOptions = defaultsOf(chainSettings);

/** Inclusion of the votes of several consecutive slots. */
export interface ChainResult {
  readonly slots: number;
  /** Share of honest votes cast that are in the next block. */
  readonly inNextBlock: number;
  /** Share of honest votes cast that are in any block within the slots. */
  readonly included: number;
  /** Share of the possible rewards of all these votes that was lost. */
  readonly rewardLost: number;
  /** Share of the possible rewards that was lost, by class of link. */
  readonly rewardLostByLink: readonly number[];
  /** Share of the possible inclusion rewards that Byzantine proposers forgo. */
  readonly proposerForgone: number;
  /** Mean number of attestations of the previous slot per block. */
  readonly attestations: number;
  /** Number of slots, or epochs, in which two thirds of the voters' votes were on chain. */
  readonly justified: number;
  /** Total number of slots, or epochs. */
  readonly checkpoints: number;
  /**
   * Time from the first slot of a checkpoint until the checkpoint is justified, s; undefined if no checkpoint was
   * justified.
   */
  readonly justifiedSeconds: number | undefined;
  /**
   * Time from the first slot of a checkpoint until the checkpoint is final, s; undefined if no checkpoint was
   * finalised.
   */
  readonly finalSeconds: number | undefined;
}

/**
 * Simulates blocks over consecutive slots. If there are more slots than runs, the last run is repeated. The proposer of
 * each slot is drawn with a probability proportional to its number of validators. It packs the votes that it had
 * verified when its block was built.
 *
 * In systems that vote once per epoch, later proposers include omitted votes while there is room. If all validators
 * vote in every slot, a vote that is not in the next block is lost, because the next slot's votes replace it.
 */
export function runChain(
  inRow: readonly [NetworkSlot, ...NetworkSlot[]],
  options: ChainOptions = defaultChainOptions,
): ChainResult {
  requireArray('inRow', inRow);
  requireSlot('inRow[0]', inRow[0]);
  for (const [index, slot] of inRow.entries()) requireSlot(`inRow[${index}]`, slot);
  requireKnownFields('options', options, Object.keys(chainSettings));
  requireAllIn(options, chainSettings);
  const chain = new Chain(inRow[0].world, options);
  for (let slot = 0; slot < options.slots; slot++) chain.addSlot(slot, inRow[Math.min(slot, inRow.length - 1)]!.run);
  return chain.result();
}

/** Blocks of consecutive slots, and the votes and rewards in them so far. */
class Chain {
  readonly #world: NetworkWorld;
  readonly #random: RandomStream;
  readonly #proposers: readonly ProposerKind[];
  /** True if blocks after the next one may include a slot's votes. */
  readonly #carries: boolean;
  /** Honest votes cast in each slot, by group. */
  readonly #casts: readonly MemberSet[];
  /** First place of each group. */
  readonly #startOf: readonly number[];
  /** Number of honest votes cast in each slot, by class of link. */
  readonly #castByLink: readonly number[];
  readonly #cast: number;
  /** Rewards for honest votes, by class of link. */
  readonly #earned: number[];
  /** Share of each slot's votes that is on chain. Unlike the other counts, the share includes the attacker's votes. */
  readonly #onChain: Float64Array;
  #inNextBlock = 0;
  #included = 0;
  /** Number of blocks with votes of the previous slot, and of the attestations that contain these votes. */
  #nextBlocks = 0;
  #attestations = 0;
  /** Number of votes that proposers could include, and that Byzantine proposers left out. */
  #possible = 0;
  #forgone = 0;

  constructor(world: NetworkWorld, options: ChainOptions) {
    const { system, subcommittees } = world;
    const subcommitteesEach = system.collectors > 0 ? system.subcommittees : 1;
    this.#world = world;
    this.#random = new RandomStream(options.seed, 'chain');
    this.#proposers = drawProposers(options, this.#random);
    this.#carries = system.epochSlots > 1;
    this.#casts = honestVotes(world);
    this.#startOf = this.#casts.map((_, group) => subcommittees[group * subcommitteesEach]!.start);
    this.#castByLink = this.#honestByLink(this.#casts);
    this.#cast = sum(this.#castByLink);
    this.#earned = this.#castByLink.map(() => 0);
    this.#onChain = new Float64Array(options.slots);
  }

  /** Adds the votes of a slot to the blocks after it. */
  addSlot(slot: number, run: SlotRun): void {
    const { system, nodeAt } = this.#world;
    const before: (MemberSet | undefined)[] = [];
    let honest = 0;
    let all = 0;
    const last = this.#carries ? Math.min(this.#onChain.length, slot + system.epochSlots) : slot + 1;
    for (let block = slot + 1; block <= last; block++) {
      if (this.#proposers[block] === 'missed') continue;
      const isNext = block === slot + 1;
      const { votes, included, attestations } = this.#pack(run, isNext, before);
      this.#possible += votes;
      if (this.#proposers[block] === 'omitting') {
        this.#forgone += votes;
        continue;
      }
      addVotes(before, included);
      const more = this.#reward(included, weightAt(block - slot, this.#carries));
      honest += more;
      all += votes;
      if (isNext) {
        this.#inNextBlock += more;
        this.#attestations += attestations;
        this.#nextBlocks++;
      }
      if (honest >= this.#cast) break;
    }
    this.#included += honest;
    this.#onChain[slot] = share(all, nodeAt.length);
  }

  result(): ChainResult {
    const { epochSlots, justifiedInRow, slotMs } = this.#world.system;
    const slots = this.#onChain.length;
    const lostShare = (earned: number, cast: number): number =>
      cast === 0 ? 0 : 1 - earned / (slots * cast * allWeights);
    return {
      slots,
      inNextBlock: share(this.#inNextBlock, slots * this.#cast),
      included: share(this.#included, slots * this.#cast),
      rewardLost: lostShare(sum(this.#earned), this.#cast),
      rewardLostByLink: this.#castByLink.map((cast, index) => lostShare(this.#earned[index]!, cast)),
      proposerForgone: share(this.#forgone, this.#possible),
      attestations: share(this.#attestations, this.#nextBlocks),
      ...finality(this.#onChain, epochSlots, justifiedInRow, slotMs / 1000),
    };
  }

  /**
   * Packs a block of a random proposer with votes of a slot. A proposer of a later slot is assumed to have verified all
   * sent votes, and to have half a block available for these votes.
   *
   * @param isNext true if the block is in the next slot.
   * @param before votes of the slot that are already on chain, by group.
   */
  #pack(run: SlotRun, isNext: boolean, before: readonly (MemberSet | undefined)[]): PackedBlock<PublishedSet> {
    const { system, validatorsOf } = this.#world;
    const observer = proposerOf(validatorsOf, run.observers, this.#random);
    const verified = isNext ? run.sets.filter((_, set) => run.verifiedUs[set]![observer] !== -1) : run.sets;
    const max = isNext ? system.attestations : Math.max(1, system.attestations >>> 1);
    return packBlock(verified, { groups: this.#casts.length, max, inclusion: system.inclusion, before });
  }

  /**
   * Rewards the honest votes of a block.
   *
   * @returns the number of honest votes.
   */
  #reward(included: readonly (MemberSet | undefined)[], weight: number): number {
    const byLink = this.#honestByLink(included);
    byLink.forEach((count, index) => {
      this.#earned[index]! += count * weight;
    });
    return sum(byLink);
  }

  /** Returns the number of honest votes in the groups' sets, by the link class of their voters. */
  #honestByLink(sets: readonly (MemberSet | undefined)[]): number[] {
    const { scenario, classOf, nodeAt } = this.#world;
    const counts = scenario.links.map(() => 0);
    sets.forEach((set, group) => {
      if (set === undefined) return;
      const start = this.#startOf[group]!;
      const honest = this.#casts[group]!;
      const end = Math.min(start + 32 * set.length, this.#startOf[group + 1] ?? nodeAt.length);
      for (let place = start; place < end; place++) {
        if (hasMember(set, place - start) && hasMember(honest, place - start)) counts[classOf[nodeAt[place]!]!]!++;
      }
    });
    return counts;
  }
}

/** Proposer of a slot: none, a Byzantine one that leaves out all votes, or an honest one. */
type ProposerKind = 'missed' | 'omitting' | 'honest';

/** Returns the kind of proposer of each slot, including the slot after the last one. */
function drawProposers({ slots, missed, omitting }: ChainOptions, random: RandomStream): ProposerKind[] {
  return Array.from({ length: slots + 1 }, () => {
    if (random.nextUnit() < missed) return 'missed';
    return random.nextUnit() < omitting ? 'omitting' : 'honest';
  });
}

/** Adds a block's votes to those of earlier blocks, by group. */
function addVotes(before: (MemberSet | undefined)[], included: readonly (MemberSet | undefined)[]): void {
  included.forEach((of, group) => {
    if (of === undefined) return;
    before[group] ??= new Int32Array(of.length);
    shiftInto(before[group], of, 0);
  });
}

/**
 * Returns the figures of finality. Two thirds of the votes justify a checkpoint. `inRow` consecutive justified
 * checkpoints finalise the first of them (Casper FFG's rule for consecutive checkpoints).
 */
function finality(
  onChain: Float64Array,
  epochSlots: number,
  inRow: number,
  slotSeconds: number,
): Pick<ChainResult, 'justified' | 'checkpoints' | 'justifiedSeconds' | 'finalSeconds'> {
  const checkpoints = Math.floor(onChain.length / epochSlots);
  const isJustified = Array.from({ length: checkpoints }, (_, index) => {
    const of = onChain.subarray(index * epochSlots, (index + 1) * epochSlots);
    return sum(of) / epochSlots >= 2 / 3;
  });
  const justified = isJustified.filter((is) => is).length;
  const epochSeconds = epochSlots * slotSeconds;
  const waits: number[] = [];
  isJustified.forEach((_, index) => {
    let run = 0;
    for (let at = index; at < checkpoints; at++) {
      run = isJustified[at] === true ? run + 1 : 0;
      if (run === inRow) {
        waits.push((at - index + 1) * epochSeconds);
        return;
      }
    }
  });
  // A chain of one epoch has no second checkpoint, so its time to finality follows from the rule alone.
  const single = checkpoints === 1 && isJustified[0] === true ? inRow * epochSeconds : undefined;
  return {
    justified,
    checkpoints,
    justifiedSeconds: justified === 0 ? undefined : epochSeconds,
    finalSeconds: waits.length === 0 ? single : sum(waits) / waits.length,
  };
}

/**
 * Returns the weight of the rewards for a vote.
 *
 * @param delay number of slots until inclusion, at least 1.
 * @param carries true if later blocks may include the vote. If not, the next block pays the whole reward.
 */
function weightAt(delay: number, carries: boolean): number {
  if (!carries) return allWeights;
  const { head, target, source } = rewardWeights;
  return target + (delay <= sourceSlots ? source : 0) + (delay === 1 ? head : 0);
}

/** Draws a proposer from the observers, weighted by their numbers of validators, and returns its index. */
function proposerOf(validatorsOf: Int32Array, observers: Int32Array, random: RandomStream): number {
  let left = random.nextUnit() * sum(observers.map((node) => validatorsOf[node]!));
  for (let index = 0; index < observers.length; index++) {
    left -= validatorsOf[observers[index]!]!;
    if (left < 0) return index;
  }
  return observers.length - 1;
}

/** Returns a part's share of the whole, or 0 if the whole is 0. */
function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function sum(values: readonly number[] | Float64Array | Int32Array): number {
  return Array.from(values).reduce((total, one) => total + one, 0);
}
