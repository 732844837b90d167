import { type Endpoint, invert, shuffle } from '@tutti/core';
import { awsOneWayUs, createNetwork } from '@tutti/simulation';

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
