import { RandomStream } from '@tutti/core';
import { hasMember, type MemberSet, packBlock, shiftInto } from '@tutti/core/horn';
import {
  defaultsOf,
  integers,
  requireAllIn,
  requireArray,
  requireObject,
  type SettingsOf,
  seedSetting,
  shares,
} from '@tutti/core/input';
import { honestVotes, type NetworkSlot, requireSlot } from './networkSlot.ts';

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
  slots: { default: 32, range: integers(1, 4096), about: 'number of blocks' },
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
  requireObject('options', options);
  requireAllIn(options, chainSettings);
  const { world } = inRow[0];
  const { system, subcommittees, classOf, nodeAt, scenario } = world;
  const random = new RandomStream(options.seed, 'chain');
  const casts = honestVotes(world);
  const groups = casts.length;
  const ofGroup = system.collectors > 0 ? system.subcommittees : 1;
  const startOf = casts.map((_, group) => subcommittees[group * ofGroup]!.start);
  const byLinkOf = (sets: readonly (MemberSet | undefined)[]): number[] =>
    countByLink(sets, startOf, nodeAt, classOf, scenario.links.length);
  const sizes = byLinkOf(casts);
  const cast = sum(sizes);
  const carries = system.epochSlots > 1;
  const blocks = drawBlocks(options, random);
  const earned = sizes.map(() => 0);
  const onChain = new Float64Array(options.slots);
  let nextBlock = 0;
  let included = 0;
  let attestations = 0;
  let packed = 0;
  let forgone = 0;
  let possible = 0;
  for (let slot = 0; slot < options.slots; slot++) {
    const { run } = inRow[Math.min(slot, inRow.length - 1)]!;
    const before: (MemberSet | undefined)[] = [];
    let votes = 0;
    // The number includes the attacker's votes, because on chain they count like other votes.
    let all = 0;
    const last = carries ? Math.min(options.slots, slot + system.epochSlots) : slot + 1;
    for (let block = slot + 1; block <= last; block++) {
      if (blocks[block] === 'missed') continue;
      const isNext = block === slot + 1;
      const observer = proposerOf(world.validatorsOf, run.observers, random);
      // A proposer of a later slot is assumed to have verified all sent votes, and to have half a block available for
      // these votes.
      const has = isNext ? run.sets.filter((_, set) => run.verifiedUs[set]![observer] !== -1) : run.sets;
      const max = isNext ? system.attestations : Math.max(1, system.attestations >>> 1);
      const result = packBlock(has, { groups, max, inclusion: system.inclusion, before });
      possible += result.votes;
      if (blocks[block] === 'omitting') {
        forgone += result.votes;
        continue;
      }
      const weight = weightAt(block - slot, carries);
      const honest = result.included.map((of, group) => of?.map((word, index) => word & casts[group]![index]!));
      const byLink = byLinkOf(honest);
      byLink.forEach((count, index) => {
        earned[index]! += count * weight;
      });
      join(before, result.included);
      const more = sum(byLink);
      votes += more;
      all += result.votes;
      if (isNext) {
        nextBlock += more;
        attestations += result.attestations;
        packed++;
      }
      if (votes >= cast) break;
    }
    included += votes;
    onChain[slot] = all / Math.max(1, nodeAt.length);
  }
  const possibleReward = options.slots * cast * allWeights;
  return {
    slots: options.slots,
    inNextBlock: nextBlock / (options.slots * cast),
    included: included / (options.slots * cast),
    rewardLost: 1 - sum(earned) / possibleReward,
    rewardLostByLink: sizes.map((size, index) =>
      size === 0 ? 0 : 1 - earned[index]! / (options.slots * size * allWeights),
    ),
    proposerForgone: possible === 0 ? 0 : forgone / possible,
    attestations: packed === 0 ? 0 : attestations / packed,
    ...finality(onChain, system.epochSlots, system.justifiedInRow, system.slotMs / 1000),
  };
}

/** Returns the kind of proposer of each slot, including the slot after the last one. */
function drawBlocks({ slots, missed, omitting }: ChainOptions, random: RandomStream) {
  return Array.from({ length: slots + 1 }, (): 'missed' | 'omitting' | 'honest' => {
    if (random.nextUnit() < missed) return 'missed';
    return random.nextUnit() < omitting ? 'omitting' : 'honest';
  });
}

/** Adds a block's votes to those of earlier blocks, by group. */
function join(before: (MemberSet | undefined)[], included: readonly (MemberSet | undefined)[]): void {
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

/** Returns the number of votes by the link class of their voters. */
function countByLink(
  sets: readonly (MemberSet | undefined)[],
  startOf: readonly number[],
  nodeAt: Int32Array,
  classOf: Uint8Array,
  links: number,
): number[] {
  const counts = new Array<number>(links).fill(0);
  sets.forEach((set, group) => {
    if (set === undefined) return;
    const start = startOf[group]!;
    const end = Math.min(start + 32 * set.length, startOf[group + 1] ?? nodeAt.length);
    for (let place = start; place < end; place++) {
      if (hasMember(set, place - start)) counts[classOf[nodeAt[place]!]!]!++;
    }
  });
  return counts;
}

function sum(values: readonly number[] | Float64Array | Int32Array): number {
  return Array.from(values).reduce((total, one) => total + one, 0);
}
