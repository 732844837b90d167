import { shuffle } from '@tutti/core';
import type { MemberSet } from '@tutti/core/horn';
import { addMember, emptySet, HornTopic, sizeBeyond, sizeOf, topicOfAggregates } from '@tutti/core/internal/horn';
import { type AuthoredSet, BestSets } from './bestSets.ts';
import { GossipRun } from './gossipRun.ts';
import { type GossipMessage, Priority } from './gossipState.ts';
import { gatherByHandel } from './handelGathering.ts';
import { type LayerLoad, loadsByClass, noLoad, scaled, sumOf } from './loads.ts';
import { aggregateMessage, type Ballot, ballotsOf, batchCostsOf } from './messageKinds.ts';
import type { NetworkWorld } from './networkWorld.ts';
import {
  DelayCollector,
  layers,
  type PublishedSet,
  type SlotRun,
  type SlotWatch,
  type SubnetArrivals,
} from './slotRun.ts';

/** Runs every message of some slots in a row, all topics at once. For some hundred nodes and some thousand votes. */
export function runEveryMessage(world: NetworkWorld, slots = 1): SlotRun[] {
  const run = new EveryMessageRun(world);
  return Array.from({ length: slots }, (_, slot) => run.next(slot));
}

type OnVerified = (node: number, atUs: number) => void;

/** How often a slot that is run in pieces pauses, and how late it ends at the most, microseconds. */
const pieceUs = 2000;
const latestUs = 2 ** 31 - 1;

/**
 * Runs every message of one slot, in pieces, until nothing happens any more: for worlds with the post's assumptions. Each
 * piece says how far the slot is, 0 to 1.
 */
export function* runningEveryMessage(world: NetworkWorld, watch: SlotWatch): Generator<number, SlotRun> {
  const slots = new EveryMessageRun(world, watch);
  const endUs = 1000 * world.system.blockMs;
  const slot = slots.begin(0);
  for (let us = pieceUs; us < endUs; us += pieceUs) {
    slots.run.run(us);
    yield us / endUs;
  }
  slots.run.run(latestUs);
  return slots.end(slot);
}

/** The network that slots in a row are run on. */
class EveryMessageRun {
  readonly world: NetworkWorld;
  readonly watch: SlotWatch | undefined;
  readonly run: GossipRun;
  readonly everybody: Int32Array;
  readonly subnets: readonly number[];
  readonly committeeTopics: readonly number[];
  readonly global: number;
  /** What a node does with a message that it has verified, by message; and what is done at a time. */
  readonly #meanings: OnVerified[] = [];
  readonly #actions: (() => void)[] = [];
  #loads: readonly LayerLoad[];
  #dropped = 0;
  #events = 0;

  constructor(world: NetworkWorld, watch?: SlotWatch) {
    this.world = world;
    this.watch = watch;
    const { scenario, classOf, clients } = world;
    const [up, down] = [world.up, world.down].map((rates) => Float64Array.from(classOf, (of) => rates[of]!));
    const { nodes, gossip, client, seed } = scenario;
    const load = new Float64Array(nodes).fill(1);
    this.everybody = Int32Array.from({ length: nodes }, (_, node) => node);
    const network = world.network(this.everybody);
    const setting = { nodes: { up: up!, down: down!, load, clients }, network, gossip, client };
    const costs = batchCostsOf(world);
    const run = new GossipRun({ ...setting, costs, isPlain: world.post !== undefined }, seed);
    this.run = run;
    this.subnets = world.subnets.map((members) => run.addTopic(members));
    this.committeeTopics = world.committeeTopics.map((members) => run.addTopic(members));
    this.global = run.addTopic(world.post?.present ?? this.everybody);
    this.#loads = scenario.links.map(() => noLoad);
    run.onVerified = (message, node, atUs) => this.#meanings[message]!(node, atUs);
    run.onAct = (action) => this.#actions[action]!();
  }

  /** The next slot, with what the one before has left to links and cores. Duties are the same in all. */
  next(number: number): SlotRun {
    const slot = this.begin(number);
    this.run.run(slot.atUs(this.world.system.blockMs));
    return this.end(slot);
  }

  begin(number: number): SinglySlot {
    const slot = new SinglySlot(this, number);
    slot.begin();
    return slot;
  }

  end(slot: SinglySlot): SlotRun {
    const { run } = this;
    slot.tell();
    const before = { loads: this.#loads, dropped: this.#dropped, events: this.#events };
    this.#loads = loadsByClass(this.world, run, this.everybody);
    this.#dropped = run.dropped;
    this.#events = run.events;
    return {
      sets: slot.sets,
      observers: this.everybody,
      verifiedUs: slot.verifiedUs,
      delays: slot.delays(),
      arrivals: this.watch === undefined ? slot.arrivals() : [],
      loads: this.#loads.map((load, index) => sumOf([load, scaled(before.loads[index]!, -1)])),
      layerLoads: {},
      unfinished: [],
      dropped: run.dropped - before.dropped,
      backlog: undefined,
      events: run.events - before.events,
    };
  }

  publish(atUs: number, place: number, message: GossipMessage, onVerified: OnVerified): number {
    const number = this.run.publish(atUs, this.world.nodeAt[place]!, message);
    this.#meanings[number] = onVerified;
    return number;
  }

  at(atUs: number, act: () => void): void {
    this.run.at(atUs, this.#actions.push(act) - 1);
  }
}

/** A validator with a duty, by its place, and what its node has verified for it. */
interface HeldDuty<Had> {
  readonly place: number;
  readonly had: Had;
}

/** Duties of a group by the node that does them. */
type Duties<Had> = ReadonlyMap<number, readonly HeldDuty<Had>[]>;

/** An aggregate or a collection of a group. */
interface Alike {
  readonly message: number;
  readonly bits: MemberSet;
}

/** One slot, message by message: what validators do with what their nodes verify. */
class SinglySlot {
  readonly sets: PublishedSet[] = [];
  /** By set and node, since the slot began. */
  readonly verifiedUs: Int32Array[] = [];
  readonly #slot: EveryMessageRun;
  readonly #number: number;
  readonly #startUs: number;
  readonly #sent: { readonly message: number; readonly atUs: number; readonly layer: number }[] = [];
  readonly #votes: { readonly subnet: number; readonly message: number; readonly places: readonly number[] }[] = [];
  readonly #aggregates: AuthoredSet[] = [];
  readonly #aggregators: readonly Duties<MemberSet>[];
  readonly #collectors: readonly Duties<BestSets>[];

  constructor(slot: EveryMessageRun, number: number) {
    const { system, subcommittees, collectors, nodeAt } = slot.world;
    this.#slot = slot;
    this.#number = number;
    this.#startUs = 1000 * system.slotMs * number;
    this.#aggregators = subcommittees.map(({ members, aggregators }) =>
      dutiesByNode(aggregators, nodeAt, () => emptySet(members)),
    );
    this.#collectors = collectors.map((places, committee) =>
      dutiesByNode(places, nodeAt, (place) => new BestSets(slot.world, committee, place)),
    );
  }

  /** Of the run, from a time since the slot began. */
  atUs(ms: number): number {
    return this.#startUs + 1000 * ms;
  }

  begin(): void {
    const { world } = this.#slot;
    if (world.system.gathering === 'handel') {
      for (const { place, set, members } of gatherByHandel(world).published) {
        this.#publishGlobal({ place, set: { ...set, sentUs: set.sentUs + this.#startUs }, members });
      }
      return;
    }
    this.#castVotes();
    const aggregators = world.subcommittees.flatMap((of) => of.aggregators);
    for (const us of this.#timesOf(aggregators, 'aggregateUs')) this.#slot.at(us, () => this.#aggregate(us));
    const collectors = world.collectors.flat();
    for (const us of this.#timesOf(collectors, 'collectUs')) this.#slot.at(us, () => this.#collect(us));
  }

  delays(): SlotRun['delays'] {
    const { system } = this.#slot.world;
    const dueUs = [system.aggregateMs, system.collectMs, system.blockMs].map((ms) => this.atUs(ms));
    const delays = layers.map(() => new DelayCollector());
    for (const { message, atUs, layer } of this.#sent) {
      if (atUs >= dueUs[layer]!) continue;
      for (const at of this.#slot.run.hadUs(message)) if (at !== atUs) delays[layer]!.add(atUs, at, dueUs[layer]!);
    }
    return Object.fromEntries(
      layers.flatMap((layer, index) => {
        const result = delays[index]!.result();
        return result === undefined ? [] : [[layer, result]];
      }),
    );
  }

  /** Of each subnet, when its nodes had verified its votes. */
  arrivals(): SubnetArrivals[] {
    const { run, subnets, world } = this.#slot;
    return subnets.map((topic, subnet) => ({
      subnet,
      members: run.members(topic),
      votes: this.#votes
        .filter((one) => one.subnet === subnet)
        .map(({ message, places }) => ({
          places,
          node: world.nodeAt[places[0]!]!,
          castUs: world.castUs[world.nodeAt[places[0]!]!]!,
          verifiedUs: run.verifiedUs(message).map((at) => (at === -1 ? -1 : at - this.#startUs)),
        })),
    }));
  }

  /** Tells who watches what became of the messages. */
  tell(): void {
    const { run, watch, subnets, committeeTopics, global } = this.#slot;
    if (watch === undefined) return;
    for (const { message, atUs, layer } of this.#sent) {
      watch.verified(layers[layer]!, atUs, run.verifiedUs(message));
    }
    for (const [layer, topics] of [subnets, committeeTopics, [global]].entries()) {
      const missing = topics.reduce((sum, topic) => sum + run.missingPeers(topic), 0);
      watch.missingPeers(layers[layer]!, missing / Math.max(1, topics.length));
    }
  }

  /** When these act, each time once: Eve's may do so at times of her own. */
  #timesOf(places: readonly number[], what: 'aggregateUs' | 'collectUs'): Set<number> {
    return new Set(places.map((place) => this.#actsUs(place, what)));
  }

  #actsUs(place: number, what: 'attestUs' | 'aggregateUs' | 'collectUs'): number {
    const { roles, post } = this.#slot.world;
    return this.#startUs + roles.of(place).clock[what] + (post?.lateUs[place] ?? 0);
  }

  /** The votes of one node leave one after another, in no order. */
  #castVotes(): void {
    const { world } = this.#slot;
    const ballots = world.subcommittees.flatMap((_, group) =>
      ballotsOf(world, group).map((ballot) => ({ group, ballot })),
    );
    for (const index of shuffle(ballots.length, world.scenario.seed + this.#number, 'order of votes')) {
      const { group, ballot } = ballots[index]!;
      this.#vote(group, ballot);
    }
  }

  #vote(group: number, { node, members, message }: Ballot): void {
    const { world, subnets, watch } = this.#slot;
    const { start } = world.subcommittees[group]!;
    const places = members.map((member) => start + member);
    const atUs = this.#startUs + world.castUs[node]!;
    for (const place of places) watch?.published('subnets', place, undefined, atUs);
    const of = { ...message, topic: subnets[group]!, together: 1 };
    const number = this.#publish(0, atUs, places[0]!, of, (at, verifiedUs) => {
      for (const { place, had } of this.#aggregators[group]!.get(at) ?? []) {
        for (const member of members) addMember(had, member);
        if (watch !== undefined) for (const vote of places) watch.seen(vote, place, verifiedUs);
      }
    });
    this.#votes.push({ subnet: group, message: number, places });
  }

  /** Those send their aggregates for whom it is time. */
  #aggregate(atUs: number): void {
    const { world } = this.#slot;
    const isGlobal = topicOfAggregates(this.#collectors.length > 0) === HornTopic.global;
    world.subcommittees.forEach(({ members }, group) => {
      const alike: Alike[] = [];
      for (const { place, had } of inOrder(this.#aggregators[group]!)) {
        const role = world.roles.of(place);
        if (this.#actsUs(place, 'aggregateUs') !== atUs) continue;
        // Votes verified from now on are not included.
        const bits = role.aggregate(had).slice();
        const weight = sizeOf(bits);
        if (weight === 0) continue;
        const set = { group, sentUs: atUs, weight, bits };
        const aggregate = { place, set, members };
        const message = isGlobal ? this.#publishGlobal(aggregate) : this.#toCollectors(aggregate);
        alike.push({ message, bits });
      }
      this.#cover(alike);
    });
  }

  #toCollectors(aggregate: AuthoredSet): number {
    const { world, committeeTopics, watch } = this.#slot;
    const { place, set, members } = aggregate;
    watch?.published('committees', place, set, set.sentUs);
    const number = this.#aggregates.push(aggregate) - 1;
    const committee = Math.floor(set.group / world.system.subcommittees);
    const message = aggregateMessage(world, members, set.weight, Priority.committee);
    const topic = committeeTopics[committee]!;
    return this.#publish(1, set.sentUs, place, { ...message, topic, together: 1 }, (node) => {
      for (const { had } of this.#collectors[committee]!.get(node) ?? []) had.take(number, this.#aggregates);
    });
  }

  /** Those send their collections for whom it is time. */
  #collect(atUs: number): void {
    this.#collectors.forEach((byNode, committee) => {
      const alike: Alike[] = [];
      for (const { place, had } of inOrder(byNode)) {
        if (this.#actsUs(place, 'collectUs') !== atUs) continue;
        const { bits, weight, members } = had.join(this.#aggregates);
        if (weight === 0) continue;
        const set = { group: committee, sentUs: atUs, weight, bits };
        alike.push({ message: this.#publishGlobal({ place, set, members }), bits });
      }
      this.#cover(alike);
    });
  }

  #publishGlobal({ place, set, members }: AuthoredSet): number {
    const { world, global, watch } = this.#slot;
    watch?.published('global', place, set, set.sentUs);
    const of = new Int32Array(world.scenario.nodes).fill(-1);
    this.sets.push({ ...set, sentUs: set.sentUs - this.#startUs });
    this.verifiedUs.push(of);
    const message = aggregateMessage(world, members, set.weight, Priority.global);
    return this.#publish(2, set.sentUs, place, { ...message, topic: global, together: 1 }, (node, atUs) => {
      of[node] = atUs - this.#startUs;
    });
  }

  #publish(layer: number, atUs: number, place: number, message: GossipMessage, onVerified: OnVerified): number {
    const number = this.#slot.publish(atUs, place, message, onVerified);
    this.#sent.push({ message: number, atUs, layer });
    return number;
  }

  /** Tells the run which of a group's aggregates have all that others of it have. */
  #cover(alike: readonly Alike[]): void {
    const { run, world } = this.#slot;
    if (world.scenario.client.ignoresCovered !== true) return;
    for (const { message, bits } of alike) {
      const by = alike.filter((other) => other.message !== message && sizeBeyond(bits, other.bits) === 0);
      run.cover(
        message,
        by.map((other) => other.message),
      );
    }
  }
}

function dutiesByNode<Had>(places: readonly number[], nodeAt: Int32Array, create: (place: number) => Had): Duties<Had> {
  const byNode = new Map<number, HeldDuty<Had>[]>();
  for (const place of places) {
    const node = nodeAt[place]!;
    const duties = byNode.get(node) ?? [];
    duties.push({ place, had: create(place) });
    byNode.set(node, duties);
  }
  return byNode;
}

function inOrder<Had>(byNode: Duties<Had>): HeldDuty<Had>[] {
  return [...byNode.values()].flat().sort((a, b) => a.place - b.place);
}
