import { expected } from '../errors.ts';
import { shuffle } from '../overlay/shuffle.ts';
import { mix32, RandomStream } from '../random.ts';
import { awsOneWayUs, awsRegions } from './awsLatency.ts';

/** Where nodes are and how long a message takes between them. */
export interface NetworkModel {
  readonly regionNames: readonly string[];
  /** Index into `regionNames`, one a node. */
  readonly region: Uint8Array;
  /**
   * One way from one node to another, integer microseconds, at least 1. Each call draws the next value of the sender's stream, so that one
   * sender's messages do not change another's.
   */
  oneWayUs(from: number, to: number): number;
}

/** The networks that a scenario can name, for messages to people. */
export const networkForms = 'aws, distance or constant:MS with MS from 0 to 60000';

/** @throws RangeError for a name that is none of {@link networkForms}. */
export function createNetwork(name: string, nodes: number, seed: number): NetworkModel {
  if (name === 'aws') return awsNetwork(nodes, seed);
  if (name === 'distance') return distanceNetwork(nodes, seed);
  const constant = /^constant:(\d+(?:\.\d+)?)$/.exec(name);
  const latencyMs = constant === null ? Number.NaN : Number(constant[1]);
  if (latencyMs <= 60_000) return constantNetwork(nodes, latencyMs);
  throw new RangeError(expected('network', networkForms, name));
}

/** Nodes spread evenly over the regions, by seed; half of a round trip and the internet's jitter. */
function awsNetwork(nodes: number, seed: number): NetworkModel {
  const region = Uint8Array.from(shuffle(nodes, seed, 'regions'), (place) => place % awsRegions.length);
  const between = new Int32Array(16 * awsRegions.length);
  for (let a = 0; a < awsRegions.length; a++) {
    for (let b = 0; b < awsRegions.length; b++) between[a * 16 + b] = awsOneWayUs(a, b);
  }
  const jitter = new Jitter(nodes, seed);
  return {
    regionNames: awsRegions,
    region,
    oneWayUs: (from, to) => between[region[from]! * 16 + region[to]!]! + jitter.nextUs(from),
  };
}

function constantNetwork(nodes: number, latencyMs: number): NetworkModel {
  const latencyUs = Math.max(1, Math.round(latencyMs * 1000));
  return { regionNames: ['everywhere'], region: new Uint8Array(nodes), oneWayUs: () => latencyUs };
}

/** Round trip per mile and for any distance, ms, as the simulator of the paper has them; half of it is one way. */
const roundTripPerMileMs = 0.022;
const roundTripBaseMs = 4.862;
const earthRadiusMiles = 3958.8;

/** Nodes uniformly on the globe, by seed; latency by great-circle distance and the internet's jitter. */
function distanceNetwork(nodes: number, seed: number): NetworkModel {
  const random = new RandomStream(seed, 'places');
  const place = new Float64Array(3 * nodes);
  for (let id = 0; id < nodes; id++) {
    const z = 2 * random.nextUnit() - 1;
    const longitude = 2 * Math.PI * random.nextUnit();
    const fromAxis = Math.sqrt(1 - z * z);
    place[3 * id] = fromAxis * Math.cos(longitude);
    place[3 * id + 1] = fromAxis * Math.sin(longitude);
    place[3 * id + 2] = z;
  }
  const jitter = new Jitter(nodes, seed);
  return {
    regionNames: ['globe'],
    region: new Uint8Array(nodes),
    oneWayUs(from, to) {
      const cosine =
        place[3 * from]! * place[3 * to]! +
        place[3 * from + 1]! * place[3 * to + 1]! +
        place[3 * from + 2]! * place[3 * to + 2]!;
      const miles = earthRadiusMiles * Math.acos(Math.min(1, Math.max(-1, cosine)));
      return Math.round((roundTripPerMileMs * miles + roundTripBaseMs) * 500) + jitter.nextUs(from);
    },
  };
}

/** Entries of the jitter's quantile table: a table look-up costs a third of the power that the variate needs. */
const quantiles = 4096;

/**
 * The internet's jitter as the simulator of the paper draws it: a generalised Pareto variate in ms with shape 1.4, location -0.3 and scale
 * 0.35 (median 0.11, 90th percentile 5.7), not under 0 and capped at the 99th percentile.
 */
class Jitter {
  static readonly #tableUs = Jitter.#makeTable();
  readonly #state: Int32Array;

  constructor(nodes: number, seed: number) {
    const random = new RandomStream(seed, 'latency');
    this.#state = Int32Array.from({ length: nodes }, () => random.nextUint32() | 0);
  }

  /** The next of the sender's delays: a Weyl sequence, mixed. */
  nextUs(sender: number): number {
    const state = (this.#state[sender]! + 0x9e3779b9) | 0;
    this.#state[sender] = state;
    return Jitter.#tableUs[mix32(state) >>> 20]!;
  }

  static #makeTable(): Int32Array {
    return Int32Array.from({ length: quantiles }, (_, index) => {
      const u = Math.min(0.99, (index + 0.5) / quantiles);
      return Math.max(0, Math.round(1000 * (-0.3 + (0.35 * ((1 - u) ** -1.4 - 1)) / 1.4)));
    });
  }
}
