import { RandomStream, shuffle } from '@tutti/core';
import { durations, expected, requireArray, requireIn, requireObject, shares } from '@tutti/core/settings';

/** A share of validators that vote later than they could. */
export interface LateShare {
  /** Share of all validators. */
  readonly share: number;
  /** Delay, ms: uniform between the two values. */
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Times at which validators vote. Operators determine them, not the network, so they are an input. A number that
 * depends on a fit names its source.
 */
export interface Lateness {
  /**
   * Share of the validators that vote as soon as their node has processed the slot's block, if votes are not due yet.
   */
  readonly headShare: number;
  /**
   * Time at which nodes have processed it, ms since the slot began: the median, and the 99th percentile; log-normal
   * over nodes. Blocks differ from slot to slot; here their variation is drawn node by node.
   */
  readonly headMs: number;
  readonly headP99Ms: number;
  /** Additional delays by share; the rest has none. */
  readonly late: readonly LateShare[];
}

/** Lateness with which all vote when votes are due. */
export const onTime: Lateness = { headShare: 0, headMs: 0, headP99Ms: 0, late: [] };

const delays = durations(0, 60_000);

/** Checks a lateness. @throws RangeError that names the field; TypeError for anything but a lateness. */
export function validateLateness(lateness: Lateness): void {
  requireObject('lateness', lateness);
  requireIn('lateness.headShare', lateness.headShare, shares);
  requireIn('lateness.headMs', lateness.headMs, delays);
  requireIn('lateness.headP99Ms', lateness.headP99Ms, { ...delays, least: lateness.headMs });
  requireArray('lateness.late', lateness.late);
  for (const one of lateness.late) {
    requireObject('lateness.late', one);
    requireIn('share of lateness.late', one.share, shares);
    requireIn('fromMs of lateness.late', one.fromMs, delays);
    requireIn('toMs of lateness.late', one.toMs, { ...delays, least: one.fromMs });
  }
  const all = lateness.late.reduce((sum, { share }) => sum + share, 0);
  if (all > 1 + 1e-9) throw new RangeError(expected('shares of lateness.late together', 'at most 1', all));
}

/** The 99th percentile of a standard normal distribution. */
const z99 = 2.326;

/**
 * Returns the time at which each node casts its votes, µs since the slot began. All validators of a node vote together,
 * since they have one head and one operator. Shares are of nodes with validators.
 *
 * @param dueUs time at which votes are due.
 */
export function voteTimes(
  { headShare, headMs, headP99Ms, late }: Lateness,
  nodes: number,
  dueUs: number,
  seed: number,
): Int32Array {
  const times = new Int32Array(nodes).fill(dueUs);
  if (headShare === 0 && late.length === 0) return times;
  const random = new RandomStream(seed, 'lateness');
  const sigma = headMs === 0 ? 0 : Math.log(headP99Ms / headMs) / z99;
  const order = shuffle(nodes, seed, 'nodes that vote at the head');
  const early = Math.round(headShare * nodes);
  order.forEach((node, rank) => {
    if (rank < early) times[node] = Math.min(dueUs, Math.round(1000 * headMs * Math.exp(sigma * normal(random))));
    times[node]! += lateUs(late, random);
  });
  return times;
}

function lateUs(late: readonly LateShare[], random: RandomStream): number {
  let left = random.nextUnit();
  for (const { share, fromMs, toMs } of late) {
    if (left < share) return Math.round(1000 * (fromMs + (left / share) * (toMs - fromMs)));
    left -= share;
  }
  return 0;
}

/** Draws a normal variate (Box and Muller). */
function normal(random: RandomStream): number {
  return Math.sqrt(-2 * Math.log(1 - random.nextUnit())) * Math.cos(2 * Math.PI * random.nextUnit());
}
