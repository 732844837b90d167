import { RandomStream } from '../../../random.ts';
import { type GossipMessage, GossipRun } from './gossipRun.ts';
import { batchCostsOf } from './messageKinds.ts';
import type { NetworkWorld } from './networkWorld.ts';

/** Something that a node sends to a topic. */
export interface Publication {
  readonly node: number;
  readonly atUs: number;
  readonly message: Omit<GossipMessage, 'topic' | 'together'>;
}

export interface TopicPlan {
  /** Everybody on the topic. */
  readonly members: Int32Array;
  /** Of them, those whose times are wanted. */
  readonly wanted: Int32Array;
  /** Of how many such topics each node is, about. */
  readonly load: (node: number) => number;
  readonly publications: readonly Publication[];
  /** When what the topic is for is due. */
  readonly dueUs: number;
  /** Until when it is played: what is left of it then is the next topic's burden. */
  readonly untilUs: number;
  /** What links still have to carry from the topics before. */
  readonly burden: LinkBurden | undefined;
  /** Members that are played, at most, beside those wanted. */
  readonly most: number;
  readonly seed: number;
}

/** By node, bytes that its links still have to carry of what came before. */
export interface LinkBurden {
  readonly up: Float64Array;
  readonly down: Float64Array;
}

export interface TopicPlay {
  readonly run: GossipRun;
  readonly members: Int32Array;
  /** By publication and member that was played, microseconds; -1 for not by then. */
  readonly verifiedUs: readonly Int32Array[];
  /** By member: bytes that its links carried after the topic was due. */
  readonly upAfter: Float64Array;
  readonly downAfter: Float64Array;
  readonly events: number;
}

/** Messages of one topic that are played at most; of more, several are taken for one. */
const mostMessages = 2048;
const grid = 256;

/**
 * One topic by itself, on a sample of its members; publishers outside of the sample keep their own links. What a larger topic adds is carried on along
 * a line over the logarithm of the members, which is how the number of hops grows: each quantile of the delays from a quarter of the
 * sample and the sample.
 */
export function playTopic(world: NetworkWorld, plan: TopicPlan): TopicPlay {
  const random = new RandomStream(plan.seed, 'sample of a topic');
  const played = choose(plan, Math.max(plan.most, plan.wanted.length), random);
  const play = playOn(world, plan, played);
  if (played.length === plan.members.length) return play;
  const fewer = choose({ ...plan, wanted: new Int32Array(0) }, Math.ceil(played.length / 4), random);
  const small = playOn(world, plan, fewer);
  const steps = Math.log(plan.members.length / played.length) / Math.log(played.length / fewer.length);
  const [main, less] = [play, small].map(({ verifiedUs }) => delayQuantiles(plan.publications, verifiedUs));
  const carried = main!.map((us, index) => us + steps * Math.max(0, slope(us, less![index]!)));
  const verifiedUs = play.verifiedUs.map((row, publication) => {
    const sentUs = plan.publications[publication]!.atUs;
    return row.map((at) => (at === -1 ? -1 : Math.round(sentUs + carriedOn(at - sentUs, main!, carried))));
  });
  return { ...play, verifiedUs, events: play.events + small.events };
}

/** What the larger topic adds; nothing can be said where either never came. */
function slope(us: number, less: number): number {
  return Number.isFinite(us) && Number.isFinite(less) ? us - less : 0;
}

function choose(
  { members, wanted }: Pick<TopicPlan, 'members' | 'wanted'>,
  most: number,
  random: RandomStream,
): Int32Array {
  if (members.length <= most) return members;
  const chosen = new Set(wanted);
  while (chosen.size < most) chosen.add(members[random.nextBelow(members.length)]!);
  return Int32Array.from(chosen).sort();
}

function playOn(world: NetworkWorld, plan: TopicPlan, members: Int32Array): TopicPlay {
  const { scenario, up, down } = world;
  const load = new Float64Array(scenario.nodes).fill(1);
  for (const node of members) load[node] = Math.max(1, plan.load(node));
  const run = new GossipRun(
    { up, down, load },
    world.network(),
    scenario.gossip,
    scenario.client,
    batchCostsOf(world),
    plan.seed,
  );
  const topic = run.addTopic(members);
  const order = plan.publications.map((_, index) => index);
  order.sort((a, b) => plan.publications[a]!.atUs - plan.publications[b]!.atUs || a - b);
  const together = Math.max(1, Math.ceil(order.length / mostMessages));
  const messageOf = new Int32Array(order.length);
  for (let first = 0; first < order.length; first += together) {
    const of = order.slice(first, first + together);
    const { node, atUs, message } = plan.publications[of[Math.floor(of.length / 2)]!]!;
    const number = run.publish(atUs, node, { ...message, topic, together: of.length });
    for (const index of of) messageOf[index] = number;
  }
  if (plan.burden !== undefined) {
    const firstUs = plan.publications.reduce((first, { atUs }) => Math.min(first, atUs), plan.dueUs);
    for (let node = 0; node < scenario.nodes; node++) {
      run.burden(node, firstUs, plan.burden.up[node]!, plan.burden.down[node]!);
    }
  }
  run.run(plan.dueUs);
  const sent = Float64Array.from(members, (node) => run.sent[node]!);
  const received = Float64Array.from(members, (node) => run.received[node]!);
  if (plan.untilUs > plan.dueUs) run.run(plan.untilUs);
  return {
    run,
    members,
    upAfter: sent.map((bytes, place) => run.sent[members[place]!]! - bytes),
    downAfter: received.map((bytes, place) => run.received[members[place]!]! - bytes),
    verifiedUs: plan.publications.map((_, index) => run.verifiedUs(messageOf[index]!)),
    events: run.events,
  };
}

/** Quantiles of the delays, infinite for never. */
function delayQuantiles(publications: readonly Publication[], verifiedUs: readonly Int32Array[]): Float64Array {
  const count = verifiedUs.reduce((sum, row) => sum + row.length, 0);
  const all = new Float64Array(count);
  let next = 0;
  verifiedUs.forEach((row, publication) => {
    const sentUs = publications[publication]!.atUs;
    for (const at of row) all[next++] = at === -1 ? Number.POSITIVE_INFINITY : at - sentUs;
  });
  all.sort();
  return Float64Array.from({ length: grid }, (_, index) => all[Math.floor(((index + 0.5) * count) / grid)] ?? 0);
}

/** A delay moved to where the quantile that it is lies on the larger topic. */
function carriedOn(us: number, from: Float64Array, to: Float64Array): number {
  let low = 0;
  let high = from.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (from[middle]! < us) low = middle + 1;
    else high = middle;
  }
  const add = to[low]! - from[low]!;
  return us + (Number.isFinite(add) ? add : to[Math.max(0, low - 1)]! - from[Math.max(0, low - 1)]! || 0);
}

/**
 * What topics of one kind leave to every node's links: what they left to a node of its class that was played, of those the one that is of most nearly
 * as many such topics.
 */
export function burdenOf(
  { classOf, up, down }: NetworkWorld,
  plays: readonly TopicPlay[],
  topicsOf: Int32Array,
): LinkBurden | undefined {
  const seen = plays.flatMap(({ members, upAfter, downAfter }) =>
    Array.from(members, (node, place) => ({
      of: classOf[node]!,
      topics: topicsOf[node]!,
      up: upAfter[place]!,
      down: downAfter[place]!,
    })),
  );
  const busy = plays.flatMap(({ members, upAfter, downAfter }) =>
    Array.from(members, (node, place) => Math.max(upAfter[place]! / up[node]!, downAfter[place]! / down[node]!)),
  );
  if (busy.filter((us) => us > leastBurdenUs).length < leastBurdened * busy.length) return undefined;
  seen.sort((a, b) => a.of - b.of || a.topics - b.topics);
  const upLeft = new Float64Array(topicsOf.length);
  const downLeft = new Float64Array(topicsOf.length);
  for (let node = 0; node < topicsOf.length; node++) {
    if (topicsOf[node] === 0) continue;
    const alike = seen.filter(({ of }) => of === classOf[node]);
    if (alike.length === 0) continue;
    let nearest = alike[node % alike.length]!;
    for (const one of alike) {
      if (Math.abs(one.topics - topicsOf[node]!) < Math.abs(nearest.topics - topicsOf[node]!)) nearest = one;
    }
    upLeft[node] = nearest.up;
    downLeft[node] = nearest.down;
  }
  return { up: upLeft, down: downLeft };
}

/** Links that have less to carry than this, or fewer nodes than this share whose have more, are no burden: heartbeats go on after every round. */
const leastBurdenUs = 100_000;
const leastBurdened = 0.05;
