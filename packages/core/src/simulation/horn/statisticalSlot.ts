import { verificationUs } from '../../horn/costs/verification.ts';
import { Duty } from '../../horn/duties.ts';
import { HornTopic } from '../../horn/node.ts';
import { RandomStream } from '../../random.ts';
import { Arrivals } from './arrivals.ts';
import { ArrivalTable } from './arrivalTable.ts';
import type { SlotEngine } from './engine.ts';
import { Ledger } from './ledger.ts';
import { Reach } from './reach.ts';
import type { SlotScenario } from './slotScenario.ts';
import type { SlotWorld } from './slotWorld.ts';
import type { VoteSets } from './voteSets.ts';

/**
 * A slot at sizes at which its messages are too many to play singly. Votes, elections, clocks, aggregates, collections and what is verified
 * when are all played; but when a message first reaches one who waits for it is drawn from an {@link ArrivalTable}, by itself. Only those are
 * asked for it: aggregators, collectors, and some full nodes, the proposer first among them. Each verifies in order of arrival.
 */
export class StatisticalSlot implements SlotEngine {
  readonly world: SlotWorld;
  readonly ledger: Ledger;
  readonly #scenario: SlotScenario;
  readonly #observers: readonly number[];
  readonly #random: RandomStream;
  readonly #steps: readonly (() => void)[];
  #next = 0;

  /** @param observers full nodes that are watched, at most; all where there are no more. */
  constructor(scenario: SlotScenario, world: SlotWorld, observers: number) {
    this.world = world;
    this.ledger = new Ledger(world);
    this.#scenario = scenario;
    this.#random = new RandomStream(scenario.seed, 'arrivals');
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
    const { voters, alive, lateUs, clock } = this.world;
    for (let place = 0; place < voters; place++) {
      if (alive[place] === 1) this.ledger.castUs[place] = clock.attestUs + lateUs[place]!;
    }
  }

  readonly #tables: (ArrivalTable | undefined)[] = [];

  /** @param bits of a bitfield on the topic, of which the live voters' are taken to be set. @param burst messages on one such topic. */
  #table(topic: HornTopic, members: number, bits: number, burst: number): ArrivalTable {
    const { degree, network, tor, seed, desyncMs } = this.#scenario;
    const liveShare = this.world.live / this.world.alive.length;
    this.#tables[topic] ??= new ArrivalTable({
      members: Math.max(1, Math.round(members * liveShare)),
      degree,
      network,
      tor,
      costUs: this.#costUs(bits, bits * liveShare),
      burst,
      spreadUs: desyncMs * 1000,
      seed,
    });
    return this.#tables[topic];
  }

  #costUs(members: number, weight: number): number {
    return verificationUs(members, weight, this.#scenario);
  }

  #aggregate(committee: number): void {
    const { subcommittee, subcommittees } = this.world;
    const table = this.#table(HornTopic.subnet, subcommittee, 1, subcommittee);
    const arrivals = new Arrivals(subcommittee);
    for (let index = 0; index < subcommittees; index++) {
      this.#aggregateSubcommittee((committee * subcommittees + index) * subcommittee, table, arrivals);
    }
  }

  #aggregateSubcommittee(start: number, table: ArrivalTable, arrivals: Arrivals): void {
    const { subcommittee, alive, duties, lateUs, clock } = this.world;
    const { castUs, seenUs, aggregates, digest } = this.ledger;
    const tally = this.ledger.topic(HornTopic.subnet);
    const costUs = this.#costUs(1, 1);
    const end = start + subcommittee;
    for (let place = start; place < end; place++) tally.published += alive[place]!;
    for (let aggregator = start; aggregator < end; aggregator++) {
      if (alive[aggregator] === 0 || (duties[aggregator]! & Duty.aggregator) === 0) continue;
      const deadlineUs = clock.aggregateUs + lateUs[aggregator]!;
      const bits = new Int32Array(aggregates.words);
      let weight = 0;
      const take = (member: number, atUs: number): void => {
        const place = start + member;
        if (seenUs[place] === -1 || atUs < seenUs[place]!) seenUs[place] = atUs;
        if (atUs > deadlineUs) return;
        bits[member >>> 5]! |= 1 << (member & 31);
        weight++;
      };
      arrivals.clear();
      for (let place = start; place < end; place++) {
        if (alive[place] === 0) continue;
        if (place === aggregator) take(place - start, castUs[place]!);
        else arrivals.add(castUs[place]! + table.drawUs(this.#random), place - start);
      }
      arrivals.verify(
        () => costUs,
        (member, atUs) => {
          tally.delay.add(atUs - castUs[start + member]!);
          tally.pace.add(atUs);
          take(member, atUs);
        },
      );
      if (weight === 0) continue;
      aggregates.add(aggregator, deadlineUs, weight, bits);
      digest.add(aggregator, weight);
    }
  }

  #collect(committee: number): void {
    const { alive, duties, lateUs, clock, subcommittee, subcommittees } = this.world;
    const { aggregates, collections, digest } = this.ledger;
    const size = this.world.committee;
    const tally = this.ledger.topic(HornTopic.committee);
    const of: number[] = [];
    for (let index = 0; index < aggregates.count; index++) {
      if (Math.floor(aggregates.author(index) / size) === committee) of.push(index);
    }
    tally.published += of.length;
    const table = this.#table(HornTopic.committee, size, subcommittee, of.length);
    const arrivals = new Arrivals(aggregates.count);
    for (let place = committee * size; place < (committee + 1) * size; place++) {
      if (alive[place] === 0 || (duties[place]! & Duty.collector) === 0) continue;
      const deadlineUs = clock.collectUs + lateUs[place]!;
      const best = new Int32Array(subcommittees).fill(-1);
      const take = (index: number, atUs: number): void => {
        const group = aggregates.group(index) % subcommittees;
        const before = best[group]!;
        if (atUs > deadlineUs || (before !== -1 && aggregates.weight(index) <= aggregates.weight(before))) return;
        best[group] = index;
      };
      arrivals.clear();
      for (const index of of) {
        if (aggregates.author(index) === place) take(index, aggregates.sentUs(index));
        else arrivals.add(aggregates.sentUs(index) + table.drawUs(this.#random), index);
      }
      arrivals.verify(
        (index) => this.#costUs(subcommittee, aggregates.weight(index)),
        (index, atUs) => {
          tally.delay.add(atUs - aggregates.sentUs(index));
          tally.pace.add(atUs);
          take(index, atUs);
        },
      );
      const { bits, weight } = join(aggregates, best, collections.words);
      if (weight === 0) continue;
      collections.add(place, deadlineUs, weight, bits);
      digest.add(place, weight);
    }
  }

  #observe(place: number, isProposer: boolean): void {
    const { alive, globalMembers, voters, threshold } = this.world;
    const { reachUs, arrivals: verified, digest } = this.ledger;
    const sets = this.ledger.globalSets(this.world);
    const tally = this.ledger.topic(HornTopic.global);
    const table = this.#table(HornTopic.global, alive.length, globalMembers, sets.count);
    const reach = new Reach(sets, voters);
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
    const arrivals = new Arrivals(sets.count);
    for (let set = 0; set < sets.count; set++) {
      if (sets.author(set) === place) own.push(set);
      else arrivals.add(sets.sentUs(set) + table.drawUs(this.#random), set);
    }
    for (const set of own) take(set, sets.sentUs(set));
    arrivals.verify(
      (set) => this.#costUs(globalMembers, sets.weight(set)),
      (set, atUs) => {
        tally.delay.add(atUs - sets.sentUs(set));
        tally.pace.add(atUs);
        take(set, atUs);
      },
    );
    this.ledger.watched++;
    if (reached !== -1) this.ledger.reachedUs.push(reached);
  }

  #countCopies(): void {
    const { alive, live, subcommittee, committee } = this.world;
    const { ledger } = this;
    ledger.topic(HornTopic.global).published = ledger.globalSets(this.world).count;
    const members = { subnet: subcommittee, committee, global: alive.length };
    for (const name of ['subnet', 'committee', 'global'] as const) {
      const tally = ledger.topic(HornTopic[name]);
      const table = this.#tables[HornTopic[name]];
      if (table === undefined) continue;
      const receivers = (members[name] * live) / alive.length - 1;
      tally.copies = Math.round(tally.published * table.copies * receivers);
    }
  }
}

/** The proposer, then others that live, by seed. */
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

/** The sets of a committee's subcommittees side by side; -1 for a subcommittee that has none. */
function join(sets: VoteSets, chosen: Int32Array, words: number): { bits: Int32Array; weight: number } {
  const bits = new Int32Array(words);
  let weight = 0;
  chosen.forEach((set, index) => {
    if (set === -1) return;
    weight += sets.weight(set);
    for (let bit = 0; bit < sets.members; bit++) {
      const to = index * sets.members + bit;
      if (sets.has(set, bit)) bits[to >>> 5]! |= 1 << (to & 31);
    }
  });
  return { bits, weight };
}
