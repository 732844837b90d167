import { addMember, emptySet, type MemberSet, sizeOf } from '@tutti/core/horn';
import { type LeanPlan, type LeanView, planOf } from './plans.ts';
import { joinVotes, topLevel } from './rules.ts';
import {
  hasTurns,
  hasWindows,
  type LeanProof,
  type LeanSizes,
  type LeanStrategy,
  makeProof,
  SubnetMasks,
} from './world.ts';

/**
 * Options of a run of rounds without time: every live aggregator makes at most one merge per round, and then every node
 * has all proofs.
 */
export interface RoundsOptions {
  readonly sizes: LeanSizes;
  readonly strategy: LeanStrategy;
  /** Positions whose aggregators do nothing. */
  readonly silent?: readonly number[];
  /** Validators of each position's leaf proof. Default: all validators of the position's duty subnet. */
  readonly leaves?: readonly MemberSet[];
  /** Slot of the first round, from 0. A round counts as a slot: windows change from round to round. */
  readonly slot?: number;
}

/** Result of {@link runRounds}. */
export interface RoundsOutcome {
  /** Number of rounds until a proof contained all votes of the leaves; undefined if no proof did. */
  readonly roundsToFull: number | undefined;
  /** Number of rounds until a proof contained two thirds of the leaves' votes; undefined if no proof did. */
  readonly roundsToTwoThirds: number | undefined;
  readonly merges: number;
  /** Number of merges that repeat another aggregator's merge of the same round. */
  readonly copies: number;
  /** Number of merges in each round, and the maximum number of children of a merge. */
  readonly rounds: readonly { readonly merges: number; readonly children: number }[];
  /** All proofs, the leaves first. */
  readonly proofs: readonly LeanProof[];
}

/**
 * Runs rounds until a proof has all votes of the leaves, or no further merge is possible. The run also ends if there were
 * enough turns for one merge per aggregator, because a strategy may repeat the same merges without end.
 */
export function runRounds(options: RoundsOptions): RoundsOutcome {
  const { strategy, silent = [], slot = 0 } = options;
  const live = options.sizes.duties.map((_, position) => position).filter((position) => !silent.includes(position));
  // leanSpec's merge is made by the proposer, which is assumed to be honest, so the only super aggregator is live.
  const sizes = strategy === 'spec' ? { ...options.sizes, supers: (live[0] ?? 0) + 1 } : options.sizes;
  const turns = turnsOf(strategy, sizes);
  const maxRounds = turns * (sizes.duties.length + 1);
  const masks = new SubnetMasks(sizes);
  const votesOf = options.leaves ?? sizes.duties.map((duty) => votesOfSubnet(sizes, duty));
  const proofs = live.map((by, id) =>
    makeProof(sizes, { id, votes: votesOf[by]!, bytes: 1, by, children: [], rawVotes: 0, half: undefined }),
  );
  const all = emptySet(sizes.validators);
  for (const { votes } of proofs) joinVotes(all, votes);
  const full = sizeOf(all);
  const best = () => proofs.reduce((max, { size }) => Math.max(max, size), 0);

  const fits = Math.min(proofs.length, sizes.proverChildren);
  const readySince = new Map<string, number>();
  const rounds: { merges: number; children: number }[] = [];
  let copies = 0;
  const bests = [best()];
  while (bests.at(-1)! < full && rounds.length < maxRounds) {
    const round = rounds.length;
    const plans: (LeanPlan & { by: number })[] = [];
    for (const position of live) {
      const known = { sizes, masks, position, slot: slotOf(strategy, slot, round), proofs, fits };
      // A part without a proof is awaited until all of its owners have had time for their turns.
      const view = viewOfRound(known, round, readySince, (level) => level * membersOfPart(sizes, level));
      // Without a pending pool, leanSpec's merge equals that of a super aggregator.
      const plan = planOf(strategy === 'spec' ? 'super' : strategy, view);
      if (plan !== undefined) plans.push({ ...plan, by: position });
    }
    copies += plans.filter(({ votes }, at) => plans.findIndex((other) => isSame(other.votes, votes)) < at).length;
    for (const { children, votes, by, half } of plans) {
      proofs.push(makeProof(sizes, { id: proofs.length, votes, bytes: 1, by, children, rawVotes: 0, half }));
    }
    rounds.push({ merges: plans.length, children: Math.max(0, ...plans.map(({ children }) => children.length)) });
    bests.push(best());
    // Another merge may follow if a window or owner has had no turn since the last merge.
    if (rounds.length >= turns && rounds.slice(-turns).every(({ merges }) => merges === 0)) break;
  }
  const twoThirds = bests.findIndex((size) => 3 * size >= 2 * full);
  return {
    roundsToFull: bests.at(-1) === full ? rounds.length : undefined,
    roundsToTwoThirds: twoThirds === -1 ? undefined : twoThirds,
    merges: rounds.reduce((sum, { merges }) => sum + merges, 0),
    copies,
    rounds,
    proofs,
  };
}

/**
 * Returns the slot for a round. For windows, the slot increases with each round; otherwise it is the same in all
 * rounds.
 */
function slotOf(strategy: LeanStrategy, slot: number, round: number): number {
  return hasWindows(strategy) ? slot + round : slot;
}

/** Returns the number of rounds in which every window or owner has had a turn. */
function turnsOf(strategy: LeanStrategy, { duties, subnets, branching }: LeanSizes): number {
  if (strategy === 'window-skip') return 2 * subnets;
  return hasTurns(strategy) ? (topLevel(subnets, branching) + 1) * (duties.length + 1) : 1;
}

/** Returns the maximum number of positions in a part of a half of this level. */
function membersOfPart({ duties, subnets, branching }: LeanSizes, level: number): number {
  return Math.ceil((duties.length * branching ** (level - 1)) / subnets);
}

/**
 * Returns the view of an aggregator in a model without time. Time is a number of rounds, and all raw votes are in
 * leaves.
 *
 * @param ready round in which a half was ready for its owners, by position and half; changed in place. @param patience
 * number of rounds to wait for a missing part of a level.
 */
export function viewOfRound(
  known: Pick<LeanView, 'sizes' | 'masks' | 'position' | 'slot' | 'proofs' | 'fits'>,
  round: number,
  ready: Map<string, number>,
  patience: (level: number) => number,
): LeanView {
  return {
    ...known,
    isPending: () => true,
    announced: [],
    raw: emptySet(known.sizes.validators),
    isLeafTime: false,
    turns: ({ level, index }, parts, of) => {
      if (parts === 0) return -1;
      const key = `${known.position} ${level} ${index} ${parts === of}`;
      const since = ready.get(key) ?? round + (parts === of ? 0 : patience(level));
      ready.set(key, since);
      return round - since;
    },
  };
}

/** Returns the votes of a subnet: all of them, or every `oneOf`-th. */
export function votesOfSubnet({ validators, subnets }: LeanSizes, subnet: number, oneOf = 1): MemberSet {
  const votes = emptySet(validators);
  for (let validator = subnet; validator < validators; validator += oneOf * subnets) addMember(votes, validator);
  return votes;
}

function isSame(a: MemberSet, b: MemberSet): boolean {
  return a.every((word, at) => word === b[at]);
}
