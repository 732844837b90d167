import { RandomStream } from '@tutti/core';
import { Arrivals } from './arrivals.ts';
import { gossip, type Publication } from './gossip.ts';
import { drawTopic, type TopicSetting } from './topicSetting.ts';

/** Members and messages of the runs that show it, at most. */
const most = 256;
/** Receivers whose arrivals are drawn to compare. */
const receivers = 64;
const largestStretch = 2;

/**
 * By what factor messages that are published together arrive later than each would alone: on their way they wait behind
 * others to be verified. It is the factor with which drawn arrivals, verified in order by their receiver, have the mean
 * delay that the same messages had when played singly on the same meshes of up to 256 members. More than 256 messages
 * at once count as 256: the more there are, the less it matters, because then all nodes are busy from the first message
 * to the last.
 */
export function relayStretch(setting: TopicSetting): number {
  const members = Math.min(most, setting.members);
  const burst = Math.min(most, setting.burst);
  if (members <= 2 || burst <= 1) return 1;
  const random = new RandomStream(setting.seed, `relays: ${members} members, ${burst} messages, ${setting.costUs} µs`);
  const arrivedUs: number[] = [];
  let sumUs = 0;
  let count = 0;
  for (let messages = 0; messages < most; messages += burst) {
    const { mesh, oneWayUs } = drawTopic(setting, members, random);
    const published: Publication[] = Array.from({ length: burst }, () => ({
      source: random.nextBelow(members),
      atUs: Math.floor(random.nextUnit() * setting.spreadUs),
    }));
    gossip(mesh, published, oneWayUs, setting.costUs, true, (_, verifiedUs) => {
      sumUs += verifiedUs;
      count++;
    });
    gossip(mesh, published, oneWayUs, setting.costUs, false, (us) => arrivedUs.push(us));
  }
  const draws = Array.from({ length: receivers * burst }, () => ({
    arrivedUs: arrivedUs[random.nextBelow(arrivedUs.length)]!,
    atUs: Math.floor(random.nextUnit() * setting.spreadUs),
  }));
  const meanUs = (stretch: number): number => {
    const arrivals = new Arrivals(draws.length);
    let sum = 0;
    for (let receiver = 0; receiver < receivers; receiver++) {
      arrivals.clear();
      for (let message = receiver * burst; message < (receiver + 1) * burst; message++) {
        const draw = draws[message]!;
        arrivals.add(draw.atUs + Math.round(stretch * draw.arrivedUs), message);
      }
      arrivals.verify(
        () => setting.costUs,
        (message, verifiedUs) => {
          sum += verifiedUs - draws[message]!.atUs;
        },
      );
    }
    return sum / draws.length;
  };
  let low = 1;
  let high = largestStretch;
  for (let halving = 0; halving < 10; halving++) {
    const middle = (low + high) / 2;
    if (meanUs(middle) < sumUs / count) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
