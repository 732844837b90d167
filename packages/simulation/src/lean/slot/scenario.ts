import { expected, requireInteger, requireNumber } from '@tutti/core/internal';
import { createNetwork } from '../../engine/network/network.ts';
import type { LeanProfile } from '../profile.ts';
import { leanProfiles } from '../profiles.ts';
import { evenDuties, type LeanRival, type LeanSizes, leanRivals } from '../world.ts';

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
 *   its leaf. `invalid` publishes proofs that do not verify.
 */
export const leanRoles = ['silent', 'late', 'omitting', 'overlapping', 'wide', 'invalid'] as const;
export type LeanRole = (typeof leanRoles)[number];

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
  /** The share of aggregators that are slower, and how many times. */
  readonly slowShare: number;
  readonly slowTimes: number;
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
  slowShare: 0,
  slowTimes: 3,
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
  requireNumber('slowShare', scenario.slowShare, 0, 1);
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
  const { profile, subnets, aggregators, branching, leastGain } = scenario;
  return {
    validators: profile.validators,
    subnets,
    duties: evenDuties(subnets, aggregators / subnets),
    branching,
    proverChildren: profile.limits.proverChildren,
    clientChildren: profile.limits.clientChildren,
    supers: Math.min(2, aggregators),
    leastGain,
  };
}
