import { type Endpoint, invert, shuffle } from '@tutti/core';
import { partOf } from '@tutti/core/input';
import { type AttackShare, awsOneWayUs, createNetwork } from '@tutti/simulation';
import { delayed, type Impairment, impaired, type Transport } from '@tutti/transports';
import { UsageError } from '../context.ts';

/** Byzantine group: the registry entries [first, end), which carry out an attack together. */
export interface ByzantineGroup {
  readonly attack: string;
  readonly first: number;
  readonly end: number;
}

/**
 * Roles of a cluster's nodes by registry index: honest nodes first, then Byzantine nodes, then dead nodes. The order of
 * the roles does not determine the places in the tree, because each round shuffles the nodes.
 */
export interface ClusterCast {
  /** Number of honest entries: entries [0, honest) follow the protocol. */
  readonly honest: number;
  /** Number of slow honest entries: entries [0, slow) verify slowly, see {@link slowFactor}. */
  readonly slow: number;
  /** Byzantine groups in ascending order, starting at entry `honest`. Entries after the last group are dead. */
  readonly byzantine: readonly ByzantineGroup[];
}

/** Factor by which verifications take longer on a slow node. */
export const slowFactor = 10;

/** Shares of the nodes that are dead, slow or Byzantine. */
export interface CastShares {
  readonly dead: number;
  readonly slow: number;
  readonly attack?: readonly AttackShare[];
}

/**
 * Returns the roles for the given shares.
 *
 * @throws UsageError if no honest node remains.
 */
export function castOf(nodes: number, { dead, slow, attack = [] }: CastShares): ClusterCast {
  const counts = attack.map(({ share }) => partOf(nodes, share));
  const honest = nodes - partOf(nodes, dead) - counts.reduce((sum, count) => sum + count, 0);
  if (honest < 1) throw new UsageError(`--dead, --attack: expected at least 1 honest node among ${nodes}, got none`);
  let first = honest;
  const byzantine = attack.map(({ name }, place) => {
    const group = { attack: name, first, end: first + counts[place]! };
    first = group.end;
    return group;
  });
  return { honest, slow: Math.min(honest, partOf(nodes, slow)), byzantine };
}

/** Returns the index of the first dead entry; the number of entries if no entry is dead. All later entries are dead. */
export function firstDead({ honest, byzantine }: ClusterCast): number {
  return byzantine.at(-1)?.end ?? honest;
}

/** Returns the number of Byzantine entries. */
export function byzantineCount(cast: ClusterCast): number {
  return firstDead(cast) - cast.honest;
}

/**
 * Returns the region of each entry, which is the region of the same node in a simulated run with this seed and the
 * latencies of v1.03 appendix B.
 */
export function regionsOfEntries(size: number, seed: number): number[] {
  const { region } = createNetwork('aws', size, seed);
  return Array.from(invert(shuffle(size, seed)), (position) => region[position]!);
}

/**
 * Returns a function that computes the delay of a packet to a receiver, ms. The receiver is given by its registry
 * index, and the sender by its port, because all nodes are on one host. A packet from a port that belongs to no entry
 * has no delay.
 */
export function packetDelays(
  endpoints: readonly Endpoint[],
  regions: readonly number[],
): (receiver: number) => (from: Endpoint) => number {
  const regionOfPort = new Map(endpoints.map(({ port }, index) => [port, regions[index]!]));
  return (receiver) =>
    ({ port }) => {
      const there = regionOfPort.get(port);
      return there === undefined ? 0 : awsOneWayUs(there, regions[receiver]!) / 1000;
    };
}

/**
 * Returns a transport with simulated conditions of the network.
 *
 * @param delayMs returns the delay of a received packet by its sender, ms. Undefined: no packet is delayed.
 * @param impairment impairment of sent packets. Undefined: none.
 */
export function onNetwork(
  transport: Transport,
  delayMs: ((from: Endpoint) => number) | undefined,
  impairment: Impairment | undefined,
): Transport {
  const far = delayMs === undefined ? transport : delayed(transport, delayMs);
  return impairment === undefined ? far : impaired(far, impairment, Math.random);
}
