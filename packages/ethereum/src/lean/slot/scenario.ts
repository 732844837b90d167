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
  requireText,
  type SettingsOf,
  seedSetting,
  shares,
} from '@tutti/core/settings';
import { createNetwork } from '@tutti/simulation/engine';
import type { LeanProfile } from '../profile.ts';
import { leanProfiles } from '../profiles.ts';
import { ownersOf, topLevel } from '../rules.ts';
import { type LeanRival, type LeanSizes, leanRivals } from '../world.ts';

/**
 * When ethlambda's aggregators prove and publish (rivals greedy, window, window-skip).
 *
 * - `session`: August 2026: one session a slot, at two thirds of the votes or at interval 2; it begins no job later than
 *   a while after its start; what is ready before interval 2 waits for it.
 * - `always`: September: a worker that always looks for a job; what is ready outside of interval 2 waits for the next one.
 * - `free`: the same, but it waits for as many votes as the other rivals, and publishes everything when it is ready.
 */
export const leanStarts = ['session', 'always', 'free'] as const;
export type LeanStart = (typeof leanStarts)[number];

/**
 * What an aggregator does that is not honest.
 *
 * - `silent` proves nothing. `late` publishes when the slot is over. `omitting` leaves out every other raw vote, and of a
 *   merge its last child. `overlapping` publishes eight proofs that differ by a vote. `wide` adds a vote of every subnet to
 *   its leaf. `equivocating` has validators that sign a second message of the slot too, which all have to prove.
 *   `invalid` publishes proofs that do not verify.
 */
export const leanRoles = ['silent', 'late', 'omitting', 'overlapping', 'wide', 'equivocating', 'invalid'] as const;
export type LeanRole = (typeof leanRoles)[number];

/**
 * Where those are who are not honest: `drawn` by seed; `together`, all aggregators of one subnet after another; `spread`,
 * one of each subnet; `owners`, the first owners of all subnets in this slot.
 */
export const leanPlacements = ['drawn', 'together', 'spread', 'owners'] as const;
export type LeanPlacement = (typeof leanPlacements)[number];

export interface LeanScenario {
  readonly profile: LeanProfile;
  readonly rival: LeanRival;
  readonly subnets: number;
  /** In all, as many for each subnet. */
  readonly aggregators: number;
  /** On the global topic, the aggregators among them. */
  readonly nodes: number;
  readonly branching: number;
  readonly start: LeanStart;
  /** Shares of the aggregators. */
  readonly roles: Readonly<Partial<Record<LeanRole, number>>>;
  readonly placement: LeanPlacement;
  /** The share of aggregators that are slower, and how many times. */
  readonly slowShare: number;
  readonly slowTimes: number;
  /** An aggregator's clock is wrong by at most so much, either way, ms. */
  readonly clocksMs: number;
  /** Subnets without an aggregator: theirs serve others. */
  readonly unserved: number;
  /** Aggregators on one machine, which has one prover for all of them. */
  readonly perHost: number;
  /** One of the networks' names. */
  readonly network: string;
  /** Links of aggregators, up and down alike, and of all other nodes. */
  readonly aggregatorMbps: number;
  readonly downMbps: number;
  readonly upMbps: number;
  /** Of a subnet's votes: what an aggregator waits for before interval 2. ethlambda's clients wait for two thirds. */
  readonly leafShare: number;
  /** Of votes: how much later than the slot's time a node's validators attest at most, ms. */
  readonly skewMs: number;
  /** When somebody counts the votes that are proved: levels' best proofs are published for each, ms. */
  readonly deadlinesMs: readonly number[];
  /** What a message between aggregators is taken to need, and how long before a deadline a proof is published, ms. */
  readonly bringMs: number;
  readonly publishLeadMs: number;
  readonly minGain: number;
  readonly slot: number;
  readonly seed: number;
}

/** When proved votes are counted, each of {@link LeanScenario.deadlinesMs}. */
export const deadlines = durations(1, 600_000);
const megabits = factors(0.1, 1e6);
const counts = { subnets: integers(1, 256), aggregators: integers(1, 4096), nodes: integers(2, 8192) };

/** Each field's default and range; some are narrower where other fields say so, see {@link validateLeanScenario}. */
export const leanSettings: SettingsOf<LeanScenario> = {
  profile: {
    default: leanProfiles['lean-2026-09']!,
    range: { kind: 'own', validate: () => {} },
    about: 'validators, subnets, prover and slot',
  },
  rival: { default: 'halving-owners', range: oneOf(leanRivals), about: 'who proves what' },
  subnets: { default: 16, range: counts.subnets, about: 'subnets of validators' },
  aggregators: { default: 32, range: counts.aggregators, about: 'aggregators, in all' },
  nodes: { default: 96, range: counts.nodes, about: 'on the global topic' },
  branching: { default: 2, range: integers(2, 16), about: 'parts that a half of a level has' },
  start: {
    default: 'always',
    range: oneOf(leanStarts),
    about: 'when clients with windows or without prove and publish',
  },
  roles: { default: {}, range: { kind: 'own', validate: validateRoles }, about: 'aggregators that are not honest' },
  placement: { default: 'drawn', range: oneOf(leanPlacements), about: 'where these are' },
  slowShare: { default: 0, range: shares, about: 'share of the aggregators that are slower, by default three times' },
  slowTimes: { default: 3, range: factors(1, 100), about: 'how many times slower these are' },
  clocksMs: { default: 0, range: durations(0, 10_000), about: "how wrong aggregators' clocks are at most" },
  unserved: { default: 0, range: integers(0, 255), about: 'subnets without an aggregator' },
  perHost: { default: 1, range: integers(1, 4096), about: 'aggregators on one machine, with one prover' },
  network: {
    default: 'cities',
    // Whether there is one is checked with the whole scenario: who only shows a slot needs no latencies.
    range: { kind: 'own', validate: requireText },
    about: 'latencies, by name',
  },
  aggregatorMbps: { default: 1000, range: megabits, about: "an aggregator's link, up and down" },
  downMbps: { default: 50, range: megabits, about: "another node's link, down" },
  upMbps: { default: 25, range: megabits, about: "another node's link, up" },
  leafShare: { default: 0.98, range: { ...shares, least: 0.01 }, about: 'share of the votes that is waited for' },
  skewMs: { default: 50, range: durations(0, 10_000), about: 'how late validators attest at most' },
  deadlinesMs: {
    default: [2400, 3200, 4000],
    range: listOf(deadlines),
    about: 'when the proved votes are counted',
  },
  bringMs: { default: 200, range: durations(0, 60_000), about: 'what a message is taken to need' },
  publishLeadMs: {
    default: 600,
    range: durations(0, 60_000),
    about: 'how long before a deadline a proof is published',
  },
  minGain: { default: 0.02, range: shares, about: 'share of the votes that a proof has to add' },
  slot: { default: 1, range: integers(0, 2 ** 31 - 1), about: 'turns windows and owners' },
  seed: seedSetting,
};

export const defaultLeanScenario: LeanScenario = defaultsOf(leanSettings);

/** @throws RangeError naming the field. */
export function validateLeanScenario(scenario: LeanScenario): void {
  requireAllIn(scenario, leanSettings);
  const { profile, subnets, aggregators } = scenario;
  requireInteger('subnets', subnets, 1, Math.min(counts.subnets.most, profile.validators));
  requireInteger('aggregators', aggregators, subnets, counts.aggregators.most);
  if (aggregators % subnets !== 0)
    throw new RangeError(expected('aggregators', `a multiple of the subnets, ${subnets}`, aggregators));
  requireInteger('nodes', scenario.nodes, aggregators + 1, counts.nodes.most);
  requireInteger('branching', scenario.branching, 2, profile.limits.proverChildren);
  requireInteger('unserved', scenario.unserved, 0, subnets - 1);
  createNetwork(scenario.network, 1, 0);
}

function validateRoles(_: string, roles: LeanScenario['roles']): void {
  for (const [role, share] of Object.entries(roles)) requireIn(role, share, shares);
  const sum = Object.values(roles).reduce((all, share) => all + share, 0);
  if (sum > 1) throw new RangeError(expected('shares of roles together', 'at most 1', sum));
}

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

/** The aggregators in the order in which those who are not honest are taken from them. */
export function placesOf({ placement, seed, slot }: LeanScenario, { duties, subnets, branching }: LeanSizes): number[] {
  const all = [...shuffle(duties.length, seed, 'lean roles')];
  if (placement === 'owners') return ownersOf({ level: topLevel(subnets, branching), index: 0 }, all, slot);
  if (placement === 'drawn') return all;
  const order = [...shuffle(subnets, seed, 'lean subnets')];
  const inTurn = order.map((subnet) => all.filter((position) => duties[position] === subnet));
  if (placement === 'together') return inTurn.flat();
  const most = Math.max(...inTurn.map(({ length }) => length));
  return Array.from({ length: most }, (_, turn) => inTurn.flatMap((of) => of.slice(turn, turn + 1))).flat();
}
