import type { RandomStream } from '@tutti/core';
import type { MemberSet } from '@tutti/core/horn';
import { addMember, emptySet } from '@tutti/core/internal/horn';
import type { Publication, TopicSample } from './topicSample.ts';

/** How a node fared on a topic that was run; it stands for others of its class on topics that were not. */
export interface Pattern {
  readonly node: number;
  /** Class of its link. */
  readonly of: number;
  /** What it did not have at a time: members of the subcommittee, or of the committee's aggregates by number. */
  missing(atUs: number): MemberSet;
  /** How many messages were published, and from when one was until it had verified it: infinite for never. */
  readonly count: number;
  delayUs(publication: number): number;
}

/**
 * @param wanted the nodes. @param which what each publication has: members, or an aggregate's number. @param count how
 *   many of these there are.
 */
export function patternsOf(
  sample: TopicSample,
  publications: readonly Publication[],
  wanted: Int32Array,
  classOf: Uint8Array,
  which: readonly (readonly number[])[],
  count: number,
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
    return { node, of: classOf[node]!, missing, count: which.length, delayUs };
  });
}

/**
 * Which of the nodes run stands for each of these nodes: itself, or those of its class in turn, in a random order, or
 * any node if none is of its class.
 */
export function standIns(
  patterns: readonly Pattern[],
  nodes: readonly number[],
  classOf: Uint8Array,
  random: RandomStream,
): Pattern[] {
  const order = patterns.map((pattern) => ({ pattern, rank: random.nextUint32() }));
  const drawn = order.sort((a, b) => a.rank - b.rank).map(({ pattern }) => pattern);
  const next = new Map<number, number>();
  return nodes.map((node) => {
    const itself = patterns.find((pattern) => pattern.node === node);
    if (itself !== undefined) return itself;
    const alike = drawn.filter(({ of }) => of === classOf[node]);
    const from = alike.length > 0 ? alike : drawn;
    const turn = next.get(classOf[node]!) ?? 0;
    next.set(classOf[node]!, turn + 1);
    return from[turn % from.length]!;
  });
}

/**
 * For each aggregate of a committee, the one that stands for it among those of a committee that was run: of the late
 * ones a late one, of the others another, in the order in which they lie.
 *
 * @returns places in `others`.
 */
export function alikeOf(
  aggregates: readonly number[],
  others: readonly number[],
  isLate: (aggregate: number) => boolean,
): Int32Array {
  const alike = new Int32Array(aggregates.length);
  for (const late of [false, true]) {
    const from = placesWhere(aggregates, (one) => isLate(one) === late);
    const to = placesWhere(others, (one) => isLate(one) === late);
    // Where it has none of a kind, any of its own does.
    const standing = to.length > 0 ? to : placesWhere(others, () => true);
    from.forEach((place, rank) => {
      alike[place] = standing[Math.floor((rank * standing.length) / from.length)] ?? 0;
    });
  }
  return alike;
}

function placesWhere(list: readonly number[], has: (one: number) => boolean): number[] {
  return list.flatMap((one, place) => (has(one) ? [place] : []));
}
