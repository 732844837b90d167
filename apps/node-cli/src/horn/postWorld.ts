import { grouped } from '../numbers.ts';
import type { StatedWorld } from '../output/statedWorld.ts';

/** Settings of a slot with the post's assumptions. */
export interface PostSettings {
  readonly validators: number;
  readonly machine: string;
  /** Name of the network model. Default: no network is simulated. */
  readonly network?: string;
  /** Time at which votes are sent, ms since the slot began. Default: no slot is simulated. */
  readonly attestMs?: number;
  readonly seeds: readonly number[];
  readonly also?: readonly string[];
}

/**
 * Describes the settings of results that use the post's assumptions: one node per validator, and links with unlimited
 * bandwidth.
 */
export function postWorld({ validators, machine, network, attestMs, seeds, also }: PostSettings): StatedWorld {
  return {
    profile: "the post's (Horn, Kadianakis and D'Amato)",
    nodes: `${grouped(validators)}, one per validator`,
    cores: machine,
    start: attestMs === undefined ? 'no slot is simulated' : `votes at ${grouped(attestMs)} ms`,
    network: network ?? 'not simulated',
    links: network === undefined ? 'not simulated' : 'a delay each, without bandwidth',
    seeds,
    ...(also !== undefined && { also }),
  };
}
