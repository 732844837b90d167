import type { RandomStream } from '@tutti/core';
import { addMember, emptySet, hasMember, type MemberSet, sizeOf } from '@tutti/core/horn';
import type { NetworkWorld } from './networkWorld.ts';
import type { SlotWatch } from './slotRun.ts';
import type { Publication, TopicSample } from './topicSample.ts';

/**
 * Results of a node on a simulated topic. The results represent other nodes of the same class on topics outside the
 * simulation.
 */
export interface Pattern {
  readonly node: number;
  /** Class of the node's link. */
  readonly linkClass: number;
  /** Returns what the node had not verified at a time: members of the subcommittee, or indices of the aggregates. */
  missing(atUs: number): MemberSet;
  /** Number of messages published. */
  readonly count: number;
  /** Delay from publication to verification of each message, µs; infinite if the message is never verified. */
  delayUs(publication: number): number;
}

/** Messages of a simulated topic, with their contents. */
export interface TopicContents {
  readonly publications: readonly Publication[];
  /** Content of each publication: members, or the index of an aggregate. */
  readonly which: readonly (readonly number[])[];
  /** Number of members or aggregates. */
  readonly count: number;
}

/**
 * Returns the patterns of nodes.
 *
 * @param wanted nodes whose patterns are returned.
 */
export function patternsOf(
  sample: TopicSample,
  { publications, which, count }: TopicContents,
  wanted: Int32Array,
  classOf: Uint8Array,
): Pattern[] {
  return Array.from(wanted, (node): Pattern => {
    const place = sample.members.indexOf(node);
    const known = new Map<number, MemberSet>();
    const missing = (atUs: number): MemberSet => {
      let set = known.get(atUs);
      if (set === undefined) {
        set = emptySet(count);
        for (let publication = 0; publication < which.length; publication++) {
          const verifiedUs = sample.verifiedUs[publication]![place]!;
          if (verifiedUs !== -1 && verifiedUs <= atUs) continue;
          for (const one of which[publication]!) addMember(set, one);
        }
        known.set(atUs, set);
      }
      return set;
    };
    const delayUs = (publication: number): number => {
      const verifiedUs = sample.verifiedUs[publication]?.[place] ?? -1;
      return verifiedUs === -1 ? Number.POSITIVE_INFINITY : verifiedUs - publications[publication]!.atUs;
    };
    return { node, linkClass: classOf[node]!, missing, count: which.length, delayUs };
  });
}

/**
 * Returns the simulated node that represents each of the given nodes: the node itself, or nodes of its class in turn
 * and in random order. If the simulation has no node of a class, any simulated node represents the nodes of that class.
 * The results are undefined if there are no patterns.
 */
export function standIns(
  patterns: readonly Pattern[],
  nodes: readonly number[],
  classOf: Uint8Array,
  random: RandomStream,
): (Pattern | undefined)[] {
  const order = patterns.map((pattern) => ({ pattern, rank: random.nextUint32() }));
  const drawn = order.sort((a, b) => a.rank - b.rank).map(({ pattern }) => pattern);
  const next = new Map<number, number>();
  return nodes.map((node) => {
    const itself = patterns.find((pattern) => pattern.node === node);
    if (itself !== undefined) return itself;
    const alike = drawn.filter(({ linkClass }) => linkClass === classOf[node]);
    const from = alike.length > 0 ? alike : drawn;
    const turn = next.get(classOf[node]!) ?? 0;
    next.set(classOf[node]!, turn + 1);
    return from[turn % from.length];
  });
}

/**
 * Returns, for each aggregate of a committee, the aggregate of a simulated committee that represents it. Late
 * aggregates represent late ones, and other aggregates represent other ones, in index order.
 *
 * @returns indices into `others`.
 */
export function alikeOf<Aggregate>(
  aggregates: readonly Aggregate[],
  others: readonly Aggregate[],
  isLate: (aggregate: Aggregate) => boolean,
): Int32Array {
  const alike = new Int32Array(aggregates.length);
  for (const late of [false, true]) {
    const from = placesWhere(aggregates, (one) => isLate(one) === late);
    const to = placesWhere(others, (one) => isLate(one) === late);
    // If the simulated committee has no aggregate of the same kind, any aggregate serves as the representative.
    const standing = to.length > 0 ? to : placesWhere(others, () => true);
    from.forEach((place, rank) => {
      alike[place] = standing[Math.floor((rank * standing.length) / from.length)] ?? 0;
    });
  }
  return alike;
}

function placesWhere<Item>(list: readonly Item[], has: (one: Item) => boolean): number[] {
  return list.flatMap((one, place) => (has(one) ? [place] : []));
}

/** An aggregator that acts at a time. */
interface ActingAggregator {
  /** Index of the subcommittee. */
  readonly group: number;
  readonly place: number;
  /** Time until which a verified vote counts, µs. */
  readonly untilUs: number;
}

/**
 * Returns the votes of a subcommittee that an aggregator has verified when it acts. The aggregator has its own vote
 * without network delay.
 *
 * @param like pattern of the node that represents the aggregator's node; undefined if there is none, in which case each
 * vote counts as verified when it is cast.
 */
export function verifiedVotes(
  world: NetworkWorld,
  aggregator: ActingAggregator,
  like: Pattern | undefined,
  watch: SlotWatch | undefined,
): MemberSet {
  const { group, place, untilUs } = aggregator;
  if (world.post !== undefined) return votesByDelay(world, aggregator, like, watch);
  const { start, casts } = world.subcommittees[group]!;
  const missing = like?.missing(untilUs);
  const verified = casts.map((word, index) => word & ~(missing?.[index] ?? 0));
  if (hasMember(casts, place - start)) addMember(verified, place - start);
  return verified;
}

/**
 * Returns the votes that an aggregator has verified under the post's assumptions. Each vote arrives with the same delay
 * after casting as the simulated vote that represents it, because voters' clocks differ.
 */
function votesByDelay(
  { subcommittees, castUs, nodeAt }: NetworkWorld,
  { group, place: aggregator, untilUs }: ActingAggregator,
  like: Pattern | undefined,
  watch: SlotWatch | undefined,
): MemberSet {
  const { start, members, casts } = subcommittees[group]!;
  const verified = emptySet(members);
  const count = sizeOf(casts);
  let rank = 0;
  for (let member = 0; member < members; member++) {
    if (!hasMember(casts, member)) continue;
    const place = start + member;
    const sentUs = castUs[nodeAt[place]!]!;
    const delayUs = like?.delayUs(Math.floor((rank * like.count) / count)) ?? 0;
    const atUs = place === aggregator ? sentUs : sentUs + delayUs;
    rank++;
    if (atUs !== Number.POSITIVE_INFINITY) watch?.seen(place, aggregator, atUs);
    if (atUs <= untilUs) addMember(verified, member);
  }
  return verified;
}
