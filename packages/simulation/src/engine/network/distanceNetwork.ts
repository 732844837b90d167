import { RandomStream } from '@tutti/core';
import { requireFunction } from '@tutti/core/input';
import { Jitter, type NamedNetwork } from './networkModel.ts';

const earthRadiusMiles = 3958.8;
/** Round trip per mile, and minimum round trip, ms, as in the paper's simulator. */
const roundTripPerMileMs = 0.022;
const roundTripBaseMs = 4.862;

/** Points on the globe as unit vectors, three numbers each. */
export class Globe {
  readonly #at: Float64Array;

  constructor(points: number) {
    this.#at = new Float64Array(3 * points);
  }

  /** Sets the position of a point. @param height the sine of the latitude. @param longitude the longitude, radians. */
  place(point: number, height: number, longitude: number): void {
    const fromAxis = Math.sqrt(1 - height * height);
    this.#at[3 * point] = fromAxis * Math.cos(longitude);
    this.#at[3 * point + 1] = fromAxis * Math.sin(longitude);
    this.#at[3 * point + 2] = height;
  }

  /** Returns the one-way latency between two points by great-circle distance, integer µs (v1.03 appendix A). */
  oneWayUs(a: number, b: number): number {
    const at = this.#at;
    const cosine = at[3 * a]! * at[3 * b]! + at[3 * a + 1]! * at[3 * b + 1]! + at[3 * a + 2]! * at[3 * b + 2]!;
    const miles = earthRadiusMiles * Math.acos(Math.min(1, Math.max(-1, cosine)));
    const roundTripMs = roundTripPerMileMs * miles + roundTripBaseMs;
    return Math.round(roundTripMs * 500);
  }
}

/**
 * Draws the positions of the nodes in the network `distance` from the seed, uniformly distributed on the globe.
 *
 * @param place called once per node with the sine of its latitude and its longitude, radians.
 */
export function drawOnGlobe(
  nodes: number,
  seed: number,
  place: (id: number, height: number, longitude: number) => void,
): void {
  requireFunction('place', place);
  const random = new RandomStream(seed, 'places');
  for (let id = 0; id < nodes; id++) {
    const height = 2 * random.nextUnit() - 1;
    place(id, height, 2 * Math.PI * random.nextUnit());
  }
}

/**
 * Creates the network `distance`: nodes are uniformly distributed on the globe, drawn from the seed; latencies follow
 * the great-circle distance, plus the internet's jitter.
 */
export function distanceNetwork(nodes: number, seed: number): NamedNetwork {
  const globe = new Globe(nodes);
  drawOnGlobe(nodes, seed, (id, height, longitude) => globe.place(id, height, longitude));
  const latencies = new Jitter(nodes, seed).along((from, to) => globe.oneWayUs(from, to));
  return { regionNames: ['globe'], region: new Uint8Array(nodes), ...latencies };
}
