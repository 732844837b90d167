import type { RandomStream } from '@tutti/core';
import { createMesh, type Mesh } from '@tutti/core/protocols';
import { createNetwork } from '../engine/network/network.ts';

/** A topic whose messages' arrival times are wanted. */
export interface TopicSetting {
  /** Live subscribers. */
  readonly members: number;
  readonly degree: number;
  readonly network: string;
  readonly tor: number;
  /** What a member takes to verify a message before it forwards it, microseconds. */
  readonly costUs: number;
  /** Messages that are published at about the same time. */
  readonly burst: number;
  /** Within which time they are published, microseconds. */
  readonly spreadUs: number;
  readonly seed: number;
}

/** A mesh on a network, both drawn. */
export function drawTopic(
  { degree, network, tor }: TopicSetting,
  members: number,
  random: RandomStream,
): { mesh: Mesh; byRegion: Int32Array; oneWayUs: (from: number, to: number) => number } {
  const model = createNetwork(network, members, random.nextUint32(), tor);
  const mesh = createMesh(members, degree, random.nextUint32());
  const byRegion = Int32Array.from({ length: members }, (_, member) => member).sort(
    (a, b) => model.region[a]! - model.region[b]! || a - b,
  );
  return { mesh, byRegion, oneWayUs: (from, to) => model.oneWayUs(from, to) };
}
