import { placeNodes } from '@tutti/ethereum';
import type { TableLine } from '../state/tableFile.ts';
import type { NetworkLane } from './networkFile.ts';

/** Rows of `reach` whose node is of a class, by class: found once of each slot. */
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

/** Votes in reach of the watched nodes of a class of link, the mean, percent; undefined where none was watched. */
export function reachOfClass(lane: NetworkLane, of: number, step: number): number | undefined {
  return meanReach(lane, rowsByClass(lane)[of] ?? [], step);
}

/** The same of all nodes that were watched. */
export function reachOfNodes(lane: NetworkLane, step: number): number | undefined {
  return meanReach(lane, [...lane.steps.observers.keys()], step);
}

function meanReach({ steps }: NetworkLane, rows: readonly number[], step: number): number | undefined {
  if (rows.length === 0) return undefined;
  return rows.reduce((sum, row) => sum + steps.reach[row * steps.sent.length + step]!, 0) / rows.length;
}

/** Every node that was watched, and how many of the votes were in its reach. */
export function* nodeNumbers(lane: NetworkLane, step: number): Generator<TableLine> {
  yield ['node', 'class', 'in_reach_percent'];
  const { scenario, steps } = lane;
  for (const [of, rows] of rowsByClass(lane).entries())
    for (const row of rows)
      yield [steps.observers[row]!, scenario.links[of]!.name, steps.reach[row * steps.sent.length + step]!];
}

/** The global topic step by step: what was sent, and what a node of each class had verified. */
export function* queueNumbers({ scenario, steps }: NetworkLane): Generator<TableLine> {
  yield ['time_seconds', 'messages_sent', ...scenario.links.map(({ name }) => `verified_${name}`)];
  for (const [step, sent] of steps.sent.entries())
    yield [(step * steps.stepMs) / 1000, sent, ...steps.verified.map((counts) => counts[step]!)];
}
