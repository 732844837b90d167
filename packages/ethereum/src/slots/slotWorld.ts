import { RandomStream, shuffle, thresholdCount } from '@tutti/core';
import { hornSizes, type SlotClock, slotClock } from '@tutti/core/horn';
import { assignValidators, Duty, electDuties } from '@tutti/core/horn-rules';
import { partOf } from '@tutti/core/settings';
import { type HornMessageBytes, hornMessageBytes } from '../horn/costs.ts';
import { SlotRoles, withholdVotes } from './network/roles.ts';
import type { SlotScenario } from './slotScenario.ts';

/**
 * What a scenario's seed draws before the slot begins, by place (see `assignValidators`), and what follows from its
 * parameters.
 */
export interface SlotWorld {
  /** The validator at each place. */
  readonly order: Int32Array;
  /** 1 where a validator takes part: honest, or Eve's. */
  readonly present: Uint8Array;
  readonly presentCount: number;
  /** Which of the scenario's attacks a validator of Eve's is part of; -1 for none. */
  readonly attack: Int8Array;
  /** 1 where an honest validator lives. */
  readonly alive: Uint8Array;
  readonly live: number;
  /** 1 where a vote is cast: by everyone who is present and votes in this slot, unless Eve withholds it. */
  readonly casts: Uint8Array;
  /** How far behind each clock is, microseconds. */
  readonly lateUs: Int32Array;
  /** Bits of `Duty`. */
  readonly duties: Uint8Array;
  /** How many committees vote in this slot, beginning with the first; in the status quo it is the first alone. */
  readonly votingCommittees: number;
  readonly committee: number;
  readonly subcommittee: number;
  /** Subcommittees of one committee. */
  readonly subcommittees: number;
  /** Places that vote: those under this one. */
  readonly voters: number;
  /** Whether collectors join aggregates. */
  readonly collects: boolean;
  /** Members covered by a bitfield on the global topic: a subcommittee's or a committee's. */
  readonly globalMembers: number;
  /** Honest votes that are waited for. */
  readonly threshold: number;
  /** Honest. */
  readonly proposer: number;
  readonly clock: SlotClock;
  readonly bytes: HornMessageBytes;
}

export function createSlotWorld(scenario: SlotScenario): SlotWorld {
  const { parameters, seed, system } = scenario;
  const { committee, subcommittee } = hornSizes(parameters);
  const order = assignValidators(parameters, seed);
  const { presentValidators, attackOf } = castValidators(scenario);
  const present = new Uint8Array(order.length).map((_, place) => presentValidators[order[place]!]!);
  const attack = new Int8Array(order.length).map((_, place) => attackOf[order[place]!]!);
  const alive = present.map((is, place) => (is === 1 && attack[place] === -1 ? 1 : 0));
  const clocks = new RandomStream(seed, 'start');
  const lateUs = new Int32Array(order.length).map(() => Math.floor(clocks.nextUnit() * scenario.desyncMs * 1000));
  const votingCommittees = system === 'status-quo' ? 1 : parameters.committees;
  const voters = votingCommittees * committee;
  const duties = electDuties(parameters, seed);
  const proposers = new RandomStream(seed, 'proposer');
  let proposer = 0;
  do proposer = proposers.nextBelow(parameters.validators);
  while (alive[proposer] === 0);
  return {
    order,
    present,
    presentCount: countOf(present),
    attack,
    alive,
    live: countOf(alive),
    casts: castVotes(scenario, { present, attack, duties, voters, subcommittee, committee }),
    lateUs,
    duties,
    votingCommittees,
    committee,
    subcommittee,
    subcommittees: parameters.subcommittees,
    voters,
    collects: system === 'horn',
    globalMembers: system === 'horn' ? committee : subcommittee,
    threshold: thresholdCount(scenario.threshold, countOf(alive.subarray(0, voters))),
    proposer,
    clock: slotClock(system, parameters),
    bytes: hornMessageBytes(parameters),
  };
}

/** Places of those who are present and elected: the aggregators of each subcommittee, the collectors of each committee. */
export function electedOf({
  voters,
  duties,
  present,
  subcommittee,
  committee,
}: Pick<SlotWorld, 'voters' | 'duties' | 'present' | 'subcommittee' | 'committee'>): {
  readonly aggregators: readonly (readonly number[])[];
  readonly collectors: readonly (readonly number[])[];
} {
  const aggregators = Array.from({ length: voters / subcommittee }, (): number[] => []);
  const collectors = Array.from({ length: voters / committee }, (): number[] => []);
  for (let place = 0; place < voters; place++) {
    if (present[place] === 0) continue;
    if ((duties[place]! & Duty.aggregator) !== 0) aggregators[Math.floor(place / subcommittee)]!.push(place);
    if ((duties[place]! & Duty.collector) !== 0) collectors[Math.floor(place / committee)]!.push(place);
  }
  return { aggregators, collectors };
}

/** What everybody decides in a slot. */
export function rolesOf({ attacks, seed }: SlotScenario, world: SlotWorld): SlotRoles {
  const { attack, subcommittee: members, clock, collects } = world;
  const groupOf = (place: number) => {
    const index = Math.floor(place / members);
    return { index, start: index * members, members };
  };
  return new SlotRoles({ attacks, attack, groupOf, clock, collects, seed });
}

/** By validator: whether it is present, and in which attack; at least one stays honest and alive. */
function castValidators({ parameters, seed, dead, attacks }: SlotScenario): {
  presentValidators: Uint8Array;
  attackOf: Int8Array;
} {
  const { validators } = parameters;
  const presentValidators = new Uint8Array(validators).fill(1);
  const attackOf = new Int8Array(validators).fill(-1);
  const drawn = shuffle(validators, seed, 'dead');
  let next = 0;
  const take = (share: number, as: (validator: number) => void): void => {
    const end = Math.min(validators - 1, next + partOf(validators, share));
    for (; next < end; next++) as(drawn[next]!);
  };
  take(dead, (validator) => {
    presentValidators[validator] = 0;
  });
  attacks.forEach(({ share }, index) => {
    take(share, (validator) => {
      attackOf[validator] = index;
    });
  });
  return { presentValidators, attackOf };
}

/** Who votes: everyone present who may, unless Eve keeps its vote to herself. */
function castVotes(
  { attacks }: SlotScenario,
  {
    present,
    attack,
    duties,
    voters,
    subcommittee,
    committee,
  }: Pick<SlotWorld, 'present' | 'attack' | 'duties' | 'voters' | 'subcommittee' | 'committee'>,
): Uint8Array {
  const casts = present.slice();
  casts.fill(0, voters);
  const { aggregators } = electedOf({ present, duties, voters, subcommittee, committee });
  const groups = aggregators.map((places, index) => ({
    start: index * subcommittee,
    members: subcommittee,
    aggregators: places,
  }));
  withholdVotes(casts, attacks, attack, groups);
  return casts;
}

function countOf(marks: Uint8Array): number {
  return marks.reduce((count, mark) => count + mark, 0);
}
