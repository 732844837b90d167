import { placeNodes } from '@tutti/ethereum';
import type { TableLine } from '../state/tableFile.ts';
import type { NetworkLane } from './networkFile.ts';

/** Rows of `reach` for each class of nodes, cached per slot. */
const rowsOf = new WeakMap<NetworkLane, readonly (readonly number[])[]>();

function rowsByClass(lane: NetworkLane): readonly (readonly number[])[] {
  const { scenario, steps } = lane;
  const found = rowsOf.get(lane);
  if (found) return found;
  const { classOf } = placeNodes(scenario);
  const rows = scenario.links.map((_, of) =>
    [...steps.observers.keys()].filter((row) => classOf[steps.observers[row]!] === of),
  );
  rowsOf.set(lane, rows);
  return rows;
}

/**
 * Returns the mean share of the votes in reach over the observed nodes with a link class, percent; undefined if there
 * are none.
 */
export function reachOfClass(lane: NetworkLane, of: number, step: number): number | undefined {
  return meanReach(lane, rowsByClass(lane)[of] ?? [], step);
}

/** Returns the mean share of the votes in reach over all observed nodes, percent. */
export function reachOfNodes(lane: NetworkLane, step: number): number | undefined {
  return meanReach(lane, [...lane.steps.observers.keys()], step);
}

function meanReach({ steps }: NetworkLane, rows: readonly number[], step: number): number | undefined {
  if (rows.length === 0) return undefined;
  return rows.reduce((sum, row) => sum + steps.reach[row * steps.sent.length + step]!, 0) / rows.length;
}

/** Yields rows of all observed nodes with the number of votes in their reach. */
export function* nodeNumbers(lane: NetworkLane, step: number): Generator<TableLine> {
  yield ['node', 'class', 'in_reach_percent'];
  const { scenario, steps } = lane;
  for (const [of, rows] of rowsByClass(lane).entries())
    for (const row of rows)
      yield [steps.observers[row]!, scenario.links[of]!.name, steps.reach[row * steps.sent.length + step]!];
}

/** Yields rows of the global topic by step: the messages sent, and those verified by a node of each class. */
export function* queueNumbers({ scenario, steps }: NetworkLane): Generator<TableLine> {
  yield ['time_seconds', 'messages_sent', ...scenario.links.map(({ name }) => `verified_${name}`)];
  for (const [step, sent] of steps.sent.entries())
    yield [(step * steps.stepMs) / 1000, sent, ...steps.verified.map((counts) => counts[step]!)];
}
