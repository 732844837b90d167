import { type Contribution, shuffle } from '@tutti/core';
import {
  Duty,
  HornNode,
  type HornPort,
  HornTimer,
  HornTopic,
  hasMember,
  type MemberSet,
  sizeBeyond,
  type ValidatorRole,
} from '@tutti/core/horn';
import { isUnfinished } from './burdens.ts';
import { GossipRun } from './gossipRun.ts';
import { type GossipMessage, maxTimeUs, Priority } from './gossipState.ts';
import { gatherByHandel } from './handelGathering.ts';
import { type LayerLoad, loadsByClass, noLoad, scaled, sumOf } from './loads.ts';
import { aggregateMessage, type Ballot, ballotsOf, batchCostsOf } from './messageKinds.ts';
import type { NetworkWorld } from './networkWorld.ts';
import {
  type AuthoredSet,
  DelayCollector,
  type Layer,
  layers,
  type PublishedSet,
  type SlotRun,
  type SlotWatch,
  type SubnetArrivals,
} from './slotRun.ts';
import { VoteScheme } from './voteScheme.ts';

/**
 * Simulates every message of consecutive slots, with all topics at once. Duties are the same in all slots. The function
 * is suitable for a few hundred nodes and a few thousand votes.
 */
export function runEveryMessage(world: NetworkWorld, slots = 1, watch?: SlotWatch): SlotRun[] {
  const run = new EveryMessageRun(world, watch);
  return Array.from({ length: slots }, (_, slot) => run.next(slot));
}

type OnVerified = (node: number, atUs: number) => void;

/** Time between two pauses of a slot that is simulated in pieces, µs. */
const pieceUs = 2000;

/**
 * Simulates every message of one slot, in pieces, until no event is left. The function is for worlds with the post's
 * assumptions. Each piece yields the progress of the slot, 0 to 1.
 */
export function* runningEveryMessage(world: NetworkWorld, watch: SlotWatch): Generator<number, SlotRun> {
  const slots = new EveryMessageRun(world, watch);
  const endUs = 1000 * world.system.blockMs;
  const slot = slots.begin(0);
  for (let us = pieceUs; us < endUs; us += pieceUs) {
    slots.run.run(us);
    yield us / endUs;
  }
  slots.run.run(maxTimeUs);
  return slots.end(slot);
}

/** The network on which consecutive slots are simulated. */
class EveryMessageRun {
  readonly world: NetworkWorld;
  readonly watch: SlotWatch | undefined;
  readonly run: GossipRun;
  readonly allNodes: Int32Array;
  /** Topic numbers in the run. */
  readonly subnets: readonly number[];
  readonly committeeTopics: readonly number[];
  readonly global: number;
  /** Handlers of verified messages, by message. */
  readonly #onVerified: OnVerified[] = [];
  /** Handlers of actions, by number. */
  readonly #actions: (() => void)[] = [];
  #loads: readonly LayerLoad[];
  #dropped = 0;
  #copies = 0;
  #events = 0;

  constructor(world: NetworkWorld, watch?: SlotWatch) {
    this.world = world;
    this.watch = watch;
    const { scenario, classOf, clients } = world;
    const [up, down] = [world.up, world.down].map((rates) => Float64Array.from(classOf, (of) => rates[of]!));
    const { nodes, gossip, client, seed } = scenario;
    const load = new Float64Array(nodes).fill(1);
    this.allNodes = Int32Array.from({ length: nodes }, (_, node) => node);
    const network = world.network(this.allNodes);
    const setting = { nodes: { up: up!, down: down!, load, clients }, network, gossip, client };
    const costs = batchCostsOf(world);
    const run = new GossipRun({ ...setting, costs, isPlain: world.post !== undefined }, seed);
    this.run = run;
    this.subnets = world.subnets.map((members) => run.addTopic(members));
    this.committeeTopics = world.committeeTopics.map((members) => run.addTopic(members));
    this.global = run.addTopic(world.post?.present ?? this.allNodes);
    this.#loads = scenario.links.map(() => noLoad);
    run.onVerified = (message, node, atUs) => this.#onVerified[message]!(node, atUs);
    run.onAct = (action) => this.#actions[action]!();
  }

  /** Simulates the next slot, with the load that the previous slot has left on links and cores. */
  next(number: number): SlotRun {
    const slot = this.begin(number);
    const { aggregateMs, collectMs, blockMs, collectors, gathering } = this.world.system;
    const dueMs = { subnets: aggregateMs, committees: collectMs, global: blockMs };
    const used = gathering === 'handel' ? ['global'] : collectors === 0 ? ['subnets', 'global'] : layers;
    const unfinished = layers.filter((layer) => {
      if (!used.includes(layer)) return false;
      this.run.run(slot.atUs(dueMs[layer]));
      return isUnfinished(Array.from(this.allNodes, (node) => this.run.links.busyUs(node)));
    });
    return this.end(slot, unfinished);
  }

  /** Starts a slot. The caller runs the events, and then ends the slot. */
  begin(number: number): SinglySlot {
    const slot = new SinglySlot(this, number);
    slot.begin();
    return slot;
  }

  /** Returns the result of a slot whose events have been run. */
  end(slot: SinglySlot, unfinished: readonly Layer[] = []): SlotRun {
    const { run } = this;
    slot.reportProgress();
    const before = { loads: this.#loads, dropped: this.#dropped, copies: this.#copies, events: this.#events };
    this.#loads = loadsByClass(this.world, run.through(), this.allNodes);
    this.#dropped = run.costs.dropped;
    this.#copies = run.plainCopies;
    this.#events = run.events;
    return {
      sets: slot.sets,
      observers: this.allNodes,
      // During later slots, nodes may still verify sets of this slot.
      verifiedUs: slot.verifiedUs.map((us) => us.slice()),
      delays: slot.delays(),
      arrivals: this.watch === undefined ? slot.arrivals() : [],
      loads: this.#loads.map((load, index) => sumOf([load, scaled(before.loads[index]!, -1)])),
      layerLoads: {},
      unfinished,
      dropped: run.costs.dropped - before.dropped,
      copies: run.plainCopies - before.copies,
      backlog: undefined,
      events: run.events - before.events,
    };
  }

  publish(atUs: number, place: number, message: GossipMessage, onVerified: OnVerified): number {
    const number = this.run.publish(atUs, this.world.nodeAt[place]!, message);
    this.#onVerified[number] = onVerified;
    return number;
  }

  at(atUs: number, act: () => void): void {
    this.run.at(atUs, this.#actions.push(act) - 1);
  }
}

/** A validator's node and place. */
interface Validator {
  readonly place: number;
  readonly node: HornNode;
}

/** A published aggregate or collection. */
interface PublishedBits {
  readonly message: number;
  readonly bits: MemberSet;
}

/**
 * One slot, simulated message by message. The slot has a {@link HornNode} for each validator that votes or is elected.
 */
class SinglySlot {
  readonly sets: PublishedSet[] = [];
  /** Time of verification by set and node, µs since the slot began. */
  readonly verifiedUs: Int32Array[] = [];
  readonly #slot: EveryMessageRun;
  readonly #number: number;
  readonly #startUs: number;
  readonly #sent: { readonly message: number; readonly atUs: number; readonly layer: number }[] = [];
  readonly #votes: { readonly subnet: number; readonly message: number; readonly places: readonly number[] }[] = [];
  readonly #scheme: VoteScheme;
  /** Aggregators by subcommittee and machine. */
  readonly #aggregators: readonly Map<number, Validator[]>[];
  /** Collectors by committee and machine. */
  readonly #collectors: readonly Map<number, Validator[]>[];
  /** Validators by timer and time, in the order of their places. */
  readonly #timers = new Map<number, Map<number, HornNode[]>>();
  /** Time of the actions that are being performed, µs. */
  #nowUs = 0;
  /** Votes of the ballot that is currently being cast. */
  #cast: Contribution[] = [];
  /** Sets published at the current time, by the key of their layer and group. */
  readonly #simultaneous = new Map<number, PublishedBits[]>();

  constructor(slot: EveryMessageRun, number: number) {
    const { system, subcommittees, collectors } = slot.world;
    this.#slot = slot;
    this.#number = number;
    this.#startUs = 1000 * system.slotMs * number;
    this.#scheme = new VoteScheme(slot.world);
    this.#aggregators = subcommittees.map(() => new Map());
    this.#collectors = collectors.map(() => new Map());
  }

  /** Converts a time since the slot began, ms, to the run's time, µs. */
  atUs(ms: number): number {
    return this.#startUs + 1000 * ms;
  }

  /** Publishes Handel's results, or schedules the votes and the actions of aggregators and collectors. */
  begin(): void {
    const { world } = this.#slot;
    if (world.system.gathering === 'handel') {
      for (const { place, set, members } of gatherByHandel(world).published) {
        this.#publishGlobal({ place, set: { ...set, sentUs: set.sentUs + this.#startUs }, members });
      }
      return;
    }
    const nodes = world.subcommittees.map(({ start, members }, group) =>
      Array.from({ length: members }, (_, member) => this.#createValidator(group, start + member)),
    );
    for (const node of nodes.flat()) node?.start();
    this.#castVotes(nodes);
    // If actions are simultaneous, aggregators act before collectors.
    for (const timer of [HornTimer.aggregate, HornTimer.collect]) {
      for (const [us, acting] of this.#timers.get(timer) ?? []) {
        this.#slot.at(us, () => {
          this.#nowUs = us;
          this.#simultaneous.clear();
          for (const node of acting) node.onTimer(timer);
        });
      }
    }
  }

  /** Returns the delays of each layer's messages. Messages sent at or after their due time do not count. */
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

  /** Returns the times at which each subnet's nodes had verified its votes. */
  arrivals(): SubnetArrivals[] {
    const { run, world } = this.#slot;
    return world.subnets.map((members, subnet) => ({
      subnet,
      members,
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

  /** Reports the results of the messages to the observer. */
  reportProgress(): void {
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

  /** Creates the node of a validator, or returns undefined if it neither votes nor is elected. */
  #createValidator(group: number, place: number): HornNode | undefined {
    const { world } = this.#slot;
    const { start, casts, aggregators } = world.subcommittees[group]!;
    const committee = Math.floor(group / world.system.subcommittees);
    const isCollector = world.collectors[committee]?.includes(place) ?? false;
    const duties = (aggregators.includes(place) ? Duty.aggregator : 0) | (isCollector ? Duty.collector : 0);
    const isVoter = hasMember(casts, place - start);
    if (duties === 0 && !isVoter) return undefined;
    const scheme = this.#scheme;
    const machine = world.nodeAt[place]!;
    const role = this.#roleOf(group, place);
    const lateUs = world.post?.lateUs[place] ?? 0;
    const own = scheme.vote(group, place - start);
    const node: HornNode = new HornNode({
      id: place,
      scheme,
      subcommitteeOrder: scheme.subcommitteeOrder,
      committeeOrder: scheme.committeeOrder,
      collects: this.#collectors.length > 0,
      casts: isVoter,
      duties,
      clock: {
        attestUs: world.castUs[machine]!,
        aggregateUs: role.clock.aggregateUs + lateUs,
        collectUs: role.clock.collectUs + lateUs,
        endUs: role.clock.endUs,
      },
      role,
      own,
      port: this.#portOf(place, own, () => node),
    });
    if ((duties & Duty.aggregator) !== 0) addTo(this.#aggregators[group]!, machine, { place, node });
    if (isCollector) addTo(this.#collectors[committee]!, machine, { place, node });
    return node;
  }

  /** Returns a validator's role, with leaves instead of places. */
  #roleOf(group: number, place: number): ValidatorRole {
    const { world } = this.#slot;
    const role = world.roles.of(place);
    if (!world.roles.isEve(place)) return role;
    const words = (world.subcommittees[group]!.members + 31) >>> 5;
    return {
      clock: role.clock,
      collection: role.collection,
      aggregate: (verified) => role.aggregate(verified.subarray(0, words)),
      rank: (author, weight) => role.rank(this.#scheme.placeOf(author), weight),
    };
  }

  #portOf(place: number, own: Contribution, node: () => HornNode): HornPort {
    return {
      setTimer: (delayUs, timer) => {
        const byTime = this.#timers.get(timer) ?? new Map<number, HornNode[]>();
        this.#timers.set(timer, byTime);
        addTo(byTime, this.#startUs + delayUs, node());
      },
      publish: (topic, aggregate) => {
        if (topic === HornTopic.subnet) this.#cast.push(aggregate);
        else if (topic === HornTopic.committee) this.#toCollectors(place, aggregate, own);
        else this.#toAll(place, aggregate);
      },
      collude: (block, members) => this.#scheme.ofMembers(block, members),
    };
  }

  /**
   * Schedules the votes before any message is handled, because votes depend on no message. The votes of one node leave
   * one after another, in random order.
   */
  #castVotes(nodes: readonly (readonly (HornNode | undefined)[])[]): void {
    const { world } = this.#slot;
    const ballots = world.subcommittees.flatMap((_, group) =>
      ballotsOf(world, group).map((ballot) => ({ group, ballot })),
    );
    for (const index of shuffle(ballots.length, world.scenario.seed + this.#number, 'order of votes')) {
      const { group, ballot } = ballots[index]!;
      this.#cast = [];
      for (const member of ballot.members) nodes[group]![member]!.onTimer(HornTimer.attest);
      this.#vote(group, ballot, this.#cast);
    }
  }

  #vote(group: number, { node: machine, members, message }: Ballot, votes: readonly Contribution[]): void {
    const { world, subnets, watch } = this.#slot;
    const { start } = world.subcommittees[group]!;
    const places = members.map((member) => start + member);
    const atUs = this.#startUs + world.castUs[machine]!;
    for (const place of places) watch?.published('subnets', place, undefined, atUs);
    const of = { ...message, topic: subnets[group]!, together: 1 };
    const aggregators = this.#aggregators[group]!;
    const number = this.#publish(0, atUs, places[0]!, of, (at, verifiedUs) => {
      for (const { place, node } of aggregators.get(at) ?? []) {
        for (const vote of votes) take(node, HornTopic.subnet, vote, vote);
        if (watch !== undefined) for (const vote of places) watch.seen(vote, place, verifiedUs);
      }
    });
    this.#votes.push({ subnet: group, message: number, places });
  }

  /** Handles an aggregate that an aggregator publishes for its committee's collectors. */
  #toCollectors(place: number, aggregate: Contribution, author: Contribution): void {
    const { world, committeeTopics, watch } = this.#slot;
    const scheme = this.#scheme;
    scheme.retain(aggregate);
    const { group, members, bits } = scheme.aggregateOf(aggregate);
    const set = { group, sentUs: this.#nowUs, weight: scheme.weight(aggregate), bits };
    watch?.published('committees', place, set, set.sentUs);
    const committee = Math.floor(group / world.system.subcommittees);
    const message = aggregateMessage(world, members, set.weight, Priority.committee);
    const topic = committeeTopics[committee]!;
    const number = this.#publish(1, set.sentUs, place, { ...message, topic, together: 1 }, (machine) => {
      for (const { node } of this.#collectors[committee]!.get(machine) ?? [])
        take(node, HornTopic.committee, aggregate, author);
    });
    this.#cover(2 * group + 1, { message: number, bits });
  }

  /** Handles a set on the global topic, from a collector, or from an aggregator in systems without collectors. */
  #toAll(place: number, aggregate: Contribution): void {
    const scheme = this.#scheme;
    const isCollection = this.#collectors.length > 0;
    const { group, members, bits } = isCollection ? scheme.collectionOf(aggregate) : scheme.aggregateOf(aggregate);
    const set = { group, sentUs: this.#nowUs, weight: scheme.weight(aggregate), bits };
    this.#cover(2 * group, { message: this.#publishGlobal({ place, set, members }), bits });
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

  /**
   * Reports to the run which of a group's simultaneous sets contain all votes of another set.
   *
   * @param key key of the layer and group.
   */
  #cover(key: number, one: PublishedBits): void {
    const { run, world } = this.#slot;
    if (world.scenario.client.ignoresCovered !== true) return;
    const sets = addTo(this.#simultaneous, key, one);
    for (const { message, bits } of sets) {
      const by = sets.filter((other) => other.message !== message && sizeBeyond(bits, other.bits) === 0);
      run.cover(
        message,
        by.map((other) => other.message),
      );
    }
  }
}

/** Delivers a message to a node after its machine has verified the message. */
function take(node: HornNode, topic: HornTopic, aggregate: Contribution, author: Contribution): void {
  const refusal = node.onMessage(topic, aggregate, author);
  if (refusal !== undefined) throw new Error(`a node refuses what another published: ${refusal}`);
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): Value[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  list.push(value);
  return list;
}
