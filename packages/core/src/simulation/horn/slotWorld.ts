import { seatValidators } from '../../horn/committees.ts';
import { type HornMessageBytes, hornMessageBytes } from '../../horn/costs/messages.ts';
import { electDuties } from '../../horn/duties.ts';
import { hornSizes } from '../../horn/parameters.ts';
import { type SlotClock, slotClock } from '../../horn/slotClock.ts';
import { shuffle } from '../../overlay/shuffle.ts';
import { RandomStream } from '../../random.ts';
import type { SlotScenario } from './slotScenario.ts';

/** What a scenario's seed draws before the slot begins, by place (see `seatValidators`), and what follows from its parameters. */
export interface SlotWorld {
  /** The validator at each place. */
  readonly order: Int32Array;
  readonly alive: Uint8Array;
  readonly live: number;
  /** How far behind each clock is, microseconds. */
  readonly lateUs: Int32Array;
  /** Bits of `Duty`. */
  readonly duties: Uint8Array;
  /** The committees that vote in this slot are the first so many; the status quo's is the first. */
  readonly votingCommittees: number;
  readonly committee: number;
  readonly subcommittee: number;
  /** Subcommittees of one committee. */
  readonly subcommittees: number;
  /** Places that vote: those under this one. */
  readonly voters: number;
  /** Whether collectors join aggregates. */
  readonly collects: boolean;
  /** Members of what goes on the global topic: a subcommittee's bitfield, or a committee's. */
  readonly globalMembers: number;
  /** Votes that are waited for. */
  readonly threshold: number;
  readonly proposer: number;
  readonly clock: SlotClock;
  readonly bytes: HornMessageBytes;
}

export function createSlotWorld(scenario: SlotScenario): SlotWorld {
  const { parameters, seed, system } = scenario;
  const { validators } = parameters;
  const { committee, subcommittee } = hornSizes(parameters);
  const order = seatValidators(parameters, seed);
  const isDead = new Uint8Array(validators);
  const dead = Math.min(validators - 1, Math.floor(validators * scenario.dead + 1e-9));
  for (const validator of shuffle(validators, seed, 'dead').subarray(0, dead)) isDead[validator] = 1;
  const alive = Uint8Array.from(order, (validator) => 1 - isDead[validator]!);
  const clocks = new RandomStream(seed, 'start');
  const lateUs = Int32Array.from(order, () => Math.floor(clocks.nextUnit() * scenario.desyncMs * 1000));
  const votingCommittees = system === 'status-quo' ? 1 : parameters.committees;
  const voters = votingCommittees * committee;
  let liveVoters = 0;
  for (let place = 0; place < voters; place++) liveVoters += alive[place]!;
  const proposers = new RandomStream(seed, 'proposer');
  let proposer = 0;
  do proposer = proposers.nextBelow(validators);
  while (alive[proposer] === 0);
  return {
    order,
    alive,
    live: validators - dead,
    lateUs,
    duties: electDuties(parameters, seed),
    votingCommittees,
    committee,
    subcommittee,
    subcommittees: parameters.subcommittees,
    voters,
    collects: system === 'horn',
    globalMembers: system === 'horn' ? committee : subcommittee,
    threshold: Math.max(1, Math.floor(liveVoters * scenario.threshold + 1e-9)),
    proposer,
    clock: slotClock(system, parameters),
    bytes: hornMessageBytes(parameters),
  };
}
