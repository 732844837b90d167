import type { RandomStream } from '@tutti/core';
import { plainMesh } from '@tutti/core/horn';
import type { GossipsubParameters } from '../../horn/network/gossipsub.ts';

/** Mesh of a topic. Members are identified by their index in the topic's list. */
export interface TopicMesh {
  /** Mesh peers of each member. */
  readonly peers: readonly Int32Array[];
  /** Index of the member in each peer's list. */
  readonly back: readonly Int32Array[];
}

/**
 * Draws a mesh as gossipsub maintains it. At each heartbeat, a node with fewer than D_low peers grafts up to D peers,
 * except those that have D_high. This repeats until nothing changes, at most ten times. Grafts are mutual, so no node
 * ever has more than D_high peers and has to prune. Scores and outbound quotas are not modelled.
 */
export function drawMesh(
  members: number,
  { d, dLow, dHigh }: Pick<GossipsubParameters, 'd' | 'dLow' | 'dHigh'>,
  random: RandomStream,
): TopicMesh {
  const peers: Set<number>[] = Array.from({ length: members }, () => new Set());
  if (members - 1 <= d) {
    for (let a = 0; a < members; a++) for (let b = 0; b < members; b++) if (a !== b) peers[a]!.add(b);
    return lists(peers);
  }
  for (let heartbeat = 0; heartbeat < 10; heartbeat++) {
    let isQuiet = true;
    for (let a = 0; a < members; a++) {
      const of = peers[a]!;
      if (of.size < dLow) {
        isQuiet = false;
        for (let tries = 0; of.size < d && tries < 20 * d; tries++) {
          const b = random.nextBelow(members);
          // A node with D_high peers rejects a graft.
          if (b === a || of.has(b) || peers[b]!.size >= dHigh) continue;
          of.add(b);
          peers[b]!.add(a);
        }
      }
    }
    if (isQuiet) break;
  }
  return lists(peers);
}

function lists(sets: readonly ReadonlySet<number>[]): TopicMesh {
  return meshOf(sets.map((of) => Int32Array.from(of)));
}

/** Draws a random mesh in which every member has D neighbours, if there are enough other members. */
export function drawPlainMesh(members: number, { d }: Pick<GossipsubParameters, 'd'>, random: RandomStream): TopicMesh {
  return meshOf(plainMesh(members, d, random));
}

/** Returns the total number of peers that members lack. The target is D, or all other members if there are fewer. */
export function missingPeers(peers: readonly Int32Array[], d: number): number {
  const aim = Math.min(d, Math.max(0, peers.length - 1));
  return peers.reduce((sum, of) => sum + aim - of.length, 0);
}

/**
 * Creates a mesh from its edges.
 *
 * @param peers peers of each member; the relation must be mutual.
 */
function meshOf(peers: readonly Int32Array[]): TopicMesh {
  const back = peers.map((of, a) => of.map((b) => peers[b]!.indexOf(a)));
  return { peers, back };
}
