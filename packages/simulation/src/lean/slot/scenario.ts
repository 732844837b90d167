import { shuffle } from '@tutti/core';
import { expected, requireInteger, requireNumber } from '@tutti/core/internal';
import { ownersOf, topLevel } from '@tutti/core/lean';
import { createNetwork } from '../../engine/network/network.ts';
import type { LeanProfile } from '../profile.ts';
import { leanProfiles } from '../profiles.ts';
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
  readonly leastGain: number;
  readonly slot: number;
  readonly seed: number;
}

const profile = leanProfiles['lean-2026-09']!;

export const defaultLeanScenario: LeanScenario = {
  profile,
  rival: 'handel-owners',
  subnets: 16,
  aggregators: 32,
  nodes: 96,
  branching: 2,
  start: 'always',
  roles: {},
  placement: 'drawn',
  slowShare: 0,
  slowTimes: 3,
  clocksMs: 0,
  unserved: 0,
  perHost: 1,
  network: 'cities',
  aggregatorMbps: 1000,
  downMbps: 50,
  upMbps: 25,
  leafShare: 0.98,
  skewMs: 50,
  deadlinesMs: [2400, 3200, 4000],
  bringMs: 200,
  publishLeadMs: 600,
  leastGain: 0.02,
  slot: 1,
  seed: 1,
};

/** @throws RangeError naming the field. */
export function checkLeanScenario(scenario: LeanScenario): void {
  const { subnets, aggregators, nodes, roles } = scenario;
  if (!leanRivals.includes(scenario.rival)) {
    throw new RangeError(expected('rival', `one of ${leanRivals.join(', ')}`, scenario.rival));
  }
  requireInteger('subnets', subnets, 1, Math.min(256, scenario.profile.validators));
  requireInteger('aggregators', aggregators, subnets, 4096);
  if (aggregators % subnets !== 0) {
    throw new RangeError(expected('aggregators', `a multiple of the subnets, ${subnets}`, aggregators));
  }
  requireInteger('nodes', nodes, aggregators + 1, 8192);
  requireInteger('branching', scenario.branching, 2, scenario.profile.limits.proverChildren);
  for (const [role, share] of Object.entries(roles)) requireNumber(role, share, 0, 1);
  const sum = Object.values(roles).reduce((all, share) => all + share, 0);
  if (sum > 1) throw new RangeError(expected('shares of roles together', 'at most 1', sum));
  if (!leanPlacements.includes(scenario.placement)) {
    throw new RangeError(expected('placement', `one of ${leanPlacements.join(', ')}`, scenario.placement));
  }
  requireNumber('slowShare', scenario.slowShare, 0, 1);
  requireNumber('clocksMs', scenario.clocksMs, 0, 10_000);
  requireInteger('unserved', scenario.unserved, 0, subnets - 1);
  requireInteger('perHost', scenario.perHost, 1, 4096);
  requireNumber('slowTimes', scenario.slowTimes, 1, 100);
  requireNumber('downMbps', scenario.downMbps, 0.1, 1e6);
  requireNumber('upMbps', scenario.upMbps, 0.1, 1e6);
  requireNumber('aggregatorMbps', scenario.aggregatorMbps, 0.1, 1e6);
  requireNumber('leafShare', scenario.leafShare, 0.01, 1);
  requireNumber('skewMs', scenario.skewMs, 0, 10_000);
  requireNumber('bringMs', scenario.bringMs, 0, 60_000);
  requireNumber('publishLeadMs', scenario.publishLeadMs, 0, 60_000);
  requireNumber('leastGain', scenario.leastGain, 0, 1);
  for (const deadline of scenario.deadlinesMs) requireNumber('deadlinesMs', deadline, 1, 600_000);
  requireInteger('slot', scenario.slot, 0, 2 ** 31 - 1);
  createNetwork(scenario.network, 1, 0);
}

export function sizesOf(scenario: LeanScenario): LeanSizes {
  const { profile, subnets, aggregators, branching, leastGain, unserved, seed } = scenario;
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
    leastGain,
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
