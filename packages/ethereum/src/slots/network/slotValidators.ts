import { type Contribution, shuffle } from '@tutti/core';
import { Duty, HornNode, type HornPort, HornTimer, HornTopic, hasMember, type ValidatorRole } from '@tutti/core/horn';
import { type Ballot, ballotsOf } from './messageKinds.ts';
import { addTo, type SlotMessages } from './slotMessages.ts';
import type { AuthoredSet } from './slotRun.ts';
import type { TopicNetwork } from './topicNetwork.ts';
import { VoteScheme } from './voteScheme.ts';

/** A validator's node and place. */
interface Validator {
  readonly place: number;
  readonly node: HornNode;
}

/** Validators of a group with the same duty, by machine. */
type ByMachine = Map<number, Validator[]>;

/** Validators of one slot: a {@link HornNode} for each validator that votes or is elected. */
export class SlotValidators {
  readonly #network: TopicNetwork;
  readonly #messages: SlotMessages;
  readonly #scheme: VoteScheme;
  /** Aggregators of each subcommittee. */
  readonly #aggregators: readonly ByMachine[];
  /** Collectors of each committee. */
  readonly #collectors: readonly ByMachine[];
  /** Nodes of each subcommittee, by member; undefined for members without a vote or a duty. */
  readonly #nodes: readonly (readonly (HornNode | undefined)[])[];
  /** Nodes that act by timer and time, in the order of their places. */
  readonly #timers = new Map<number, Map<number, HornNode[]>>();
  /** Time of the actions that are being performed, µs since the slot began. */
  #nowUs = 0;
  /** Votes of the ballot that is currently being cast. */
  #cast: Contribution[] = [];

  constructor(network: TopicNetwork, messages: SlotMessages) {
    const { world } = network;
    this.#network = network;
    this.#messages = messages;
    this.#scheme = new VoteScheme(world);
    this.#aggregators = world.subcommittees.map(() => new Map());
    this.#collectors = world.collectors.map(() => new Map());
    this.#nodes = world.subcommittees.map(({ start, members }, group) =>
      Array.from({ length: members }, (_, member) => this.#createNode(group, start + member)),
    );
  }

  /**
   * Schedules the votes and the actions of aggregators and collectors.
   *
   * @param seed seed of the order of votes.
   */
  start(seed: number): void {
    for (const node of this.#nodes.flat()) node?.start();
    this.#castVotes(seed);
    // If actions are simultaneous, aggregators act before collectors.
    for (const timer of [HornTimer.aggregate, HornTimer.collect]) {
      for (const [us, acting] of this.#timers.get(timer) ?? []) {
        this.#network.at(this.#messages.startUs + us, () => {
          this.#nowUs = us;
          for (const node of acting) node.onTimer(timer);
        });
      }
    }
  }

  /** Creates the node of a validator, or returns undefined if it neither votes nor is elected. */
  #createNode(group: number, place: number): HornNode | undefined {
    const { world } = this.#network;
    const { start, casts, aggregators } = world.subcommittees[group]!;
    const committee = this.#committeeOf(group);
    const isAggregator = aggregators.includes(place);
    const isCollector = world.collectors[committee]?.includes(place) ?? false;
    const isVoter = hasMember(casts, place - start);
    if (!isAggregator && !isCollector && !isVoter) return undefined;
    const { subcommitteeOrder, committeeOrder } = this.#scheme;
    const machine = world.nodeAt[place]!;
    const role = this.#roleOf(group, place);
    const lateUs = world.post?.lateUs[place] ?? 0;
    const own = this.#scheme.vote(group, place - start);
    const node: HornNode = new HornNode({
      id: place,
      scheme: this.#scheme,
      subcommitteeOrder,
      committeeOrder,
      collects: this.#collectors.length > 0,
      casts: isVoter,
      duties: (isAggregator ? Duty.aggregator : 0) | (isCollector ? Duty.collector : 0),
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
    if (isAggregator) addTo(this.#aggregators[group]!, machine, { place, node });
    if (isCollector) addTo(this.#collectors[committee]!, machine, { place, node });
    return node;
  }

  #committeeOf(group: number): number {
    return Math.floor(group / this.#network.world.system.subcommittees);
  }

  /** Returns a validator's role, with leaves instead of places. */
  #roleOf(group: number, place: number): ValidatorRole {
    const { roles, subcommittees } = this.#network.world;
    const role = roles.of(place);
    if (!roles.isEve(place)) return role;
    const words = (subcommittees[group]!.members + 31) >>> 5;
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
        addTo(byTime, delayUs, node());
      },
      publish: (topic, aggregate) => {
        if (topic === HornTopic.subnet) this.#cast.push(aggregate);
        else if (topic === HornTopic.committee) this.#toCollectors(place, aggregate, own);
        else this.#messages.publishGlobal(this.#authored(place, aggregate));
      },
      collude: (block, members) => this.#scheme.ofMembers(block, members),
    };
  }

  /**
   * Schedules the votes before any message is handled, because votes depend on no message. The votes of one machine
   * leave one after another, in random order.
   */
  #castVotes(seed: number): void {
    const { world } = this.#network;
    const ballots = world.subcommittees.flatMap((_, group) =>
      ballotsOf(world, group).map((ballot) => ({ group, ballot })),
    );
    for (const index of shuffle(ballots.length, seed, 'order of votes')) {
      const { group, ballot } = ballots[index]!;
      this.#cast = [];
      for (const member of ballot.members) this.#nodes[group]![member]!.onTimer(HornTimer.attest);
      this.#toAggregators(group, ballot, this.#cast);
    }
  }

  /** Publishes votes for the aggregators of their subcommittee. */
  #toAggregators(group: number, ballot: Ballot, votes: readonly Contribution[]): void {
    const { watch } = this.#messages;
    const { start } = this.#network.world.subcommittees[group]!;
    const places = ballot.members.map((member) => start + member);
    const aggregators = this.#aggregators[group]!;
    this.#messages.publishVotes(group, ballot, places, (machine, verifiedUs) => {
      for (const { place, node } of aggregators.get(machine) ?? []) {
        for (const vote of votes) deliver(node, HornTopic.subnet, vote, vote);
        if (watch !== undefined)
          for (const vote of places) watch.seen(vote, place, verifiedUs - this.#messages.startUs);
      }
    });
  }

  /** Publishes an aggregate for the collectors of its committee. */
  #toCollectors(place: number, aggregate: Contribution, author: Contribution): void {
    this.#scheme.retain(aggregate);
    const authored = this.#authored(place, aggregate);
    const collectors = this.#collectors[this.#committeeOf(authored.set.group)]!;
    this.#messages.publishAggregate(authored, (machine) => {
      for (const { node } of collectors.get(machine) ?? []) deliver(node, HornTopic.committee, aggregate, author);
    });
  }

  /** Returns the set of votes in an aggregate or a collection that a validator sends now. */
  #authored(place: number, aggregate: Contribution): AuthoredSet {
    const { group, members, bits } = this.#scheme.groupSetOf(aggregate);
    return { place, set: { group, sentUs: this.#nowUs, weight: this.#scheme.weight(aggregate), bits }, members };
  }
}

/** Delivers a message to a validator after its machine has verified the message. */
function deliver(node: HornNode, topic: HornTopic, aggregate: Contribution, author: Contribution): void {
  const refusal = node.onMessage(topic, aggregate, author);
  if (refusal !== undefined) throw new Error(`validator: expected a message in the form of its topic, got ${refusal}`);
}
