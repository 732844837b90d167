import { peerSet } from '@tutti/core';
import type { Recording } from '@tutti/simulation';
import { hasLevels } from '../timeline/heldSteps.ts';

/**
 * Positions in a time-space diagram of one node's messages. Time runs to the right, and the node's own line is in the
 * middle. The peers from which messages arrive are above it. The peers to which messages are sent are below it,
 * mirrored. Each level has one band, and lower levels are nearer to the middle.
 */
export interface TimeSpaceLayout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  /** Vertical middle of the node's own line. */
  readonly selfY: number;
  readonly selfHalf: number;
  readonly bandHeight: number;
  /** Number of bands on each side. */
  readonly bands: number;
  /** Returns the edge of a band that is nearest to the node's own line. @param side -1 above, 1 below. */
  readonly bandY: (band: number, side: -1 | 1) => number;
  /** Returns the position of a peer's line, or undefined for a node on no level. */
  readonly peerY: (peer: number, level: number, side: -1 | 1) => number | undefined;
}

/** Space above the first band and below the last one. */
const edge = { top: 6, bottom: 26 } as const;

export function timeSpaceLayout(
  { scenario, world }: Pick<Recording, 'scenario' | 'world'>,
  id: number,
  width: number,
): TimeSpaceLayout {
  const narrow = width < 560;
  const levelled = hasLevels(scenario.protocol);
  const bands = levelled ? Math.max(1, world.levels) : 1;
  const bandHeight = levelled ? Math.min(30, Math.max(13, 190 / bands)) : 150;
  const selfHalf = 13;
  const selfY = edge.top + bands * bandHeight + selfHalf;
  const bandY = (band: number, side: -1 | 1) => selfY + side * (selfHalf + (band - 1) * bandHeight);
  const inset = Math.min(3, bandHeight / 6);
  const peers = Array.from({ length: bands + 1 }, (_, level) =>
    levelled && level > 0
      ? peerSet(id, level, world.nodes, scenario.tree, scenario.branching)
      : { start: 0, end: world.nodes },
  );
  return {
    width,
    height: selfY + selfHalf + bands * bandHeight + edge.bottom,
    left: narrow ? 34 : 58,
    right: width - (narrow ? 20 : 22),
    selfY,
    selfHalf,
    bandHeight,
    bands,
    bandY,
    peerY(peer, level, side) {
      const band = levelled ? level : 1;
      const set = peers[band];
      if (set === undefined || band < 1 || peer < set.start || peer >= set.end) return undefined;
      const share = (peer - set.start + 0.5) / (set.end - set.start);
      return bandY(band, side) + side * (inset + share * (bandHeight - 2 * inset));
    },
  };
}
