import { RandomStream } from '@tutti/core';
import {
  addMember,
  collectionOf,
  Duty,
  emptySet,
  HornTopic,
  keepBest,
  noAggregate,
  sizeOf,
} from '@tutti/core/internal/horn';
import { verificationUs } from '../horn/costs/verification.ts';
import { Arrivals } from './arrivals.ts';
import { ArrivalTable } from './arrivalTable.ts';
import type { SlotEngine } from './engine.ts';
import { Reach, wordsOf } from './reach.ts';
import type { Roles } from './roles.ts';
import { SlotLog } from './slotLog.ts';
import type { SlotScenario } from './slotScenario.ts';
import { rolesOf, type SlotWorld } from './slotWorld.ts';
import type { VoteSets } from './voteSets.ts';

/**
 * A slot with too many messages to play them singly. Votes, elections, clocks, aggregates, collections and
 * verifications are all played; but the time at which a message first reaches a node that waits for it is drawn
 * independently from an {@link ArrivalTable}. It is drawn only for aggregators, collectors, and some full nodes, the
 * proposer first among them. Each verifies in order of arrival.
 *
 * What is still to be verified on one topic when the next one's messages come delays these, at their receiver and on
 * their way.
 */
export class StatisticalSlot implements SlotEngine {
  readonly world: SlotWorld;
  readonly log: SlotLog;
  readonly #scenario: SlotScenario;
  readonly #roles: Roles;
  /** Honest voters. */
  readonly #counted: Int32Array;
  readonly #observers: readonly number[];
  readonly #random: RandomStream;
  readonly #steps: readonly (() => void)[];
  #next = 0;

  /** @param observers full nodes that are watched, at most; all where there are no more. */
  constructor(scenario: SlotScenario, world: SlotWorld, observers: number) {
    this.world = world;
    this.log = new SlotLog(world);
    this.#scenario = scenario;
    this.#roles = rolesOf(scenario, world);
    this.#random = new RandomStream(scenario.seed, 'arrivals');
    this.#counted = wordsOf(this.log.globalSets(world), world.alive.subarray(0, world.voters));
    this.#observers = chooseObservers(world, observers, scenario.seed);
    const committees = Array.from({ length: world.votingCommittees }, (_, committee) => committee);
    this.#steps = [
      () => this.#drawVotes(),
      ...committees.map((committee) => () => this.#aggregate(committee)),
      ...(world.collects ? committees.map((committee) => () => this.#collect(committee)) : []),
      ...this.#observers.map((place, index) => () => this.#observe(place, index === 0)),
      () => this.#countCopies(),
    ];
  }

  get progress(): number {
    return this.#next / this.#steps.length;
  }

  advance(maxSteps: number): boolean {
    for (let left = maxSteps; left > 0 && this.#next < this.#steps.length; left--) this.#steps[this.#next++]!();
    return this.#next < this.#steps.length;
  }

  #drawVotes(): void {
    const { voters, casts, lateUs, clock } = this.world;
    for (let place = 0; place < voters; place++) {
      if (casts[place] === 1) this.log.castUs[place] = clock.attestUs + lateUs[place]!;
    }
  }

  /** When members are done, on average, with what they had received on a topic when the next one begins. */
  readonly #doneUs = { [HornTopic.subnet]: new MeanUs(), [HornTopic.committee]: new MeanUs() };

  /** When a message arrives: whoever passes it on first has to finish the previous topic. */
  #arrivalUs(table: ArrivalTable, sentUs: number, busyUs: number): number {
    return Math.max(sentUs, busyUs - table.firstHopUs) + table.drawUs(this.#random);
  }

  readonly #tables: (ArrivalTable | undefined)[] = [];

  /**
   * @param bits of a bitfield on the topic, of which the present voters' are taken to be set. @param burst messages on
   * one such topic.
   */
  #table(topic: HornTopic, members: number, bits: number, burst: number): ArrivalTable {
    const { degree, network, tor, seed, desyncMs } = this.#scenario;
    const presentShare = this.world.presentCount / this.world.present.length;
    this.#tables[topic] ??= new ArrivalTable({
      members: Math.max(1, Math.round(members * presentShare)),
      degree,
      network,
      tor,
      costUs: this.#costUs(bits, bits * presentShare),
      burst,
      spreadUs: desyncMs * 1000,
      seed,
    });
    return this.#tables[topic];
  }

  /** Of those who could vote in this slot, the share who do. */
  #castShare(): number {
    const { casts, voters } = this.world;
    return casts.reduce((count, one) => count + one, 0) / voters;
  }

  /** How many of these sets are sent at the same time, most of all: Eve may have hers sent later. */
  #together(sets: VoteSets, which: readonly number[]): number {
    const late = this.#late(sets, which).length;
    return Math.max(late, which.length - late);
  }

  #late(sets: VoteSets, which: readonly number[]): number[] {
    return which.filter((set) => this.#roles.isLate(sets.author(set)));
  }

  #costUs(members: number, weight: number): number {
    return verificationUs(members, weight, this.#scenario);
  }

  #aggregate(committee: number): void {
    const { subcommittee, subcommittees } = this.world;
    const table = this.#table(HornTopic.subnet, subcommittee, 1, Math.round(subcommittee * this.#castShare()));
    const arrivals = new Arrivals(subcommittee);
    for (let index = 0; index < subcommittees; index++) {
      this.#aggregateSubcommittee((committee * subcommittees + index) * subcommittee, table, arrivals);
    }
  }

  #aggregateSubcommittee(start: number, table: ArrivalTable, arrivals: Arrivals): void {
    const { subcommittee, present, alive, casts, duties, lateUs, clock } = this.world;
    const { castUs, seenUs, aggregates, digest } = this.log;
    const tally = this.log.topic(HornTopic.subnet);
    const costUs = this.#costUs(1, 1);
    const end = start + subcommittee;
    const done = this.#doneUs[HornTopic.subnet];
    for (let place = start; place < end; place++) tally.published += casts[place]!;
    for (let aggregator = start; aggregator < end; aggregator++) {
      if (present[aggregator] === 0 || (duties[aggregator]! & Duty.aggregator) === 0) continue;
      const role = this.#roles.of(aggregator);
      const isHonest = alive[aggregator] === 1;
      const deadlineUs = role.clock.aggregateUs + lateUs[aggregator]!;
      const verified = emptySet(subcommittee);
      const take = (member: number, atUs: number): void => {
        const place = start + member;
        if (isHonest && (seenUs[place] === -1 || atUs < seenUs[place]!)) seenUs[place] = atUs;
        if (atUs <= deadlineUs) addMember(verified, member);
      };
      arrivals.clear();
      for (let place = start; place < end; place++) {
        if (casts[place] === 0) continue;
        if (place === aggregator) take(place - start, castUs[place]!);
        else arrivals.add(castUs[place]! + table.drawUs(this.#random), place - start);
      }
      const doneUs = arrivals.verify(
        () => costUs,
        (member, atUs) => {
          tally.delay.add(atUs - castUs[start + member]!);
          tally.pace.add(atUs);
          take(member, atUs);
        },
        0,
        clock.aggregateUs,
      );
      done.add(doneUs);
      if (done.mean > clock.aggregateUs) this.log.overloaded.add(HornTopic.subnet);
      const bits = role.aggregate(verified);
      const weight = sizeOf(bits);
      if (weight === 0) continue;
      aggregates.add(aggregator, deadlineUs, weight, bits);
      digest.add(aggregator, weight);
    }
  }

  #collect(committee: number): void {
    const { present, duties, lateUs, clock, subcommittee, subcommittees } = this.world;
    const { aggregates, collections, digest } = this.log;
    const size = this.world.committee;
    const tally = this.log.topic(HornTopic.committee);
    const of: number[] = [];
    for (let index = 0; index < aggregates.count; index++) {
      if (Math.floor(aggregates.author(index) / size) === committee) of.push(index);
    }
    tally.published += of.length;
    const table = this.#table(HornTopic.committee, size, subcommittee, this.#together(aggregates, of));
    const arrivals = new Arrivals(aggregates.count);
    const busyUs = this.#doneUs[HornTopic.subnet].mean;
    for (let place = committee * size; place < (committee + 1) * size; place++) {
      if (present[place] === 0 || (duties[place]! & Duty.collector) === 0) continue;
      const role = this.#roles.of(place);
      const deadlineUs = role.clock.collectUs + lateUs[place]!;
      const best = new Int32Array(subcommittees).fill(noAggregate);
      const rank = (index: number): number => role.rank(aggregates.author(index), aggregates.weight(index));
      const take = (index: number, atUs: number): void => {
        if (atUs <= deadlineUs) keepBest(best, aggregates.group(index) % subcommittees, index, rank);
      };
      arrivals.clear();
      for (const index of of) {
        if (aggregates.author(index) === place) take(index, aggregates.sentUs(index));
        else arrivals.add(this.#arrivalUs(table, aggregates.sentUs(index), busyUs), index);
      }
      const doneUs = arrivals.verify(
        (index) => this.#costUs(subcommittee, aggregates.weight(index)),
        (index, atUs) => {
          tally.delay.add(atUs - aggregates.sentUs(index));
          tally.pace.add(atUs);
          take(index, atUs);
        },
        busyUs,
        clock.collectUs,
      );
      const done = this.#doneUs[HornTopic.committee];
      done.add(doneUs);
      if (done.mean > clock.collectUs) this.log.overloaded.add(HornTopic.committee);
      const bits = collectionOf(
        role,
        place % size,
        best,
        emptySet(size),
        (index) => index * subcommittee,
        (set) => aggregates.bits(set),
      );
      const weight = sizeOf(bits);
      if (weight === 0) continue;
      collections.add(place, deadlineUs, weight, bits);
      digest.add(place, weight);
    }
  }

  #observe(place: number, isProposer: boolean): void {
    const { present, globalMembers, threshold, subcommittee, committee, votingCommittees, collects, clock } =
      this.world;
    const { aggregates, reachUs, arrivals: verified, digest } = this.log;
    const sets = this.log.globalSets(this.world);
    const tally = this.log.topic(HornTopic.global);
    const all = [...Array(sets.count).keys()];
    // Late aggregates come when collections do, and everybody in the committee verifies them in between.
    const late = collects ? this.#late(aggregates, [...Array(aggregates.count).keys()]) : [];
    const burst = this.#together(sets, all) + Math.round(late.length / votingCommittees);
    const table = this.#table(HornTopic.global, present.length, globalMembers, burst);
    const between = late.filter(
      (index) => Math.floor(aggregates.author(index) / committee) === Math.floor(place / committee),
    );
    const reach = new Reach(sets, this.#counted);
    let reached = -1;
    const take = (set: number, atUs: number): void => {
      reach.add(
        set,
        isProposer
          ? (vote) => {
              reachUs[vote] = atUs;
            }
          : undefined,
      );
      if (reached === -1 && reach.votes >= threshold) reached = atUs;
      if (!isProposer) return;
      verified.push({ set, atUs });
      digest.add(set, atUs);
    };
    const own: number[] = [];
    const busyUs = this.#doneUs[collects ? HornTopic.committee : HornTopic.subnet].mean;
    const arrivals = new Arrivals(sets.count + between.length);
    for (let set = 0; set < sets.count; set++) {
      if (sets.author(set) === place) own.push(set);
      else arrivals.add(this.#arrivalUs(table, sets.sentUs(set), busyUs), set);
    }
    between.forEach((index, number) => {
      arrivals.add(
        aggregates.sentUs(index) + this.#tables[HornTopic.committee]!.drawUs(this.#random),
        sets.count + number,
      );
    });
    for (const set of own) take(set, sets.sentUs(set));
    const doneUs = arrivals.verify(
      (set) =>
        set < sets.count
          ? this.#costUs(globalMembers, sets.weight(set))
          : this.#costUs(subcommittee, aggregates.weight(between[set - sets.count]!)),
      (set, atUs) => {
        if (set >= sets.count) return;
        tally.delay.add(atUs - sets.sentUs(set));
        tally.pace.add(atUs);
        take(set, atUs);
      },
      busyUs,
      clock.endUs,
    );
    if (isProposer && doneUs > clock.endUs) this.log.overloaded.add(HornTopic.global);
    this.log.watched++;
    if (reached !== -1) this.log.reachedUs.push(reached);
  }

  #countCopies(): void {
    const { present, presentCount, subcommittee, committee } = this.world;
    const { log } = this;
    log.topic(HornTopic.global).published = log.globalSets(this.world).count;
    const members = { subnet: subcommittee, committee, global: present.length };
    for (const name of ['subnet', 'committee', 'global'] as const) {
      const tally = log.topic(HornTopic[name]);
      const table = this.#tables[HornTopic[name]];
      if (table === undefined) continue;
      const receivers = (members[name] * presentCount) / present.length - 1;
      tally.copies = Math.round(tally.published * table.copies * receivers);
      tally.checked = Math.round(tally.published * receivers);
    }
  }
}

/** A mean time, in whole microseconds; 0 if there is none. */
class MeanUs {
  #sumUs = 0;
  #count = 0;

  add(us: number): void {
    this.#sumUs += us;
    this.#count++;
  }

  get mean(): number {
    return Math.round(this.#sumUs / Math.max(1, this.#count));
  }
}

/** The proposer, then others that are honest and live, by seed. */
function chooseObservers({ alive, live, proposer }: SlotWorld, most: number, seed: number): number[] {
  const chosen = new Set([proposer]);
  const random = new RandomStream(seed, 'observers');
  if (most >= live) {
    for (let place = 0; place < alive.length; place++) if (alive[place] === 1) chosen.add(place);
  }
  while (chosen.size < Math.min(most, live)) {
    const place = random.nextBelow(alive.length);
    if (alive[place] === 1) chosen.add(place);
  }
  return [...chosen];
}
