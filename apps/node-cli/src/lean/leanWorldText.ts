import type { LeanChainOptions, LeanScenario } from '@tutti/ethereum/lean';
import type { StatedWorld } from '../output/statedWorld.ts';
import { counted, grouped } from '../output/text.ts';

/** Fields that can be columns of a command's table. */
type Varied = 'strategy' | 'subnets' | 'aggregators' | 'nodes' | 'deadlinesMs' | 'branching' | 'cores';

/**
 * Describes the settings of a table.
 *
 * @param seeds seeds over which the table summarises.
 * @param varied fields that each row states itself.
 */
export function leanWorld(
  scenario: LeanScenario,
  seeds: readonly number[],
  { isIdeal = false, varied = [] }: { readonly isIdeal?: boolean; readonly varied?: readonly Varied[] } = {},
): StatedWorld {
  const { profile, start, network, nodes, aggregators, subnets, aggregatorMbps, downMbps, upMbps, slot } = scenario;
  const unless = (name: Varied, text: string) => (varied.includes(name) ? 'by row' : text);
  const timed = (text: string) => (isIdeal ? 'not simulated' : text);
  const roles = Object.entries(scenario.roles).map(([role, share]) => `${grouped(100 * share)} % ${role}`);
  return {
    profile: `${profile.name} (${counted(profile.validators, 'validator')})`,
    nodes: timed(unless('nodes', `${grouped(nodes)}, of which ${nodes - aggregators} could propose`)),
    cores: timed(unless('cores', `${profile.cores} per prover`)),
    start: timed(start),
    network: timed(network),
    links: timed(`aggregators ${aggregatorMbps} Mbps, other nodes ${downMbps}/${upMbps} Mbps down/up`),
    seeds,
    also: [
      ...(varied.includes('subnets') ? [] : [counted(subnets, 'subnet')]),
      ...(varied.includes('aggregators') ? [] : [counted(aggregators, 'aggregator')]),
      ...(isIdeal ? ['no delays, no time limits'] : [`${profile.verifier.proofMs} ms to verify a proof`]),
      ...(scenario.slowShare > 0
        ? [`${grouped(100 * scenario.slowShare)} % of the aggregators slower by a factor of ${scenario.slowTimes}`]
        : []),
      ...(scenario.clocksMs > 0 ? [`clocks off by up to ${scenario.clocksMs} ms`] : []),
      ...(scenario.unserved > 0 ? [`${counted(scenario.unserved, 'subnet')} without an aggregator`] : []),
      ...(scenario.perHost > 1 ? [`${scenario.perHost} aggregators per machine`] : []),
      ...(roles.length > 0 ? [`${roles.join(', ')} (${scenario.placement})`] : []),
      `slot ${slot}`,
    ],
  };
}

/** Describes the settings of a chain's table, whose rows state everything else. */
export function leanChainWorld({ profile, bringMs }: LeanChainOptions, seeds: readonly number[]): StatedWorld {
  return {
    profile: profile.name,
    nodes: 'by story',
    cores: 'by story, given as the duration of a proof',
    start: 'by story, given as the time at which an aggregator has the votes',
    network: `not simulated: a message reaches all nodes after ${bringMs} ms`,
    links: 'not simulated',
    seeds,
  };
}
