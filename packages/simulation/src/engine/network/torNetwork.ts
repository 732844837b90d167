import { shuffle } from '@tutti/core';
import { partOf } from '@tutti/core/settings';
import type { NamedNetwork } from './networkModel.ts';

/** What Tor adds one way for each end that is behind it, microseconds (v1.03 sections 5.2 and A.3). */
const torUs = 500_000;

/**
 * Puts a share of the nodes, drawn by seed, behind Tor.
 *
 * @param share of all nodes; the count is rounded down.
 */
export function behindTor(network: NamedNetwork, share: number, nodes: number, seed: number): NamedNetwork {
  const extraUs = new Int32Array(nodes);
  for (const id of shuffle(nodes, seed, 'tor').subarray(0, partOf(nodes, share))) extraUs[id] = torUs;
  return {
    ...network,
    wayUs: (from, to) => network.wayUs(from, to) + extraUs[from]! + extraUs[to]!,
    oneWayUs: (from, to) => network.oneWayUs(from, to) + extraUs[from]! + extraUs[to]!,
  };
}
