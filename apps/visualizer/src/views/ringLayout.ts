import type { RecordedWorld } from '@tutti/simulation';

/** Order of the nodes on the ring. */
export type RingOrder = 'tree' | 'region';

/** Positions of the nodes on the ring, as angles in radians, clockwise from the top. */
export interface RingLayout {
  readonly angle: Float64Array;
  /** Named arcs of neighbouring nodes. They are the regions if nodes are arranged by region. */
  readonly arcs: readonly RingArc[];
}

export interface RingArc {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const regionGap = 0.05;

export function ringLayout(world: RecordedWorld, order: RingOrder): RingLayout {
  const { nodes } = world;
  if (order === 'tree') {
    return { angle: Float64Array.from({ length: nodes }, (_, id) => ((id + 0.5) / nodes) * 2 * Math.PI), arcs: [] };
  }
  const byRegion = world.regionNames.map((name, region) => ({
    name,
    ids: Array.from({ length: nodes }, (_, id) => id).filter((id) => world.region[id] === region),
  }));
  const present = byRegion.filter(({ ids }) => ids.length > 0);
  const gap = present.length > 1 ? Math.min(regionGap, Math.PI / present.length) : 0;
  const each = (2 * Math.PI - gap * present.length) / nodes;
  const angle = new Float64Array(nodes);
  const arcs: RingArc[] = [];
  let at = gap / 2;
  for (const { name, ids } of present) {
    const from = at;
    for (const id of ids) {
      angle[id] = at + each / 2;
      at += each;
    }
    arcs.push({ name, from, to: at });
    at += gap;
  }
  return { angle, arcs };
}

/** Returns the node nearest to a direction. */
export function nearestOnRing(angle: Float64Array, direction: number): number {
  let nearest = 0;
  let min = Number.POSITIVE_INFINITY;
  for (let id = 0; id < angle.length; id++) {
    const apart = Math.abs(turn(angle[id]! - direction));
    if (apart < min) [nearest, min] = [id, apart];
  }
  return nearest;
}

/** Returns the equivalent angle in (-pi, pi]. */
export function turn(radians: number): number {
  const full = 2 * Math.PI;
  const once = ((radians % full) + full) % full;
  return once > Math.PI ? once - full : once;
}
