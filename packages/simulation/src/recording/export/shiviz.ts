import { refusalName } from '@tutti/core';
import { expected, requireInteger, requireObject } from '@tutti/core/input';
import { LineKind, type Recording, requireRecording } from '../recording.ts';
import { Moments } from './moments.ts';

/** Regular expression with which ShiViz reads a log; the log's first line contains it too. */
export const shivizParser = String.raw`(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`;

/** Options of {@link shivizLog}. */
export interface ShivizOptions {
  /** Maximum number of nodes that start, whether honest or Byzantine. Default: 128. */
  readonly maxNodes?: number;
}

/** Number of characters per part of a log. */
const partLength = 1 << 16;

/**
 * Yields a run as a ShiViz log, in parts to write one after another: every step of every node with its vector clock,
 * which shows possible causes and effects. A node's own entry counts the node's events; on receiving a message, the
 * node takes the maximum of each entry. The log begins with {@link shivizParser} and an empty line, as ShiViz's own
 * tools write it.
 *
 * A clock has an entry for every known node, so a log grows faster than the square of the number of nodes: 4 MB for 64
 * nodes, 90 MB for 256 nodes. ShiViz draws every event.
 *
 * @throws RangeError for a recording without sends, a `maxNodes` that is no integer of at least 1, or a recording in
 * which more nodes start.
 */
export function* shivizLog(recording: Recording, options: ShivizOptions = {}): Generator<string> {
  requireRecording(recording);
  requireObject('options', options);
  const { maxNodes = 128 } = options;
  const { kind, node, peer, level, value, untilUs, world, sends } = recording;
  if (!sends) throw new RangeError(expected('recording.sends', 'true, because vector clocks need messages', sends));
  requireInteger('maxNodes', maxNodes, 1, 2 ** 20);
  const started = world.startUs.filter((us) => us !== -1).length;
  const limit = `at most ${maxNodes} nodes that start, because the size of a log grows faster than the square of their number`;
  if (started > maxNodes) throw new RangeError(expected('nodes', limit, started));
  /** Vector clocks by id; a node without an event has none. */
  const clocks: Int32Array[] = [];
  /** Vector clocks carried by messages in flight, by the index of the `send` line. */
  const underway = new Map<number, Int32Array>();
  let part = `${shivizParser}\n\n`;
  const moments = new Moments(recording);
  while (moments.next()) {
    const { line, isEnd } = moments;
    const what = kind[line] as LineKind;
    if (isEnd && what !== LineKind.send) continue;
    const host = isEnd ? peer[line]! : node[line]!;
    clocks[host] ??= new Int32Array(world.nodes);
    const clock = clocks[host];
    const carried = isEnd ? underway.get(line) : undefined;
    if (carried) {
      for (let id = 0; id < carried.length; id++) clock[id] = Math.max(clock[id]!, carried[id]!);
      underway.delete(line);
    }
    clock[host]!++;
    if (!isEnd && what === LineKind.send && untilUs[line] !== -1) underway.set(line, clock.slice());
    const event = isEnd
      ? `receive level ${level[line]} from node-${node[line]}`
      : describe(what, peer[line]!, level[line]!, value[line]!);
    part += `node-${host} ${clockText(clock, host)}\n${(moments.timeUs / 1000).toFixed(3)} ms: ${event}\n`;
    if (part.length >= partLength) {
      yield part;
      part = '';
    }
  }
  yield part;
}

function describe(kind: LineKind, peer: number, level: number, value: number): string {
  switch (kind) {
    case LineKind.start:
      return 'start';
    case LineKind.send:
      return `send level ${level} to node-${peer}, weight ${value}`;
    case LineKind.check:
      return `check level ${level} from ${peer === -1 ? 'several nodes' : `node-${peer}`}, weight ${Math.abs(value)}${value < 0 ? ', invalid' : ''}`;
    case LineKind.improve:
      return `improve level ${level} to weight ${value}`;
    case LineKind.output:
      return `output of weight ${value}`;
    case LineKind.refuse:
      return `refuse a message of node-${peer}: ${refusalName(value)}`;
    case LineKind.blacklist:
      return `blacklist node-${peer}`;
  }
}

/** Returns the clock in ShiViz's format: JSON with the non-zero entries, the host's own entry first. */
function clockText(clock: Int32Array, host: number): string {
  let text = `{"node-${host}":${clock[host]}`;
  for (let id = 0; id < clock.length; id++) {
    if (clock[id] !== 0 && id !== host) text += `,"node-${id}":${clock[id]}`;
  }
  return `${text}}`;
}
