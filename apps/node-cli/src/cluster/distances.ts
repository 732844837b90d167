import { invert, shuffle } from '@tutti/core';
import type { Endpoint } from '@tutti/core/registry';
import { awsOneWayUs, createNetwork } from '@tutti/simulation';

/** The region of each entry: where a simulated run of this seed has the node, by the matrix of v1.03 appendix B. */
export function awsRegions(size: number, seed: number): number[] {
  const { region } = createNetwork('aws', size, seed);
  return Array.from(invert(shuffle(size, seed)), (position) => region[position]!);
}

/**
 * For each receiver, an entry's index, how long a packet from an address is under way, ms; from an untrusted peer's no
 * time.
 */
export function distances(
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
