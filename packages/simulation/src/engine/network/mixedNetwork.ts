import { shuffle } from '@tutti/core';
import { partOf } from '@tutti/core/settings';
import { type NamedNetwork, steady } from './networkModel.ts';

/**
 * Fast nodes and slow ones, drawn by seed; a message takes as long one way as its slower end, without jitter. The world
 * of v1.03 section
 * 4.2.1, where fast nodes take 5 dissemination periods and a fifth of the nodes takes 20.
 *
 * @param slowShare of all nodes; the count is rounded down.
 */
export function mixedNetwork(
  nodes: number,
  seed: number,
  fastMs: number,
  slowMs: number,
  slowShare: number,
): NamedNetwork {
  const region = new Uint8Array(nodes);
  for (const id of shuffle(nodes, seed, 'slow').subarray(0, partOf(nodes, slowShare))) region[id] = 1;
  const endUs = [fastMs, slowMs].map((ms) => Math.max(1, Math.round(ms * 1000)));
  const latencies = steady((from, to) => Math.max(endUs[region[from]!]!, endUs[region[to]!]!));
  return { regionNames: ['fast', 'slow'], region, ...latencies };
}
