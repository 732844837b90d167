import { RandomStream, shuffle } from '@tutti/core';
import { durations, expected, requireArray, requireIn, requireObject, shares } from '@tutti/core/input';

/** A share of the nodes with validators that vote with a delay. */
export interface LateShare {
  /** Share of the nodes with validators. All validators of a node have the same delay. */
  readonly share: number;
  /** Minimum delay, ms. The delay is uniform between this value and `toMs`. */
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Times at which validators vote. They depend on operators, not on the network, so they are an input. A number that
 * comes from a fit names its source.
 */
export interface Lateness {
  /**
   * Share of the nodes with validators that vote as soon as they have processed the slot's block, if votes are not due
   * yet.
   */
  readonly headShare: number;
  /** Median of the time at which nodes have processed the slot's block, ms since the slot began. Greater than 0 if `headShare` is. */
  readonly headMs: number;
  /**
   * 99th percentile of the time at which nodes have processed the slot's block, ms since the slot began. The
   * distribution over nodes is log-normal. In reality blocks differ from slot to slot; here that variation is drawn per
   * node.
   */
  readonly headP99Ms: number;
  /** Additional delays by share. The remaining nodes have no delay. */
  readonly late: readonly LateShare[];
}

/** Lateness with which all validators vote when votes are due. */
export const onTime: Lateness = { headShare: 0, headMs: 0, headP99Ms: 0, late: [] };

const delays = durations(0, 60_000);

/** Checks a lateness. @throws RangeError that names the field; TypeError for a value that is not a lateness. */
export function validateLateness(lateness: Lateness): void {
  requireObject('lateness', lateness);
  requireIn('lateness.headShare', lateness.headShare, shares);
  requireIn('lateness.headMs', lateness.headMs, delays);
  if (lateness.headShare > 0 && lateness.headMs === 0)
    throw new RangeError(expected('lateness.headMs', 'over 0 if headShare is over 0', lateness.headMs));
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
 * because they share one head and one operator. Shares refer to nodes with validators.
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
  const order = shuffle(nodes, seed, 'nodes that vote at the head');
  const early = Math.round(headShare * nodes);
  const sigma = early === 0 ? 0 : Math.log(headP99Ms / headMs) / z99;
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
