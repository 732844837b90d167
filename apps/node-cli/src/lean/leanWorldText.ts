import type { LeanChainOptions, LeanScenario, Summary } from '@tutti/ethereum/lean';
import { counted, grouped } from '../numbers.ts';

/** Fields that a table's command sets itself: its columns have them. */
type Varied = 'strategy' | 'subnets' | 'aggregators' | 'nodes' | 'deadlinesMs' | 'branching';

/** The world of a table in a line, without what its columns vary. @param seeds over which the table summarises. */
export function leanWorldText(
  scenario: LeanScenario,
  seeds: readonly number[],
  {
    isIdeal = false,
    varied = [],
  }: { readonly isIdeal?: boolean; readonly varied?: readonly (Varied | 'cores')[] } = {},
): string {
  const { profile, start, network, nodes, aggregators, subnets, aggregatorMbps, downMbps, upMbps, slot } = scenario;
  const is = (name: Varied | 'cores') => !varied.includes(name);
  const roles = Object.entries(scenario.roles).map(([role, share]) => `${grouped(100 * share)} % ${role}`);
  const parts = [
    `profile ${profile.name} (${counted(profile.validators, 'validator')})`,
    ...(is('cores') ? [`${counted(profile.cores, 'core')} per prover`] : []),
    ...(is('subnets') ? [counted(subnets, 'subnet')] : []),
    ...(is('aggregators') ? [counted(aggregators, 'aggregator')] : []),
    ...(isIdeal
      ? ['without time, network or limit']
      : [
          ...(is('nodes') ? [`${counted(nodes, 'node')}, of which ${nodes - aggregators} could propose`] : []),
          `start ${start}`,
          `network ${network}`,
          `aggregators ${aggregatorMbps} Mbps, others ${downMbps}/${upMbps} Mbps down/up`,
          `a proof verified in ${profile.verifier.proofMs} ms`,
        ]),
    ...(scenario.slowShare > 0
      ? [`${grouped(100 * scenario.slowShare)} % of them ${scenario.slowTimes} times slower`]
      : []),
    ...(scenario.clocksMs > 0 ? [`clocks wrong by up to ${scenario.clocksMs} ms`] : []),
    ...(scenario.unserved > 0 ? [`${counted(scenario.unserved, 'subnet')} without an aggregator`] : []),
    ...(scenario.perHost > 1 ? [`${scenario.perHost} aggregators per machine`] : []),
    ...(roles.length > 0 ? [`${roles.join(', ')} (${scenario.placement})`] : []),
    `slot ${slot}`,
    seedsText(seeds),
  ];
  return `${parts.join('; ')}.`;
}

/** The same of a chain, whose columns vary everything but this. */
export function leanChainText({ profile, bringMs }: LeanChainOptions, seeds: readonly number[]): string {
  return `profile ${profile.name}; a message needs ${bringMs} ms to all nodes; links and places are not simulated; ${seedsText(seeds)}.`;
}

export function seedsText(seeds: readonly number[]): string {
  return seeds.length === 1 ? `seed ${seeds[0]}` : `seeds ${seeds[0]} to ${seeds.at(-1)}`;
}

/** Mean, and in brackets p10 to p90. */
export function spreadText({ mean, p10, p90 }: Summary, digits = 0, times = 1): string {
  return `${grouped(times * mean, digits)} (${grouped(times * p10, digits)}-${grouped(times * p90, digits)})`;
}
