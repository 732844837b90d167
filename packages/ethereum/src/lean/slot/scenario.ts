import { shuffle } from '@tutti/core';
import {
  defaultsOf,
  durations,
  expected,
  factors,
  integers,
  listOf,
  oneOf,
  requireAllIn,
  requireIn,
  requireInteger,
  requireKnownFields,
  requireText,
  type SettingsOf,
  seedSetting,
  shares,
} from '@tutti/core/input';
import { createNetwork } from '@tutti/simulation/engine';
import { type LeanProfile, leanProfiles, readProfile } from '../profile.ts';
import { ownersOf, topLevel } from '../rules.ts';
import { type LeanSizes, type LeanStrategy, leanStrategies } from '../world.ts';

/**
 * Rules for the time at which ethlambda's aggregators prove and publish (strategies greedy, window, window-skip).
 *
 * - `session` (August 2026): one session per slot, at two thirds of the votes or at interval 2. The session begins no
 *   more jobs some time after its start. Proofs ready before interval 2 wait for that interval.
 * - `always` (September 2026): a worker that continuously looks for a job. Proofs ready outside interval 2 wait for the
 *   next interval 2.
 * - `free`: like `always`, but the worker waits for as many votes as the other strategies, and publishes every proof
 *   immediately.
 */
export const leanStarts = ['session', 'always', 'free'] as const;
/** Name of one of {@link leanStarts}. */
export type LeanStart = (typeof leanStarts)[number];

/**
 * Behaviours of a Byzantine aggregator.
 *
 * - `silent` proves nothing.
 * - `late` publishes after the slot.
 * - `omitting` leaves out every other raw vote, and the last child of a merge.
 * - `overlapping` publishes eight proofs that differ by one vote.
 * - `wide` adds a vote from every subnet to its leaf.
 * - `equivocating` has validators that also sign a second message of the slot, which all aggregators must prove.
 * - `invalid` publishes proofs that do not verify.
 */
export const leanRoles = ['silent', 'late', 'omitting', 'overlapping', 'wide', 'equivocating', 'invalid'] as const;
/** Name of one of {@link leanRoles}. */
export type LeanRole = (typeof leanRoles)[number];

/**
 * Positions of the Byzantine aggregators.
 *
 * - `drawn`: drawn by the seed.
 * - `together`: all aggregators of one subnet, then all of the next.
 * - `spread`: one aggregator of each subnet.
 * - `owners`: the first owners of the half that contains all subnets, in this slot.
 */
export const leanPlacements = ['drawn', 'together', 'spread', 'owners'] as const;
/** Name of one of {@link leanPlacements}. */
export type LeanPlacement = (typeof leanPlacements)[number];

/**
 * Nodes that subscribe to the topic of a subnet's votes, in addition to its aggregators (zeam#811).
 *
 * - `aggregators`: no additional nodes.
 * - `own-subnet`: nodes whose validators are in the subnet, if all validators of a node are in one subnet.
 * - `validators` (leanSpec): nodes with a validator in the subnet, if validators are assigned to nodes in consecutive
 *   groups whose size is the number of subnets.
 * - `all`: all nodes.
 */
export const leanSubscribers = ['aggregators', 'own-subnet', 'validators', 'all'] as const;
/** Name of one of {@link leanSubscribers}. */
export type LeanSubscribers = (typeof leanSubscribers)[number];

/** Parameters of one simulated slot of Lean aggregation. */
export interface LeanScenario {
  readonly profile: LeanProfile;
  readonly strategy: LeanStrategy;
  readonly subnets: number;
  /** Total number of aggregators, the same number per subnet. */
  readonly aggregators: number;
  /** Number of nodes on the global topic, including the aggregators. */
  readonly nodes: number;
  /** Number of parts of each half at a level. */
  readonly branching: number;
  readonly start: LeanStart;
  /** Share of the aggregators with each Byzantine role. */
  readonly roles: Readonly<Partial<Record<LeanRole, number>>>;
  readonly placement: LeanPlacement;
  /** Share of slower aggregators. */
  readonly slowShare: number;
  /** Factor by which the provers of the slower aggregators are slower. */
  readonly slowTimes: number;
  /** Maximum error of an aggregator's clock in either direction, ms. */
  readonly clocksMs: number;
  /** Number of subnets without an aggregator. The aggregators of these subnets serve other subnets. */
  readonly unserved: number;
  /** Number of aggregators per machine. Aggregators on one machine share its single prover. */
  readonly perHost: number;
  /** Name of a network for `createNetwork`. */
  readonly network: string;
  /** Link rate of aggregators, for upload and download, Mbit/s. */
  readonly aggregatorMbps: number;
  /** Download rate of the other nodes, Mbit/s. */
  readonly downMbps: number;
  /** Upload rate of the other nodes, Mbit/s. */
  readonly upMbps: number;
  /** Share of its subnet's votes that an aggregator awaits before interval 2; two thirds for clients. */
  readonly leafShare: number;
  /** Maximum delay of a node's validators after the slot's attestation time, ms. */
  readonly skewMs: number;
  /** Nodes that subscribe to the topics of votes. This setting affects only the bytes of `voteTraffic`. */
  readonly subscribers: LeanSubscribers;
  /** Times at which proved votes are counted, ms. Levels publish their best proofs for each of these times. */
  readonly deadlinesMs: readonly number[];
  /** Message delay between aggregators, as assumed by the owners of a half, ms. */
  readonly bringMs: number;
  /** Time before a deadline at which levels publish their best proofs, ms. A later proof does not count. */
  readonly publishLeadMs: number;
  /** Minimum share of the validators of its subnets whose votes a merge must add; at least one vote. */
  readonly minGain: number;
  /** Number of the slot. The slot number rotates windows and owners. */
  readonly slot: number;
  readonly seed: number;
}

/** Range of {@link LeanScenario.deadlinesMs}, the times at which proved votes are counted. */
export const deadlines = durations(1, 600_000);
const megabits = factors(0.1, 1e6);
const counts = { subnets: integers(1, 256), aggregators: integers(1, 4096), nodes: integers(2, 8192) };

/** Default, range and meaning of each field. {@link validateLeanScenario} checks relations between fields. */
export const leanSettings: SettingsOf<LeanScenario> = {
  profile: {
    default: leanProfiles['lean-2026-09']!,
    range: { kind: 'own', validate: (_, profile) => readProfile(profile) },
    about: 'validators, subnets, prover and slot',
  },
  strategy: { default: 'halving-owners', range: oneOf(leanStrategies), about: 'assignment of proofs to aggregators' },
  subnets: { default: 16, range: counts.subnets, about: 'number of subnets of validators' },
  aggregators: { default: 32, range: counts.aggregators, about: 'total number of aggregators' },
  nodes: { default: 96, range: counts.nodes, about: 'number of nodes on the global topic' },
  branching: { default: 2, range: integers(2, 16), about: 'number of parts of each half of a level' },
  start: {
    default: 'always',
    range: oneOf(leanStarts),
    about: 'rule for the times at which clients prove and publish',
  },
  roles: { default: {}, range: { kind: 'own', validate: validateRoles }, about: 'Byzantine aggregators' },
  placement: { default: 'drawn', range: oneOf(leanPlacements), about: 'placement of Byzantine aggregators' },
  slowShare: {
    default: 0,
    range: shares,
    about: 'share of slow aggregators, which take three times as long by default',
  },
  slowTimes: { default: 3, range: factors(1, 100), about: 'factor by which slow aggregators are slower' },
  clocksMs: { default: 0, range: durations(0, 10_000), about: "maximum error of an aggregator's clock" },
  unserved: { default: 0, range: integers(0, 255), about: 'number of subnets without an aggregator' },
  perHost: { default: 1, range: integers(1, 4096), about: 'number of aggregators per machine, which share one prover' },
  network: {
    default: 'cities',
    // The validation of the whole scenario checks that the network exists. Code that only displays a slot needs no
    // latencies.
    range: { kind: 'own', validate: requireText },
    about: 'latencies, by name',
  },
  aggregatorMbps: { default: 1000, range: megabits, about: "rate of an aggregator's link, up and down" },
  downMbps: { default: 50, range: megabits, about: 'download rate of other nodes' },
  upMbps: { default: 25, range: megabits, about: 'upload rate of other nodes' },
  leafShare: {
    default: 0.98,
    range: { ...shares, min: 0.01 },
    about: 'share of the votes that an aggregator waits for',
  },
  skewMs: { default: 50, range: durations(0, 10_000), about: 'maximum delay with which validators attest' },
  subscribers: {
    default: 'validators',
    range: oneOf(leanSubscribers),
    about: "nodes on a subnet's topic of votes, in addition to its aggregators",
  },
  deadlinesMs: {
    default: [2400, 3200, 4000],
    range: listOf(deadlines),
    about: 'times at which proved votes are counted',
  },
  bringMs: { default: 200, range: durations(0, 60_000), about: 'assumed time of a message' },
  publishLeadMs: {
    default: 600,
    range: durations(0, 60_000),
    about: 'lead with which a proof is published before a deadline',
  },
  minGain: { default: 0.02, range: shares, about: 'minimum share of the votes that a proof must add' },
  slot: { default: 1, range: integers(0, 2 ** 31 - 1), about: 'slot number, which rotates windows and owners' },
  seed: seedSetting,
};

/** Default of every parameter of a scenario. */
export const defaultLeanScenario: LeanScenario = defaultsOf(leanSettings);

/** Default number of nodes that are not aggregators, which are the possible proposers of the next block. */
export const defaultProposers = 64;

/** Checks a scenario. @throws RangeError or TypeError that names the field. */
export function validateLeanScenario(scenario: LeanScenario): void {
  requireKnownFields('scenario', scenario, Object.keys(leanSettings));
  requireAllIn(scenario, leanSettings);
  const { profile, subnets, aggregators } = scenario;
  requireInteger('subnets', subnets, 1, Math.min(counts.subnets.max, profile.validators));
  requireInteger('aggregators', aggregators, subnets, counts.aggregators.max);
  if (aggregators % subnets !== 0)
    throw new RangeError(expected('aggregators', `a multiple of the subnets, ${subnets}`, aggregators));
  requireInteger('number of deadlinesMs', scenario.deadlinesMs.length, 1, 64);
  requireInteger('nodes', scenario.nodes, aggregators + 1, counts.nodes.max);
  requireInteger('branching', scenario.branching, 2, profile.limits.proverChildren);
  requireInteger('unserved', scenario.unserved, 0, subnets - 1);
  createNetwork(scenario.network, 1, 0);
}

function validateRoles(label: string, roles: LeanScenario['roles']): void {
  requireKnownFields(label, roles, leanRoles);
  for (const [role, share] of Object.entries(roles)) requireIn(role, share, shares);
  const sum = Object.values(roles).reduce((all, share) => all + share, 0);
  if (sum > 1 + 1e-9) throw new RangeError(expected(label, 'shares with a sum of at most 1', sum));
}

/** Returns the numbers that determine the tree of merges, and the subnet of each aggregator. */
export function sizesOf(scenario: LeanScenario): LeanSizes {
  const { profile, subnets, aggregators, branching, minGain, unserved, seed } = scenario;
  const without = shuffle(subnets, seed, 'lean unserved').subarray(0, unserved);
  const served = Array.from({ length: subnets }, (_, subnet) => subnet).filter((subnet) => !without.includes(subnet));
  return {
    validators: profile.validators,
    subnets,
    duties: Array.from({ length: aggregators }, (_, at) => served[Math.floor((at * served.length) / aggregators)]!),
    branching,
    proverChildren: profile.limits.proverChildren,
    clientChildren: profile.limits.clientChildren,
    supers: Math.min(2, aggregators),
    minGain,
  };
}

/** Returns the positions in the order in which Byzantine aggregators are chosen. */
export function placesOf({ placement, seed, slot }: LeanScenario, { duties, subnets, branching }: LeanSizes): number[] {
  const all = [...shuffle(duties.length, seed, 'lean roles')];
  if (placement === 'owners') return ownersOf({ level: topLevel(subnets, branching), index: 0 }, all, slot);
  if (placement === 'drawn') return all;
  const order = [...shuffle(subnets, seed, 'lean subnets')];
  const inTurn = order.map((subnet) => all.filter((position) => duties[position] === subnet));
  if (placement === 'together') return inTurn.flat();
  const max = Math.max(...inTurn.map(({ length }) => length));
  return Array.from({ length: max }, (_, turn) => inTurn.flatMap((of) => of.slice(turn, turn + 1))).flat();
}
