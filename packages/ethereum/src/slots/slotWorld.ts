import { RandomStream, shuffle, thresholdCount } from '@tutti/core';
import { assignValidators, Duty, electDuties, hornSizes, type SlotClock, slotClock } from '@tutti/core/horn';
import { partOf } from '@tutti/core/input';
import { type HornMessageBytes, hornMessageBytes } from '../horn/costs.ts';
import { withholdVotes } from './network/roles.ts';
import type { SlotScenario } from './slotScenario.ts';

/**
 * State that a scenario's seed determines before the slot begins, by place (see `assignValidators`), with derived
 * parameters.
 */
export interface SlotWorld {
  /** Validator at each place. */
  readonly order: Int32Array;
  /** Flag of each place: 1 if a validator takes part, honest or Byzantine. */
  readonly present: Uint8Array;
  readonly presentCount: number;
  /** Number of present validators that vote in this slot, also if Eve withholds their votes. */
  readonly presentVoters: number;
  /** Index, by place, of the scenario's attack in which the validator takes part; -1 for none. */
  readonly attack: Int8Array;
  /** Flag of each place: 1 for a live honest validator. */
  readonly alive: Uint8Array;
  readonly live: number;
  /**
   * Flag of each place: 1 if a vote is cast. Every present validator that votes in this slot casts its vote, unless Eve
   * withholds it.
   */
  readonly casts: Uint8Array;
  /** Delay of each clock, µs. */
  readonly lateUs: Int32Array;
  /** Places of the elected validators that are present. */
  readonly elected: ElectedPlaces;
  /**
   * Number of committees that vote in this slot, counted from the first one. In the status quo only the first committee
   * votes.
   */
  readonly votingCommittees: number;
  readonly committee: number;
  readonly subcommittee: number;
  /** Number of places that vote. The voting places are those below this number. */
  readonly voters: number;
  /** True if collectors merge aggregates. */
  readonly collects: boolean;
  /** Number of members covered by a bitfield on the global topic: the members of a subcommittee or of a committee. */
  readonly globalMembers: number;
  /** Number of honest votes at which the threshold is reached. */
  readonly threshold: number;
  /** Place of the proposer, which is honest. */
  readonly proposer: number;
  readonly clock: SlotClock;
  readonly bytes: HornMessageBytes;
}

/** Draws the duties, attacks and clocks of a scenario's validators, and the votes that are cast. */
export function createSlotWorld(scenario: SlotScenario): SlotWorld {
  const { parameters, seed, system } = scenario;
  const { committee, subcommittee } = hornSizes(parameters);
  const order = assignValidators(parameters, seed);
  const { presentValidators, attackOf } = drawValidators(scenario);
  const present = new Uint8Array(order.length).map((_, place) => presentValidators[order[place]!]!);
  const attack = new Int8Array(order.length).map((_, place) => attackOf[order[place]!]!);
  const alive = present.map((is, place) => (is === 1 && attack[place] === -1 ? 1 : 0));
  const clocks = new RandomStream(seed, 'start');
  const lateUs = new Int32Array(order.length).map(() => Math.floor(clocks.nextUnit() * scenario.desyncMs * 1000));
  const votingCommittees = system === 'status-quo' ? 1 : parameters.committees;
  const voters = votingCommittees * committee;
  const elected = electedOf({ voters, duties: electDuties(parameters, seed), present, subcommittee, committee });
  const casts = present.slice();
  casts.fill(0, voters);
  const subcommittees = elected.aggregators.map((aggregators, group) => ({
    start: group * subcommittee,
    members: subcommittee,
    aggregators,
  }));
  withholdVotes(casts, scenario.attacks, attack, subcommittees);
  const proposers = new RandomStream(seed, 'proposer');
  let proposer = 0;
  do proposer = proposers.nextBelow(parameters.validators);
  while (alive[proposer] === 0);
  return {
    order,
    present,
    presentCount: countOf(present),
    presentVoters: countOf(present.subarray(0, voters)),
    attack,
    alive,
    live: countOf(alive),
    casts,
    lateUs,
    elected,
    votingCommittees,
    committee,
    subcommittee,
    voters,
    collects: system === 'horn',
    globalMembers: system === 'horn' ? committee : subcommittee,
    threshold: thresholdCount(scenario.threshold, countOf(alive.subarray(0, voters))),
    proposer,
    clock: slotClock(system, parameters),
    bytes: hornMessageBytes(parameters),
  };
}

/** Places of elected validators: each subcommittee's aggregators, and each committee's collectors. */
export interface ElectedPlaces {
  readonly aggregators: readonly (readonly number[])[];
  readonly collectors: readonly (readonly number[])[];
}

/**
 * Returns the places of the elected validators that are present.
 *
 * @param duties duties of each place, as bits of `Duty`.
 * @param present flag of each place: 1 if the validator is present.
 */
export function electedOf({
  voters,
  duties,
  present,
  subcommittee,
  committee,
}: Pick<SlotWorld, 'voters' | 'present' | 'subcommittee' | 'committee'> & {
  readonly duties: Uint8Array;
}): ElectedPlaces {
  const aggregators = Array.from({ length: voters / subcommittee }, (): number[] => []);
  const collectors = Array.from({ length: voters / committee }, (): number[] => []);
  for (let place = 0; place < voters; place++) {
    if (present[place] === 0) continue;
    if ((duties[place]! & Duty.aggregator) !== 0) aggregators[Math.floor(place / subcommittee)]!.push(place);
    if ((duties[place]! & Duty.collector) !== 0) collectors[Math.floor(place / committee)]!.push(place);
  }
  return { aggregators, collectors };
}

/** Returns whether each validator is present, and its attack. At least one validator stays honest and alive. */
function drawValidators({ parameters, seed, dead, attacks }: SlotScenario): {
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

function countOf(marks: Uint8Array): number {
  return marks.reduce((count, mark) => count + mark, 0);
}
