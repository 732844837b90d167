import { hasMember, type MemberSet, sizeOf } from '@tutti/core/horn';
import type { NetworkWorld } from './networkWorld.ts';
import type { Pattern } from './patterns.ts';
import type { Layer, SlotWatch } from './slotRun.ts';
import type { Publication, TopicSample } from './topicSample.ts';

/** Reports to the observer the times of a layer's simulated messages. */
export function reportTopics(
  layer: Layer,
  samples: readonly TopicSample[],
  publications: readonly Publication[],
  watch: SlotWatch,
): void {
  let next = 0;
  let busy = 0;
  let members = 0;
  let missing = 0;
  for (const { missingPeers, verifiedUs, leftover, members: of } of samples) {
    for (const row of verifiedUs) {
      const { atUs } = publications[next++]!;
      watch.verified(layer, atUs, row);
    }
    busy += leftover.coreUs.reduce((sum, us) => sum + (us > 0 ? 1 : 0), 0);
    members += of.length;
    missing += missingPeers;
  }
  watch.missingPeers(layer, missing / samples.length);
  if (2 * busy > members) watch.overloaded(layer);
}

/** Reports all votes cast to the observer. */
export function reportVotes({ subcommittees, castUs, nodeAt }: NetworkWorld, watch: SlotWatch): void {
  for (const { start, members, casts } of subcommittees) {
    for (let member = 0; member < members; member++) {
      if (!hasMember(casts, member)) continue;
      watch.published('subnets', start + member, undefined, castUs[nodeAt[start + member]!]!);
    }
  }
}

/**
 * Shifts the times of votes by the differences between clocks. Each vote arrives with the same delay after casting as
 * the vote that represents it.
 *
 * @param verified the votes cast. Votes that arrive after `untilUs` are removed.
 */
export function verifyVotes(
  { subcommittees, castUs, nodeAt }: NetworkWorld,
  verified: MemberSet,
  group: number,
  aggregator: number,
  like: Pattern | undefined,
  untilUs: number,
  watch: SlotWatch | undefined,
): void {
  const { start, members, casts } = subcommittees[group]!;
  const count = sizeOf(casts);
  let rank = 0;
  for (let member = 0; member < members; member++) {
    if (!hasMember(casts, member)) continue;
    const place = start + member;
    const sentUs = castUs[nodeAt[place]!]!;
    const delayUs = like?.delayUs(Math.floor((rank * like.count) / count)) ?? Number.POSITIVE_INFINITY;
    const atUs = place === aggregator ? sentUs : sentUs + delayUs;
    rank++;
    watch?.seen(place, aggregator, atUs);
    if (atUs > untilUs) verified[member >>> 5]! &= ~(1 << (member & 31));
  }
}
