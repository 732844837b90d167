import { type Endpoint, invert, shuffle } from '@tutti/core';
import { partOf } from '@tutti/core/input';
import { type AttackShare, awsOneWayUs, createNetwork } from '@tutti/simulation';
import { UsageError } from '../context.ts';

/** Byzantine group: registry entries [first, end) carry out an attack together. */
export interface ByzantineGroup {
  readonly attack: string;
  readonly first: number;
  readonly end: number;
}

/**
 * Cast of a cluster by registry index: honest nodes come first, then Byzantine nodes, then dead nodes. The shuffle of
 * each round draws the places in the tree, so this order does not determine them.
 */
export interface ClusterCast {
  /** Number of honest entries: entries [0, honest) follow the protocol. */
  readonly honest: number;
  /** Number of slow honest entries: entries [0, slow) verify slowly, see {@link slowFactor}. */
  readonly slow: number;
  /** Byzantine groups in ascending order from entry `honest` on. Entries behind the last group are dead. */
  readonly liars: readonly ByzantineGroup[];
}

/** Factor by which the verifications of a slow node take longer. */
export const slowFactor = 10;

/** Shares of the nodes that are dead, slow or Byzantine. */
export interface CastShares {
  readonly dead: number;
  readonly slow: number;
  readonly attack?: readonly AttackShare[];
}

/**
 * Returns the cast for the given shares.
 *
 * @throws UsageError if no honest node is left.
 */
export function castOf(nodes: number, { dead, slow, attack = [] }: CastShares): ClusterCast {
  const counts = attack.map(({ share }) => partOf(nodes, share));
  const honest = nodes - partOf(nodes, dead) - counts.reduce((sum, count) => sum + count, 0);
  if (honest < 1) throw new UsageError(`--dead, --attack: expected at least 1 honest node among ${nodes}, got none`);
  let first = honest;
  const liars = attack.map(({ name }, place) => {
    const group = { attack: name, first, end: first + counts[place]! };
    first = group.end;
    return group;
  });
  return { honest, slow: Math.min(honest, partOf(nodes, slow)), liars };
}

/** Returns the cast with dead nodes in place of the Byzantine ones. */
export function withoutByzantine(cast: ClusterCast): ClusterCast {
  return { ...cast, liars: [] };
}

/** Returns the first dead entry. All entries behind it are dead too. */
export function firstDead({ honest, liars }: ClusterCast): number {
  return liars.at(-1)?.end ?? honest;
}

/** Returns the number of Byzantine entries. */
export function byzantineCount(cast: ClusterCast): number {
  return firstDead(cast) - cast.honest;
}

/**
 * Returns the region of each entry: that of its node in a simulated run with this seed, with the latencies of v1.03
 * appendix B.
 */
export function regionsOfEntries(size: number, seed: number): number[] {
  const { region } = createNetwork('aws', size, seed);
  return Array.from(invert(shuffle(size, seed)), (position) => region[position]!);
}

/**
 * Returns a function that gives the delay of a packet from an address to a receiver, ms. The receiver is the index of
 * an entry. Packets from unknown addresses are not delayed.
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
