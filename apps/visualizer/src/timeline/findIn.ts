import { LineKind } from '@tutti/simulation';
import { figure, ms } from '../formatNumber.ts';
import type { RunIndex } from './runIndex.ts';

/** Moment that a search has found, with its node. */
export interface Found {
  readonly timeUs: number;
  readonly node: number;
  readonly words: string;
}

const forms = 'expected a node such as 52, or a message such as 7 > 52';

/**
 * Finds the event that a text names. The text `52` stands for the next event of node 52, and `7 > 52` for the next
 * message from node 7 to node 52. The search starts over after the last event.
 *
 * @param afterUs moment after which the search begins, µs. @returns the found event, or a line with the expected text.
 */
export function findIn({ recording, lines }: RunIndex, text: string, afterUs: number): Found | string {
  const { world, kind, node, peer, timeUs, untilUs } = recording;
  const named = /^\D*?(\d{1,7})(?:\s*(?:>|→|-|to)+\s*\D*?(\d{1,7}))?\s*$/.exec(text.trim());
  if (named === null) return `${forms}; got ${text.trim() === '' ? 'nothing' : `“${text.trim().slice(0, 30)}”`}.`;
  const [first, second] = [Number(named[1]), named[2] === undefined ? undefined : Number(named[2])];
  const receiver = second ?? first;
  for (const id of [first, receiver])
    if (id >= world.nodes) return `Expected a node from 0 to ${figure(world.nodes - 1)}, got ${figure(id)}.`;
  const own = [...lines.line.subarray(lines.offset[receiver]!, lines.offset[receiver + 1]!)];
  const isArrival = (line: number) => kind[line] === LineKind.send;
  const wanted = second === undefined ? own : own.filter((line) => isArrival(line) && node[line] === first);
  // The position of a message is its departure, and that of a node's event its arrival at that node.
  const at = (line: number) => (second === undefined && isArrival(line) ? untilUs[line]! : timeUs[line]!);
  const times = wanted.map((line) => [at(line), line] as const).sort(([a], [b]) => a - b);
  const next = times.find(([us]) => us > afterUs) ?? times[0];
  if (next === undefined)
    return second === undefined
      ? `Node ${figure(first)} has no events in this run.`
      : `No message from node ${figure(first)} reaches node ${figure(receiver)} in this run.`;
  const [foundUs, line] = next;
  const place = `${figure(times.indexOf(next) + 1)} of ${figure(times.length)}`;
  const words = isArrival(line)
    ? `Message from node ${figure(node[line]!)} to node ${figure(peer[line]!)}: sent at ${ms(timeUs[line]!)}, received at ${ms(untilUs[line]!)} (${place}).`
    : `Node ${figure(receiver)} at ${ms(foundUs)} (event ${place}).`;
  return { timeUs: foundUs, node: receiver, words };
}
