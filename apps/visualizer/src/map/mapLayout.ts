import { forceCollide, forceSimulation, forceX, forceY, type GeoProjection, geoEquirectangular } from 'd3';
import type { Place } from './places.ts';

/** Returns points on the globe as unit vectors, three numbers per point. */
export function unitVectors(
  places: readonly { readonly latitude: number; readonly longitude: number }[],
): Float64Array {
  const vectors = new Float64Array(3 * places.length);
  for (const [at, { latitude, longitude }] of places.entries()) {
    const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    vectors.set([Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)], 3 * at);
  }
  return vectors;
}

/**
 * Sets `to` to the longitude and latitude, degrees, of the point at `share` of the shortest path from place `a` to
 * place `b`.
 */
export function alongGreatCircle(
  vectors: Float64Array,
  a: number,
  b: number,
  share: number,
  to: [number, number],
): void {
  const [ax, ay, az] = [vectors[3 * a]!, vectors[3 * a + 1]!, vectors[3 * a + 2]!];
  const [bx, by, bz] = [vectors[3 * b]!, vectors[3 * b + 1]!, vectors[3 * b + 2]!];
  const angle = Math.acos(Math.min(1, Math.max(-1, ax * bx + ay * by + az * bz)));
  const sine = Math.sin(angle);
  // The places are identical or antipodal; between antipodes, no path is the shortest.
  const [ka, kb] =
    sine < 1e-9 ? [1 - share, share] : [Math.sin((1 - share) * angle) / sine, Math.sin(share * angle) / sine];
  const [x, y, z] = [ka * ax + kb * bx, ka * ay + kb * by, ka * az + kb * bz];
  to[0] = (Math.atan2(y, x) * 180) / Math.PI;
  to[1] = (Math.atan2(z, Math.sqrt(x * x + y * y)) * 180) / Math.PI;
}

/** Positions of the parts of the map, CSS pixels. */
export interface MapLayout {
  readonly width: number;
  readonly height: number;
  readonly projection: GeoProjection;
  /** Half the side of the square of a node, CSS pixels. */
  readonly half: number;
  /** Places with their groups of nodes. Groups are moved apart if their places are too close together. */
  readonly places: readonly PlacedPlace[];
  /** Positions of all nodes by node id, CSS pixels. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Places of all nodes, by node id. */
  readonly placeOf: Int32Array;
}

/** Place on the map, CSS pixels. */
interface PlacedPlace {
  /** Position of the place. */
  readonly trueX: number;
  readonly trueY: number;
  /** Middle of the group of nodes, and the group's radius. */
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/**
 * Northern and southern limits of the map, degrees of latitude. If a place is beyond a limit, the map extends to the
 * place. The northern limit leaves space for paths over the pole.
 */
const [north, south] = [84, -50];
/** Rotation with which the map's edge is at the Bering Strait, degrees. */
const rotation = -11;
/** Share of the map's area that the squares of all nodes occupy, if the size limits of a square allow it. */
const nodesShare = 0.05;
/** Angle between consecutive nodes of a group, radians. With this angle, the nodes form an even spiral. */
const goldenAngle = Math.PI * (3 - Math.sqrt(5));

/** Returns the projection of a map with all places and of the given width, and the map's height, CSS pixels. */
function mapProjection(
  places: readonly Place[],
  width: number,
): { readonly projection: GeoProjection; readonly height: number } {
  const projection = geoEquirectangular().rotate([rotation, 0]).fitWidth(width, { type: 'Sphere' });
  const top = projection([-rotation, places.reduce((max, { latitude }) => Math.max(max, latitude), north)])![1];
  const bottom = projection([-rotation, places.reduce((min, { latitude }) => Math.min(min, latitude), south)])![1];
  const [x, y] = projection.translate();
  projection.translate([x, y - top]);
  return { projection, height: Math.round(bottom - top) };
}

/** Computes the layout of the map. @param nodes total number of nodes. @param width width of the map, CSS pixels. */
export function mapLayout(places: readonly Place[], nodes: number, width: number): MapLayout {
  const { projection, height } = mapProjection(places, width);
  const half = Math.min(4, Math.max(0.75, Math.sqrt((nodesShare * width * height) / Math.max(1, nodes)) / 2));
  const pitch = half * 2 + Math.min(1.2, half * 0.5);
  const singleRadius = half * 1.4;
  const bodies = places.map(({ latitude, longitude, nodes: here }) => {
    const [trueX, trueY] = projection([longitude, latitude])!;
    const radius = here.length === 1 ? singleRadius : pitch * 0.62 * Math.sqrt(here.length) + half;
    return { trueX, trueY, x: trueX, y: trueY, radius };
  });
  // If every place has a single node, all places keep their positions.
  if (bodies.some(({ radius }) => radius > singleRadius)) {
    forceSimulation(bodies)
      .force('x', forceX<PlacedPlace>(({ trueX }) => trueX).strength(0.12))
      .force('y', forceY<PlacedPlace>(({ trueY }) => trueY).strength(0.12))
      .force('apart', forceCollide<PlacedPlace>(({ radius }) => radius + 1.5).iterations(3))
      .stop()
      .tick(160);
    for (const body of bodies) {
      body.x = Math.min(width - body.radius, Math.max(body.radius, body.x));
      body.y = Math.min(height - body.radius, Math.max(body.radius, body.y));
    }
  }
  const x = new Float64Array(nodes);
  const y = new Float64Array(nodes);
  const placeOf = new Int32Array(nodes);
  for (const [place, { nodes: here }] of places.entries()) {
    const body = bodies[place]!;
    for (const [at, id] of here.entries()) {
      const distance = here.length === 1 ? 0 : pitch * 0.6 * Math.sqrt(at + 0.5);
      x[id] = body.x + distance * Math.cos(at * goldenAngle);
      y[id] = body.y + distance * Math.sin(at * goldenAngle);
      placeOf[id] = place;
    }
  }
  return { width, height, projection, half, places: bodies, x, y, placeOf };
}
