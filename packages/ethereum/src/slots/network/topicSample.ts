import { RandomStream, shuffle } from '@tutti/core';
import type { EventQueue } from '@tutti/simulation/engine';
import { GossipRun } from './gossipRun.ts';
import { type GossipCosts, maxTimeUs } from './gossipState.ts';
import type { Burden } from './loads.ts';
import { batchCostsOf, type MessageCosts } from './messageKinds.ts';
import type { NetworkWorld } from './networkWorld.ts';
import { forEachAscending } from './slotRun.ts';

/** A message that a node sends to a topic. */
export interface Publication {
  readonly node: number;
  readonly atUs: number;
  readonly message: MessageCosts;
  /** True if the message leaves before everything that its node forwards; see {@link TopicPlan.ownBytes}. */
  readonly isOwed?: boolean;
  /** True if the sending node's link cannot carry the message in time. A dropped message reaches no node. */
  readonly isDropped?: boolean;
}

/** Topic to simulate. */
export interface TopicPlan {
  /** All members of the topic. */
  readonly members: Int32Array;
  /** Members whose times are needed. */
  readonly wanted: Int32Array;
  /** Returns the number of topics of this kind that a node is on. */
  readonly load: (node: number) => number;
  readonly publications: readonly Publication[];
  /**
   * Returns the number of bytes of a node's own messages that occupy its upload before it forwards anything. Default:
   * 0.
   */
  readonly ownBytes?: (node: number) => number;
  /** Returns the time from which a node's own messages occupy its upload, µs. Default: the start. */
  readonly ownAtUs?: (node: number) => number;
  /** Start of the topic's layer, µs. */
  readonly startUs: number;
  /** Due time of the topic, µs. */
  readonly dueUs: number;
  /**
   * End times of the later layers, µs. The topic is simulated until the last end time, because the topic's remaining
   * load affects every later layer.
   */
  readonly laterUs: readonly number[];
  /** Load that the earlier layers leave on links and cores. */
  readonly burden: Burden | undefined;
  /**
   * Maximum number of simulated members, including the wanted ones. If more members are wanted, only the wanted members
   * are simulated.
   */
  readonly maxMembers: number;
  /** Maximum number of simulated messages. If there are more messages, several messages are simulated as one. */
  readonly maxMessages: number;
  readonly seed: number;
  /** Event queue, reused by one simulation after another, because it has already grown to the needed size. */
  readonly queue: EventQueue;
}

/** Load that a topic leaves on its simulated members' links and cores, by member. Link loads are in bytes. */
export interface Leftover {
  /** Bytes that are waiting when the topic is due. */
  readonly up: Float64Array;
  readonly down: Float64Array;
  /** Verification work that is waiting when the topic is due, µs of one core. */
  readonly coreUs: Float64Array;
  /** Bytes carried during each later layer, beyond the bytes that were waiting when that layer began. */
  readonly upLater: readonly Float64Array[];
  readonly downLater: readonly Float64Array[];
}

/** Results of a topic's simulation. */
export interface TopicSample {
  /**
   * Costs of the simulation. The sample does not refer to the simulation itself, because a slot retains its samples
   * until its end.
   */
  readonly costs: GossipCosts;
  /** Number of neighbours that the topic's members lack; see {@link GossipRun.missingPeers}. */
  readonly missingPeers: number;
  /** Simulated nodes: members and the nodes that send to them. Costs are in this order. */
  readonly nodes: Int32Array;
  /** Simulated members. */
  readonly members: Int32Array;
  /**
   * Times at which the members verified each publication, including the additional delay of a larger topic, µs; -1 if not
   * before the end.
   */
  readonly verifiedUs: readonly Int32Array[];
  readonly leftover: Leftover;
  /** Number of events handled, including those of a second run on fewer members. */
  readonly events: number;
}

/** Number of delay quantiles for which the additional delay of a larger topic is determined. */
const quantileCount = 256;

/**
 * Simulates one topic separately, on a sample of its members. Publishers outside the sample are simulated too. The
 * additional delay of a larger topic is extrapolated for each quantile, from a quarter of the sample and from the whole
 * sample. The additional delay is linear in the logarithm of the number of members, because the number of hops grows
 * logarithmically.
 */
export function sampleTopic(world: NetworkWorld, plan: TopicPlan): TopicSample {
  const random = new RandomStream(plan.seed, 'sample of a topic');
  const chosen = choose(plan, Math.max(plan.maxMembers, plan.wanted.length), random);
  const sample = runOn(world, plan, chosen);
  if (chosen.length === plan.members.length) return sample;
  const fewer = choose({ ...plan, wanted: new Int32Array(0) }, Math.ceil(chosen.length / 4), random);
  const small = runOn(world, plan, fewer);
  const steps = Math.log(plan.members.length / chosen.length) / Math.log(chosen.length / fewer.length);
  const [main, less] = [sample, small].map(({ verifiedUs }) => delayQuantiles(plan.publications, verifiedUs));
  const added = addedDelays(main!, less!, steps);
  const verifiedUs = [...sample.verifiedUs];
  for (const { row, sentUs, which } of togetherOf(plan.publications, sample.verifiedUs)) {
    const moved = row.map((at) => (at === -1 ? -1 : Math.round(sentUs + carriedOn(at - sentUs, main!, added))));
    for (const publication of which) verifiedUs[publication] = moved;
  }
  return { ...sample, verifiedUs, events: sample.events + small.events };
}

/** Chooses up to `max` members, including all wanted members. */
function choose(
  { members, wanted }: Pick<TopicPlan, 'members' | 'wanted'>,
  max: number,
  random: RandomStream,
): Int32Array {
  if (members.length <= max) return members;
  const chosen = new Set(wanted);
  while (chosen.size < max) chosen.add(members[random.nextBelow(members.length)]!);
  return Int32Array.from(chosen).sort();
}

/** Simulates the topic on the given members. */
function runOn(world: NetworkWorld, plan: TopicPlan, members: Int32Array): TopicSample {
  const { publications } = plan;
  const nodes = Int32Array.from(new Set([...members, ...publications.map(({ node }) => node)])).sort();
  const placeOf = new Map(Array.from(nodes, (node, place) => [node, place]));
  const places = members.map((node) => placeOf.get(node)!);
  const run = createRun(world, plan, nodes, new Set(members));
  const topic = run.addTopic(places);
  const messageOf = publishAll(run, plan, topic, placeOf);
  occupy(run, plan, nodes);
  run.run(plan.dueUs);
  const leftover = runOut(run, places, plan.laterUs);
  return {
    costs: run.through(),
    missingPeers: run.missingPeers(topic),
    nodes,
    members,
    leftover,
    verifiedUs: Array.from(messageOf, (message) =>
      message === -1 ? new Int32Array(members.length).fill(-1) : run.verifiedUs(message),
    ),
    events: run.events,
  };
}

/** Creates a run of the nodes without topics. Only members of the topic have the load of all their topics. */
function createRun(world: NetworkWorld, plan: TopicPlan, nodes: Int32Array, members: ReadonlySet<number>): GossipRun {
  const { scenario, classOf, up, down, clients, post } = world;
  const { burden, queue, seed } = plan;
  queue.clear();
  return new GossipRun(
    {
      nodes: {
        up: lessRate(nodes, (node) => up[classOf[node]!]!, burden?.upRate),
        down: lessRate(nodes, (node) => down[classOf[node]!]!, burden?.downRate),
        load: Float64Array.from(nodes, (node) => (members.has(node) ? Math.max(1, plan.load(node)) : 1)),
        clients: clients && Array.from(nodes, (node) => clients[node]!),
      },
      network: world.network(nodes),
      gossip: scenario.gossip,
      client: scenario.client,
      costs: batchCostsOf(world),
      isPlain: post !== undefined,
      queue,
    },
    seed,
  );
}

/**
 * Publishes the messages, several as one if there are more than the maximum.
 *
 * @returns the number of the message that represents each publication; -1 for a dropped publication.
 */
function publishAll(
  run: GossipRun,
  { publications, maxMessages, seed }: TopicPlan,
  topic: number,
  placeOf: ReadonlyMap<number, number>,
): Int32Array {
  const order = publications.flatMap(({ isDropped }, index) => (isDropped === true ? [] : [index]));
  const together = Math.max(1, Math.ceil(order.length / maxMessages));
  // Messages that are simulated as one are also lost as one. Aggregates of the same votes are adjacent and one of them
  // is enough, so their losses must be independent.
  const rank = together === 1 ? undefined : shuffle(publications.length, seed, 'messages that go as one');
  order.sort(
    (a, b) => publications[a]!.atUs - publications[b]!.atUs || (rank === undefined ? a - b : rank[a]! - rank[b]!),
  );
  const messageOf = new Int32Array(publications.length).fill(-1);
  for (let first = 0; first < order.length; first += together) {
    const of = order.slice(first, first + together);
    const { node, atUs, message, isOwed } = publications[of[Math.floor(of.length / 2)]!]!;
    const number = run.publish(atUs, placeOf.get(node)!, { ...message, topic, together: of.length }, isOwed);
    for (const index of of) messageOf[index] = number;
  }
  return messageOf;
}

/** Occupies links and cores with the load of earlier layers and with the bytes of the nodes' own messages. */
function occupy(run: GossipRun, plan: TopicPlan, nodes: Int32Array): void {
  const { burden, startUs, ownBytes = () => 0, ownAtUs = () => startUs } = plan;
  run.onAct = (place) => run.burden(place, run.nowUs, ownBytes(nodes[place]!), 0, 0);
  nodes.forEach((node, place) => {
    const own = ownBytes(node);
    const isLater = own > 0 && ownAtUs(node) > startUs;
    if (isLater) run.at(ownAtUs(node), place);
    const upBytes = (burden?.up[node] ?? 0) + (isLater ? 0 : own);
    if (upBytes === 0 && burden === undefined) return;
    run.burden(place, startUs, upBytes, burden?.down[node] ?? 0, burden?.coreUs[node] ?? 0);
  });
}

/**
 * Returns the rate of each link that earlier layers leave available. The returned rate is at least a twentieth of the
 * link's rate.
 */
function lessRate(nodes: Int32Array, rate: (node: number) => number, taken: Float64Array | undefined): Float64Array {
  return Float64Array.from(nodes, (node) => Math.max(rate(node) / 20, rate(node) - (taken?.[node] ?? 0)));
}

/** Runs the remaining events of a topic that is due, and returns the load that the topic leaves to the later layers. */
function runOut(run: GossipRun, places: Int32Array, laterUs: readonly number[]): Leftover {
  const of = (value: (place: number) => number): Float64Array => Float64Array.from(places, value);
  const waitingUp = () => of((place) => run.links.waitingUp(place));
  const waitingDown = () => of((place) => run.links.waitingDown(place));
  const [up, down] = [waitingUp(), waitingDown()];
  const coreUs = of((place) => run.waitingCoreUs(place));
  const upLater: Float64Array[] = [];
  const downLater: Float64Array[] = [];
  for (const untilUs of laterUs) {
    const [waitedUp, waitedDown] = [waitingUp(), waitingDown()];
    const before = run.through();
    run.run(untilUs);
    const now = run.through();
    const more = (which: 'sent' | 'received', waited: Float64Array): Float64Array =>
      of((place) => now[which][place]! - before[which][place]!).map((bytes, index) =>
        Math.max(0, bytes - waited[index]!),
      );
    upLater.push(more('sent', waitedUp));
    downLater.push(more('received', waitedDown));
  }
  return { up, down, coreUs, upLater, downLater };
}

/** Publications sent at the same time and simulated as one. */
export interface Together {
  /** Verification times of the members, µs. */
  readonly row: Int32Array;
  readonly sentUs: number;
  /** Indices of the publications. */
  readonly which: number[];
}

/** Groups the publications by sending time and by the row of their verification times. */
export function togetherOf(publications: readonly Publication[], verifiedUs: readonly Int32Array[]): Together[] {
  const all: Together[] = [];
  const byRow = new Map<Int32Array, Together[]>();
  verifiedUs.forEach((row, publication) => {
    const sentUs = publications[publication]!.atUs;
    const ofRow = byRow.get(row) ?? [];
    byRow.set(row, ofRow);
    let one = ofRow.find((other) => other.sentUs === sentUs);
    if (one === undefined) {
      one = { row, sentUs, which: [] };
      ofRow.push(one);
      all.push(one);
    }
    one.which.push(publication);
  });
  return all;
}

/**
 * Returns quantiles of the delays; the delay of a message that never arrived is infinite. Each delay counts once per
 * message that was simulated as one.
 */
function delayQuantiles(publications: readonly Publication[], verifiedUs: readonly Int32Array[]): Float64Array {
  const byWeight = new Map<number, Together[]>();
  for (const one of togetherOf(publications, verifiedUs)) {
    const alike = byWeight.get(one.which.length) ?? [];
    byWeight.set(one.which.length, alike);
    alike.push(one);
  }
  const lists = Array.from(byWeight, ([weight, of]) => ({ weight, sorted: sortedDelays(of) }));
  const count = lists.reduce((sum, { weight, sorted }) => sum + weight * sorted.length, 0);
  const quantiles = new Float64Array(quantileCount);
  let passed = 0;
  let index = 0;
  forEachAscending(lists, (delayUs, weight) => {
    passed += weight;
    while (index < quantileCount && Math.floor(((index + 0.5) * count) / quantileCount) < passed)
      quantiles[index++] = delayUs === maxTimeUs ? Number.POSITIVE_INFINITY : delayUs;
  });
  return quantiles;
}

function sortedDelays(of: readonly Together[]): Int32Array {
  const all = new Int32Array(of.reduce((sum, { row }) => sum + row.length, 0));
  let next = 0;
  for (const one of of) next = putDelays(one, all, next);
  return all.sort();
}

/**
 * Writes the delays of publications. The function is separate, because the engine would compile a nested loop again for
 * each sample.
 *
 * @returns the next index.
 */
function putDelays({ row, sentUs }: Together, all: Int32Array, next: number): number {
  for (const at of row) all[next++] = at === -1 ? maxTimeUs : at - sentUs;
  return next;
}

/**
 * Returns the additional delay of a larger topic for each quantile, µs: the difference between the two samples, if
 * positive, times a number of steps. A quantile with an infinite delay gets the addition of the previous quantile.
 */
function addedDelays(main: Float64Array, smaller: Float64Array, steps: number): Float64Array {
  const added = main.map((us, index) => {
    const difference = us - smaller[index]!;
    return Number.isFinite(difference) ? steps * Math.max(0, difference) : 0;
  });
  return added.map((us, index) => (Number.isFinite(main[index]!) ? us : added[Math.max(0, index - 1)]!));
}

/** Returns a delay plus its quantile's addition for the larger topic. */
function carriedOn(us: number, quantiles: Float64Array, added: Float64Array): number {
  let low = 0;
  let high = quantiles.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (quantiles[middle]! < us) low = middle + 1;
    else high = middle;
  }
  return us + added[low]!;
}
