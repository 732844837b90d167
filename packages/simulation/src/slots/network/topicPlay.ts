import { RandomStream, shuffle } from '@tutti/core';
import type { Burden } from './burdens.ts';
import { GossipRun } from './gossipRun.ts';
import type { GossipMessage } from './gossipState.ts';
import { batchCostsOf } from './messageKinds.ts';
import type { NetworkWorld } from './networkWorld.ts';

/** Something that a node sends to a topic. */
export interface Publication {
  readonly node: number;
  readonly atUs: number;
  readonly message: Omit<GossipMessage, 'topic' | 'together'>;
  /** Whether it leaves ahead of everything that its node passes on, see {@link TopicPlan.ownBytes}. */
  readonly isOwed?: boolean;
  /** Whether its node's link has no room for it before it has waited too long: nobody gets it. */
  readonly isDropped?: boolean;
}

export interface TopicPlan {
  /** Everybody on the topic. */
  readonly members: Int32Array;
  /** Of them, those whose times are wanted. */
  readonly wanted: Int32Array;
  /** Of how many such topics each node is, about. */
  readonly load: (node: number) => number;
  readonly publications: readonly Publication[];
  /** What a node's upload is busy with at the beginning, before it passes anything on: messages of its own. */
  readonly ownBytes?: (node: number) => number;
  /** When the layer that it belongs to begins, and when what the topic is for is due. */
  readonly startUs: number;
  readonly dueUs: number;
  /**
   * When the layers after it end: it is played until the last of them, since what it leaves to each is that layer's
   * burden.
   */
  readonly laterUs: readonly number[];
  /** What the layers before leave to links and cores. */
  readonly burden: Burden | undefined;
  /**
   * The most members that are played in addition to those wanted, and the most messages: if there are more, several are
   * played as one.
   */
  readonly most: number;
  readonly mostMessages: number;
  readonly seed: number;
}

/** What a topic leaves to its members' links and cores: bytes, and microseconds of one core, by member. */
export interface Leftover {
  /** Waiting when the topic is due. */
  readonly up: Float64Array;
  readonly down: Float64Array;
  /** What waits to be verified then. */
  readonly coreUs: Float64Array;
  /** By layer after it: carried during that layer, beyond what waited when it began. */
  readonly upLater: readonly Float64Array[];
  readonly downLater: readonly Float64Array[];
}

export interface TopicPlay {
  readonly run: GossipRun;
  readonly members: Int32Array;
  /** By publication and played member, microseconds; -1 if not by then. */
  readonly verifiedUs: readonly Int32Array[];
  readonly leftover: Leftover;
  readonly events: number;
}

const grid = 256;

/**
 * One topic by itself, on a sample of its members; publishers outside of the sample keep their own links. What a larger
 * topic adds is extrapolated linearly in the logarithm of the members, since the number of hops grows that way: each
 * quantile of the delays, from a quarter of the sample and from the whole sample.
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

/** What the larger topic adds; unknown if either never came. */
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
  const { burden } = plan;
  const run = new GossipRun(
    { up: lessRate(up, burden?.upRate), down: lessRate(down, burden?.downRate), load },
    world.network(),
    scenario.gossip,
    scenario.client,
    batchCostsOf(world),
    plan.seed,
  );
  const topic = run.addTopic(members);
  const order = plan.publications.flatMap(({ isDropped }, index) => (isDropped === true ? [] : [index]));
  const together = Math.max(1, Math.ceil(order.length / plan.mostMessages));
  // What is played as one is lost as one. Aggregates of the same votes are neighbours, and one of them is enough: their
  // fates must be independent.
  const rank = together === 1 ? undefined : shuffle(plan.publications.length, plan.seed, 'messages that go as one');
  order.sort(
    (a, b) =>
      plan.publications[a]!.atUs - plan.publications[b]!.atUs || (rank === undefined ? a - b : rank[a]! - rank[b]!),
  );
  const messageOf = new Int32Array(plan.publications.length).fill(-1);
  for (let first = 0; first < order.length; first += together) {
    const of = order.slice(first, first + together);
    const { node, atUs, message, isOwed } = plan.publications[of[Math.floor(of.length / 2)]!]!;
    const number = run.publish(atUs, node, { ...message, topic, together: of.length }, isOwed);
    for (const index of of) messageOf[index] = number;
  }
  const { ownBytes = () => 0 } = plan;
  for (let node = 0; node < scenario.nodes; node++) {
    const upBytes = (burden?.up[node] ?? 0) + ownBytes(node);
    if (upBytes === 0 && burden === undefined) continue;
    run.burden(node, plan.startUs, upBytes, burden?.down[node] ?? 0, burden?.coreUs[node] ?? 0);
  }
  run.run(plan.dueUs);
  const leftover = playOut(run, members, plan.laterUs);
  return {
    run,
    members,
    leftover,
    verifiedUs: plan.publications.map((_, index) =>
      messageOf[index] === -1 ? new Int32Array(members.length).fill(-1) : run.verifiedUs(messageOf[index]!),
    ),
    events: run.events,
  };
}

/** Of a link that earlier layers take a part of, what is left, and never less than a twentieth. */
function lessRate(rates: Float64Array, taken: Float64Array | undefined): Float64Array {
  return taken === undefined ? rates : rates.map((rate, node) => Math.max(rate / 20, rate - taken[node]!));
}

function playOut(run: GossipRun, members: Int32Array, laterUs: readonly number[]): Leftover {
  const of = (value: (node: number) => number): Float64Array => Float64Array.from(members, value);
  const waitingUp = () => of((node) => run.waitingUp(node));
  const waitingDown = () => of((node) => run.waitingDown(node));
  const [up, down] = [waitingUp(), waitingDown()];
  const coreUs = of((node) => run.waitingCoreUs(node));
  const upLater: Float64Array[] = [];
  const downLater: Float64Array[] = [];
  for (const untilUs of laterUs) {
    const [waitedUp, waitedDown] = [waitingUp(), waitingDown()];
    const [sent, received] = [of((node) => run.sent[node]!), of((node) => run.received[node]!)];
    run.run(untilUs);
    const more = (now: Float64Array, before: Float64Array, waited: Float64Array): Float64Array =>
      before.map((bytes, place) => Math.max(0, now[members[place]!]! - bytes - waited[place]!));
    upLater.push(more(run.sent, sent, waitedUp));
    downLater.push(more(run.received, received, waitedDown));
  }
  return { up, down, coreUs, upLater, downLater };
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
