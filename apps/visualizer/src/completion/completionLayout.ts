import type { PublishedRow } from '@tutti/lab';
import { NodeRole, type Recording } from '@tutti/simulation';
import { count } from '../formatNumber.ts';
import { unlikePublished } from '../growth/growth.ts';
import { heldSinceUs } from '../timeline/heldSteps.ts';
import type { RunIndex } from '../timeline/runIndex.ts';

/** Returns the published rows of the next smaller and the next larger size, or of the same size. */
export function publishedNear(rows: readonly PublishedRow[], nodes: number): readonly PublishedRow[] {
  const same = rows.find((row) => row.nodes === nodes);
  if (same) return [same];
  const below = rows.findLast((row) => row.nodes < nodes);
  const above = rows.find((row) => row.nodes > nodes);
  return [below, above].filter((row) => row !== undefined);
}

/** Describes the picture. */
export function completionWords(
  { result, scenario }: Pick<Recording, 'result' | 'scenario'>,
  rows: readonly PublishedRow[],
): string {
  const { reached, live, timeToThresholdMs: time } = result;
  if (reached === 0) return 'No node reached the threshold.';
  const all = reached === live ? `All ${count(live)}` : `${count(reached)} of ${count(live)}`;
  const own = `Each square is a node, placed at the time when it reached the threshold. ${all}: ${time.min.toFixed(0)} to ${time.max.toFixed(0)}\u00a0ms, ${time.mean.toFixed(0)}\u00a0ms on average.`;
  if (rows.length === 0) return own;
  const unlike = unlikePublished(scenario);
  // The paper does not have gossip; its published tables do.
  const source = scenario.protocol === 'gossip' ? ' at a threshold of 51\u00a0%' : ' (section 7)';
  const setting = unlike.length === 0 ? '' : ` This run differs from the paper’s runs: it has ${unlike.join(', ')}.`;
  return `${own} Below: min, mean and max, measured by the paper’s authors${source}.${setting}`;
}

/**
 * Returns the time at which each node reached the threshold, by id, µs; -1 for a node that never did or is not honest.
 */
export function completionTimes({ recording: { world }, steps }: Pick<RunIndex, 'recording' | 'steps'>): Int32Array {
  return Int32Array.from({ length: world.nodes }, (_, id) =>
    world.alive[id] === NodeRole.honest ? (heldSinceUs(steps, id, world.threshold) ?? -1) : -1,
  );
}

/** Nodes piled up at their times, in columns of equal width. The earliest node of a column is at its bottom. */
export interface Pile {
  /** Nodes that reached the threshold, in order of time. */
  readonly id: Int32Array;
  readonly timeUs: Int32Array;
  /** Column of each node; column 0 begins at time 0. */
  readonly column: Int32Array;
  /** Number of nodes below each node in its column. */
  readonly row: Int32Array;
  readonly columnUs: number;
  /** Number of nodes in the highest column. */
  readonly highest: number;
}

/** @param columnUs width of a column, µs. */
export function pileOf(times: Int32Array, columnUs: number): Pile {
  const order = Int32Array.from([...times.keys()].filter((id) => times[id]! >= 0));
  order.sort((a, b) => times[a]! - times[b]! || a - b);
  const column = order.map((id) => Math.floor(times[id]! / columnUs));
  const row = new Int32Array(order.length);
  let highest = 0;
  for (let at = 0; at < order.length; at++) {
    row[at] = at > 0 && column[at] === column[at - 1] ? row[at - 1]! + 1 : 0;
    highest = Math.max(highest, row[at]! + 1);
  }
  return { id: order, timeUs: order.map((id) => times[id]!), column, row, columnUs, highest };
}

/** Returns a readable time step, 1, 2 or 5 times a power of ten ms: the smallest whose columns are wide enough. */
export function columnUsFor(spanUs: number, width: number, minPx: number): number {
  const min = (spanUs / Math.max(1, width)) * minPx;
  for (let power = 100; ; power *= 10) for (const step of [1, 2, 5]) if (step * power >= min) return step * power;
}
