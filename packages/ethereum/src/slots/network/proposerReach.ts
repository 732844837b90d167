import { type MemberSet, sizeBeyond, sizeOf } from '@tutti/core/horn';
import type { NetworkWorld } from './networkWorld.ts';
import type { SlotRun } from './slotRun.ts';

/**
 * Share of the votes cast that each honest proposer has verified when its block is built, with the proposer's number of
 * validators.
 */
export interface ProposerShares {
  readonly shares: readonly number[];
  readonly validators: readonly number[];
}

/** Votes that honest proposers have verified when their block is built. */
export interface ProposerReach {
  /**
   * Share of the votes cast that a proposer has verified when its block is built. The mean is over honest proposers,
   * weighted by their validators.
   */
  readonly inReach: { readonly mean: number; readonly min: number; readonly max: number };
  /**
   * Mean time until an honest proposer has 99 % of the votes cast, over the proposers that reach this share, and the
   * share of these proposers. Both are weighted by validators.
   */
  readonly reach: { readonly meanMs: number | undefined; readonly share: number };
  /** Mean number of votes, weighted by the proposers' validators. */
  readonly votes: number;
  readonly proposers: ProposerShares;
}

/** Share of the votes cast. The result reports the time until a proposer has this share. */
const reportedShare = 0.99;

/**
 * Returns the votes that honest proposers have verified when their block is built, in total and as shares of the honest
 * votes cast.
 *
 * @param all votes to count, by group.
 */
export function reachOfProposers(world: NetworkWorld, run: SlotReach, all: readonly MemberSet[]): ProposerReach {
  const reaches = reachesOf(world, run, all);
  const validators = reaches.map((one) => one.validators);
  const stake = validators.reduce((sum, one) => sum + one, 0);
  const mean = (of: (reach: Reach) => number, over = reaches) =>
    over.reduce((sum, reach) => sum + (of(reach) * reach.validators) / stake, 0);
  const shareOf = ({ votes }: Reach) => votes / Math.max(1, world.cast);
  const shares = reaches.map(shareOf);
  const max = Math.max(0, ...shares);
  const inTime = reaches.filter(({ atUs }) => atUs !== -1);
  const share = mean(() => 1, inTime);
  return {
    votes: mean(({ votes }) => votes),
    proposers: { shares, validators },
    inReach: { mean: mean(shareOf), min: Math.min(max, ...shares), max },
    reach: { meanMs: share === 0 ? undefined : mean(({ atUs }) => atUs, inTime) / share / 1000, share },
  };
}

/** Parts of a run that determine the reach of its proposers. */
type SlotReach = Pick<SlotRun, 'observers' | 'sets' | 'verifiedUs'>;

/** Votes that an honest proposer has verified when its block is built, and its number of validators. */
interface Reach {
  readonly validators: number;
  readonly votes: number;
  /** Time at which the proposer has the reported share, µs; -1 if it never has. */
  readonly atUs: number;
}

/** Returns the reach of each honest proposer. */
function reachesOf(world: NetworkWorld, run: SlotReach, all: readonly MemberSet[]): readonly Reach[] {
  const { observers, sets, verifiedUs } = run;
  const missing = Int32Array.from(all, sizeOf);
  const weights = Array.from(observers, (node) => (world.attackOf[node] === -1 ? world.validatorsOf[node]! : 0));
  const together = setsByRow(verifiedUs);
  const orders = ordersOf(together, weights);
  const groups = Int32Array.from(sets, ({ group }) => group);
  return weights.flatMap((validators, observer) => {
    if (validators === 0) return [];
    const reach = new ReachSoFar(missing);
    let atUs = -1;
    for (const key of orders[observer]!.sort()) {
      if (reach.isWhole) break;
      const at = Math.floor(key / together.length);
      for (const set of together[key - at * together.length]!.which)
        if (reach.lacks(groups[set]!)) reach.add(groups[set]!, sets[set]!.bits);
      if (atUs === -1 && reach.votes >= reportedShare * world.cast) atUs = at;
    }
    return [{ validators, votes: reach.votes, atUs }];
  });
}

/** Sets simulated as one, with the times at which each observer verified them. */
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
 * Returns the rows that each observer has verified. Each row is one number that combines the time and the row's index.
 * Observers with weight 0 get an empty list.
 *
 * The function fills the lists row by row, in the order of the times in memory.
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

/** Votes that an observer has, updated set by set. */
export class ReachSoFar {
  votes = 0;
  readonly #of: (MemberSet | undefined)[] = [];
  readonly #missing: Int32Array;
  /** Number of groups with missing votes. */
  #open: number;

  /**
   * Starts with no votes.
   *
   * @param missing number of votes by group.
   */
  constructor(missing: Int32Array) {
    this.#missing = missing.slice();
    this.#open = missing.reduce((count, one) => count + (one === 0 ? 0 : 1), 0);
  }

  /** Returns whether no more votes can be added. */
  get isWhole(): boolean {
    return this.#open === 0;
  }

  /** Returns whether votes of a group are missing. */
  lacks(group: number): boolean {
    return this.#missing[group] !== 0;
  }

  /** Adds the votes of a set. The observer must lack votes of the group. */
  add(group: number, bits: MemberSet): void {
    const before = this.#of[group];
    const more = before === undefined ? sizeOf(bits) : sizeBeyond(bits, before);
    this.votes += more;
    this.#missing[group]! -= more;
    if (this.#missing[group] === 0) this.#open--;
    if (before === undefined) this.#of[group] = bits.slice();
    else for (let word = 0; word < before.length; word++) before[word]! |= bits[word]!;
  }
}
