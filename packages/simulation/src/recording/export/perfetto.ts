import { refusalName, Tree } from '@tutti/core';
import { requireObject } from '@tutti/core/input';
import { LineKind, type Recording, requireRecording } from '../recording.ts';
import { Moments } from './moments.ts';
import { EventType, PerfettoWriter } from './perfettoWriter.ts';

/** Options of {@link perfettoTrace}. */
export interface PerfettoOptions {
  /**
   * Whether to include messages; each message is shown as an instant at the sender, an instant at the receiver, and an
   * arrow between the two. Messages account for nine tenths of a trace. Default: true.
   */
  readonly messages?: boolean;
}

/** Track number of the run. */
const runTrack = 1;
/** Track number of the counter of messages in flight. */
const inFlightTrack = 2;
/** Track number of the counter that shows how many nodes have produced an output. */
const reachedTrack = 3;
/** Track number of the first region. */
const firstRegionTrack = 16;
/** Track number of node 0. */
const firstNodeTrack = 1024;
/** Track number of the counter of node 0's contributions. */
const firstHeldTrack = firstNodeTrack + 2 ** 20;

/** Number of packets per part of a trace; a part has about one megabyte. */
const partPackets = 1 << 14;
/**
 * Time between two values of the counter of messages in flight, µs. Each message changes the counter twice, too often
 * for every change to be visible.
 */
const inFlightEveryUs = 1000;

/**
 * Yields a run as a Perfetto trace, in parts to write one after another. A region is a process, a node that starts is a
 * thread in it. A verification is a slice, which has no end if the run ended before the verification. A message is a
 * flow from an instant at the sender to an instant at the receiver. A completed level, an output, a rejection and a
 * blacklisting are instants. Counters show each node's contributions, the messages in flight, and the nodes that have
 * produced an output.
 *
 * The trace uses the protobuf format, because the JSON format loses overlapping slices. Times are measured from the
 * run's common start.
 */
export function* perfettoTrace(
  recording: Recording,
  options: PerfettoOptions = {},
): Generator<Uint8Array<ArrayBuffer>> {
  requireRecording(recording);
  requireObject('options', options);
  const out = new PerfettoWriter();
  const messages = recording.sends && options.messages !== false;
  describeTracks(out, recording, messages);
  const trace = new Trace(recording, out, messages);
  const moments = new Moments(recording);
  while (moments.next()) {
    const { line, isEnd, timeUs } = moments;
    trace.sampleInFlight(timeUs);
    if (isEnd) trace.end(line, timeUs);
    else trace.begin(line, timeUs);
    if (out.packets >= partPackets) yield out.take();
  }
  if (out.packets > 0) yield out.take();
}

/** Converts a recording's lines to a trace's events and counters. */
class Trace {
  readonly #recording: Recording;
  readonly #out: PerfettoWriter;
  readonly #messages: boolean;
  readonly #tree: Tree;
  readonly #held: HeldCounts;
  readonly #hasOutput: Uint8Array;
  #reached = 0;
  #inFlight = 0;
  #inFlightFromUs = 0;

  constructor(recording: Recording, out: PerfettoWriter, messages: boolean) {
    const { scenario, world } = recording;
    const { nodes, levels } = world;
    this.#recording = recording;
    this.#out = out;
    this.#messages = messages;
    this.#tree = new Tree(nodes, scenario.tree, scenario.branching);
    this.#held = new HeldCounts(nodes, levels);
    this.#hasOutput = new Uint8Array(nodes);
  }

  /**
   * Writes the number of messages in flight if {@link inFlightEveryUs} have passed since the number was last written.
   */
  sampleInFlight(timeUs: number): void {
    if (!this.#messages || timeUs < this.#inFlightFromUs) return;
    this.#out.counter(timeUs, inFlightTrack, this.#inFlight);
    this.#inFlightFromUs = timeUs + inFlightEveryUs;
  }

  /** Handles the end of a check, or the arrival of a message. */
  end(line: number, timeUs: number): void {
    const { kind, node, peer, level } = this.#recording;
    if (kind[line] === LineKind.check) this.#out.event(timeUs, EventType.sliceEnd, firstNodeTrack + node[line]!).end();
    if (kind[line] !== LineKind.send) return;
    this.#inFlight--;
    if (!this.#messages) return;
    this.#instant(peer[line]!, timeUs, `receive level ${level[line]}`)
      .annotate('from', node[line]!)
      .endFlow(line + 1)
      .end();
  }

  /** Handles the event at a line's own time; for a check or a message, this event is the beginning. */
  begin(line: number, timeUs: number): void {
    const { kind, node, peer, level, value } = this.#recording;
    const id = node[line]!;
    switch (kind[line]) {
      case LineKind.start:
        this.#instant(id, timeUs, 'start').end();
        this.#out.counter(timeUs, firstHeldTrack + id, this.#held.onStart(id));
        return;
      case LineKind.send:
        this.#send(line, timeUs);
        return;
      case LineKind.check: {
        const isOfSeveral = peer[line] === -1;
        const name = `check level ${level[line]}${isOfSeveral ? ' from several nodes' : ''}${value[line]! < 0 ? ', invalid' : ''}`;
        const check = this.#out.event(timeUs, EventType.sliceBegin, firstNodeTrack + id, name);
        if (!isOfSeveral) check.annotate('from', peer[line]!);
        check.annotate('weight', Math.abs(value[line]!)).end();
        return;
      }
      case LineKind.improve:
        this.#improve(line, timeUs);
        return;
      case LineKind.output:
        this.#output(line, timeUs);
        return;
      case LineKind.refuse: {
        const name = `refuse: ${refusalName(value[line]!)}`;
        this.#instant(id, timeUs, name).annotate('from', peer[line]!).end();
        return;
      }
      case LineKind.blacklist:
        this.#instant(id, timeUs, 'blacklist').annotate('from', peer[line]!).end();
        return;
    }
  }

  #send(line: number, timeUs: number): void {
    const { node, peer, level, value, untilUs } = this.#recording;
    const isLost = untilUs[line] === -1;
    if (!isLost) this.#inFlight++;
    if (!this.#messages) return;
    const send = this.#instant(node[line]!, timeUs, `send level ${level[line]}${isLost ? ', lost' : ''}`);
    send.annotate('to', peer[line]!).annotate('weight', value[line]!);
    if (!isLost) send.beginFlow(line + 1);
    send.end();
  }

  #improve(line: number, timeUs: number): void {
    const { node, level, value } = this.#recording;
    const [id, weight] = [node[line]!, value[line]!];
    this.#out.counter(timeUs, firstHeldTrack + id, this.#held.onImprove(id, level[line]!, weight));
    const isComplete = weight === this.#tree.size(this.#tree.peerBlock(id, level[line]!));
    if (isComplete) this.#instant(id, timeUs, `level ${level[line]} complete`).end();
  }

  /** Handles an output. The first output counts the node among those that have reached the threshold. */
  #output(line: number, timeUs: number): void {
    const { node, value } = this.#recording;
    const id = node[line]!;
    this.#instant(id, timeUs, 'output').annotate('weight', value[line]!).end();
    if (this.#hasOutput[id] === 1) return;
    this.#hasOutput[id] = 1;
    this.#out.counter(timeUs, reachedTrack, ++this.#reached);
  }

  #instant(id: number, timeUs: number, name: string) {
    return this.#out.event(timeUs, EventType.instant, firstNodeTrack + id, name);
  }
}

function describeTracks(out: PerfettoWriter, { scenario, result, world }: Recording, messages: boolean): void {
  const run = `${scenario.protocol}, ${world.nodes} nodes, seed ${scenario.seed}, version ${result.version}, digest ${result.digest}`;
  out.describeProcess(runTrack, run);
  if (messages) out.describeCounter(inFlightTrack, runTrack, 'messages in flight');
  out.describeCounter(reachedTrack, runTrack, 'nodes that have an output');
  for (const [region, name] of world.regionNames.entries()) out.describeProcess(firstRegionTrack + region, name);
  for (let id = 0; id < world.nodes; id++) {
    if (world.startUs[id] === -1) continue;
    out.describeThread(firstNodeTrack + id, firstRegionTrack + world.region[id]!, `node ${id}`);
    out.describeCounter(firstHeldTrack + id, firstNodeTrack + id, 'contributions held');
  }
}

/** Number of contributions of each node: its own and the weights of all its In_l. */
class HeldCounts {
  readonly #levels: number;
  readonly #inLevel: Int32Array;
  readonly #total: Int32Array;

  constructor(nodes: number, levels: number) {
    this.#levels = levels;
    this.#inLevel = new Int32Array(nodes * (levels + 1));
    this.#total = new Int32Array(nodes);
  }

  onStart(id: number): number {
    return ++this.#total[id]!;
  }

  onImprove(id: number, level: number, weight: number): number {
    const at = id * (this.#levels + 1) + level;
    this.#total[id]! += weight - this.#inLevel[at]!;
    this.#inLevel[at] = weight;
    return this.#total[id]!;
  }
}
