import { refusalName } from '@tutti/core';
import { requireObject } from '@tutti/core/internal';
import { LineKind, type Recording, requireRecording } from '../recording.ts';
import { Moments } from './moments.ts';
import { EventType, PerfettoWriter } from './perfettoWriter.ts';

export interface PerfettoOptions {
  /**
   * Draw messages: an instant at the sender, one at the receiver and an arrow between. Default true; nine tenths of a
   * trace.
   */
  readonly messages?: boolean;
}

/** Numbers of tracks: those of the run, of the regions, of the nodes, and of what nodes hold. */
const runTrack = 1;
const inFlightTrack = 2;
const reachedTrack = 3;
const firstRegionTrack = 16;
const firstNodeTrack = 1024;
const firstHeldTrack = firstNodeTrack + 2 ** 20;

/** Packets after which a part of a trace is handed out, about a megabyte. */
const partPackets = 1 << 14;
/**
 * Time between two values of the counter of messages in flight: each message changes it twice, and nobody can see that.
 */
const inFlightEveryUs = 1000;

/**
 * A run as a Perfetto trace, in parts to be written one after another. A region is a process, a live node is a thread
 * in it; a verification is a slice, which ends with the check, or not at all if the run ended before it; a message is a
 * flow from an instant at its sender to one at its receiver; a completed level, an output, a refusal and a blacklisting
 * are instants. Counters are the contributions that each node holds, the messages in flight, and the nodes that have
 * given an output.
 *
 * The protobuf form is used, because in the JSON form overlapping slices are lost. Times are from the run's common
 * start.
 */
export function* perfettoTrace(
  recording: Recording,
  options: PerfettoOptions = {},
): Generator<Uint8Array<ArrayBuffer>> {
  requireRecording(recording);
  requireObject('options', options);
  const { kind, node, peer, level, value, set, untilUs, world, sends } = recording;
  const messages = sends && options.messages !== false;
  const out = new PerfettoWriter();
  describeTracks(out, recording);
  if (out.packets > 0) yield out.take();

  const held = new Held(world.nodes, world.levels);
  const hasOutput = new Uint8Array(world.nodes);
  let reached = 0;
  let inFlight = 0;
  let inFlightFromUs = 0;
  const moments = new Moments(recording);
  while (moments.next()) {
    const { line, isEnd, timeUs } = moments;
    const id = node[line]!;
    const other = peer[line]!;
    const what = kind[line]!;
    if (messages && timeUs >= inFlightFromUs) {
      out.counter(timeUs, inFlightTrack, inFlight);
      inFlightFromUs = timeUs + inFlightEveryUs;
    }
    if (isEnd) {
      if (what === LineKind.check) out.event(timeUs, EventType.sliceEnd, firstNodeTrack + id).end();
      else if (what === LineKind.send) {
        inFlight--;
        if (messages) {
          const receive = out.event(timeUs, EventType.instant, firstNodeTrack + other, `receive level ${level[line]}`);
          receive
            .annotate('from', id)
            .endFlow(line + 1)
            .end();
        }
      }
    } else if (what === LineKind.send) {
      const isLost = untilUs[line] === -1;
      if (!isLost) inFlight++;
      if (messages) {
        const name = `send level ${level[line]}${isLost ? ', lost' : ''}`;
        const send = out.event(timeUs, EventType.instant, firstNodeTrack + id, name);
        send.annotate('to', other).annotate('weight', value[line]!);
        if (!isLost) send.beginFlow(line + 1);
        send.end();
      }
    } else if (what === LineKind.check) {
      const name = `check level ${level[line]}${value[line]! < 0 ? ', invalid' : ''}`;
      const check = out.event(timeUs, EventType.sliceBegin, firstNodeTrack + id, name);
      check.annotate('from', other).annotate('weight', Math.abs(value[line]!)).end();
    } else if (what === LineKind.improve) {
      out.counter(timeUs, firstHeldTrack + id, held.onImprove(id, level[line]!, value[line]!));
      if (set[line] === -1) {
        out.event(timeUs, EventType.instant, firstNodeTrack + id, `level ${level[line]} complete`).end();
      }
    } else if (what === LineKind.start) {
      out.event(timeUs, EventType.instant, firstNodeTrack + id, 'start').end();
      out.counter(timeUs, firstHeldTrack + id, held.onStart(id));
    } else if (what === LineKind.output) {
      out
        .event(timeUs, EventType.instant, firstNodeTrack + id, 'output')
        .annotate('weight', value[line]!)
        .end();
      if (hasOutput[id] === 0) {
        hasOutput[id] = 1;
        out.counter(timeUs, reachedTrack, ++reached);
      }
    } else if (what === LineKind.refuse) {
      const name = `refuse: ${refusalName(value[line]!)}`;
      out
        .event(timeUs, EventType.instant, firstNodeTrack + id, name)
        .annotate('from', other)
        .end();
    } else if (what === LineKind.blacklist) {
      out
        .event(timeUs, EventType.instant, firstNodeTrack + id, 'blacklist')
        .annotate('from', other)
        .end();
    }
    if (out.packets >= partPackets) yield out.take();
  }
  if (out.packets > 0) yield out.take();
}

function describeTracks(out: PerfettoWriter, { scenario, result, world, sends }: Recording): void {
  const run = `${scenario.protocol}, ${world.nodes} nodes, seed ${scenario.seed}, version ${result.version}, digest ${result.digest}`;
  out.describeProcess(runTrack, run);
  if (sends) out.describeCounter(inFlightTrack, runTrack, 'messages in flight');
  out.describeCounter(reachedTrack, runTrack, 'nodes with an output');
  for (const [region, name] of world.regionNames.entries()) out.describeProcess(firstRegionTrack + region, name);
  for (let id = 0; id < world.nodes; id++) {
    if (world.alive[id] === 0) continue;
    out.describeThread(firstNodeTrack + id, firstRegionTrack + world.region[id]!, `node ${id}`);
    out.describeCounter(firstHeldTrack + id, firstNodeTrack + id, 'contributions held');
  }
}

/** How many contributions each node holds: its own and the weight of every In_level. */
class Held {
  readonly #levels: number;
  readonly #inLevel: Int32Array;
  readonly #total: Int32Array;

  constructor(nodes: number, levels: number) {
    this.#levels = levels;
    this.#inLevel = new Int32Array(nodes * (levels + 1));
    this.#total = new Int32Array(nodes);
  }

  onStart(id: number): number {
    this.#total[id]!++;
    return this.#total[id]!;
  }

  onImprove(id: number, level: number, weight: number): number {
    const at = id * (this.#levels + 1) + level;
    this.#total[id]! += weight - this.#inLevel[at]!;
    this.#inLevel[at] = weight;
    return this.#total[id]!;
  }
}
