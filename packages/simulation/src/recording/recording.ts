import { requireInt32Array, requireObject } from '@tutti/core/input';
import type { RunResult } from '../scenario/result.ts';
import type { Scenario } from '../scenario/scenario.ts';

/**
 * The steps of a run, stored in columns with one line per step, in order of time. Every view of a run is derived from
 * the recording; no view reads a node. Metrics are counted during a run independently of a recording, since most runs
 * have none. Column arrays are exactly `length` long and can be transferred between threads.
 *
 * A line takes 20 bytes during the run and 26 bytes in columns; both forms exist until the run is dropped. Nine out of
 * ten lines are sends (docs/reference/recording-format.md has measurements).
 */
export interface Recording extends RecordedLines {
  readonly scenario: Scenario;
  readonly result: RunResult;
  /** World of the run, with one entry per node. */
  readonly world: RecordedWorld;
  /**
   * Whether `send` lines were recorded. Without `send` lines, a run of many nodes takes a tenth of the memory, and the
   * run's messages cannot be shown.
   */
  readonly sends: boolean;
}

/** Selection of the lines and sets to record. */
export interface RecordingOptions {
  /** Whether to record `send` lines, which only views of messages and exports need. Default: true. */
  readonly sends?: boolean;
  /**
   * Maximum number of peers of a level whose `improve` lines have sets, 0 to 2^20. For larger levels, an `improve` line
   * has only the weight. With dead nodes, larger levels are rarely complete, and the memory for all their sets grows
   * with the square of the number of nodes. Default: the number of nodes, so that all lines have sets.
   */
  readonly setsUpTo?: number;
}

/** Lines of a recording, in columns. */
export interface RecordedLines {
  readonly length: number;
  /** Time of the step, µs. Times are in ascending order. */
  readonly timeUs: Int32Array;
  /** Kind of the step, a {@link LineKind}. */
  readonly kind: Uint8Array;
  /** Node that makes the step. */
  readonly node: Int32Array;
  /** The other node of the step, or -1. */
  readonly peer: Int32Array;
  /** Level of the step, or 0. */
  readonly level: Uint8Array;
  /** Value of the step; the meaning depends on the kind, see {@link LineKind}. */
  readonly value: Int32Array;
  /**
   * End of the step (arrival of a message, end of a check), µs; -1 for a step without an end, such as a lost message.
   * The kind of the line determines what the end means.
   */
  readonly untilUs: Int32Array;
  /**
   * Index into `words` of the set of In_l, for `improve` lines. The index is -1 if the set contains all of the level's
   * peers (as `value` then shows), or if the set was not recorded. Bit b of the set (word b >> 5, bit b & 31) is the
   * b-th id of the level's peer set. -1 on other lines.
   */
  readonly set: Int32Array;
  readonly words: Int32Array;
}

/** The nodes and the network of a recorded run. */
export interface RecordedWorld {
  readonly nodes: number;
  /** Number of levels of the tree: ceil(log2 N) with a branching factor of 2. */
  readonly levels: number;
  /** Number of contributions that an output must contain. */
  readonly threshold: number;
  /** Role of each node, a {@link NodeRole}. */
  readonly role: Uint8Array;
  /** Start time of each node, µs; -1 for a dead node. */
  readonly startUs: Int32Array;
  /** Region of each node, an index into `regionNames`. */
  readonly region: Uint8Array;
  readonly regionNames: readonly string[];
  /** Ratio of a verification's cost on each node to the cost on a standard node, 1/3 to 3 by default. */
  readonly cpuFactor: Float32Array;
}

/** Roles of a node in a run. The numbers of the roles are part of the format. */
export const NodeRole = {
  /** The node is dead from the beginning, or a fault stops it forever. */
  dead: 0,
  honest: 1,
  byzantine: 2,
} as const;
export type NodeRole = (typeof NodeRole)[keyof typeof NodeRole];

/** Kinds of lines. The numbers of the kinds are part of the format: append new ones, never renumber. */
export const LineKind = {
  /** The node started. */
  start: 0,
  /** `node` sent to `peer` on `level`; value: weight of the aggregate; untilUs: arrival. */
  send: 1,
  /**
   * `node` began to check a contribution of `peer`, or of several nodes if `peer` is -1; value: weight of the
   * contribution, negative if it is invalid; untilUs: end.
   */
  check: 2,
  /** In_l of `node` became heavier; value: new weight; set: signers. */
  improve: 3,
  /** `node` produced an output; value: weight of the output. */
  output: 4,
  /** `node` rejected a message from `peer`; value: number of the rejection code. */
  refuse: 5,
  /** `node` blacklisted `peer`. */
  blacklist: 6,
} as const;
export type LineKind = (typeof LineKind)[keyof typeof LineKind];

/** Checks that a value has the world and the times that a recording contains. @throws TypeError for any other value. */
export function requireRecording(recording: Recording): void {
  requireObject('recording', recording);
  requireObject('recording.world', recording.world);
  requireInt32Array('recording.timeUs', recording.timeUs);
}

/**
 * Number of integers of a line: time; kind, level and node; peer; value; and `set` on `improve` lines, `untilUs` on all
 * others.
 */
const width = 5;
const chunkLines = 1 << 14;
const chunkWords = 1 << 14;
const nodeBits = 20;
const levelBits = 5;

/**
 * Collects a run's lines as integers in chunks, so that no object is allocated per line and nothing is copied when the
 * recording grows.
 */
export class Recorder {
  readonly #lines: Int32Array[] = [];
  #chunk = new Int32Array(0);
  #within = chunkLines;
  #length = 0;
  readonly #words: Int32Array[] = [];
  #wordCount = 0;

  /**
   * Appends a line. @param set start of the set's words, only for `improve` lines, which have no `untilUs`.
   * @returns the line's index, for {@link setValue}.
   */
  line(
    timeUs: number,
    kind: LineKind,
    node: number,
    peer: number,
    level: number,
    value: number,
    untilUs: number,
    set = -1,
  ): number {
    if (this.#within === chunkLines) {
      this.#chunk = new Int32Array(chunkLines * width);
      this.#lines.push(this.#chunk);
      this.#within = 0;
    }
    const chunk = this.#chunk;
    const at = this.#within++ * width;
    chunk[at] = timeUs;
    chunk[at + 1] = (((kind << levelBits) | level) << nodeBits) | node;
    chunk[at + 2] = peer;
    chunk[at + 3] = value;
    // An end beyond 2^31 - 1 µs is after the end of every run.
    chunk[at + 4] = kind === LineKind.improve ? set : Math.min(untilUs, 0x7fffffff);
    return this.#length++;
  }

  /** Changes the value of a line that was written before the value was known. */
  setValue(line: number, value: number): void {
    this.#lines[Math.floor(line / chunkLines)]![(line % chunkLines) * width + 3] = value;
  }

  /** Stores a copy of the words of a set. @returns the index of the first word. */
  keep(words: Int32Array): number {
    const start = this.#wordCount;
    for (let from = 0; from < words.length; ) {
      const within = this.#wordCount % chunkWords;
      if (within === 0) this.#words.push(new Int32Array(chunkWords));
      const part = words.subarray(from, from + chunkWords - within);
      this.#words.at(-1)!.set(part, within);
      from += part.length;
      this.#wordCount += part.length;
    }
    return start;
  }

  /** Returns all lines so far as columns, which can be transferred to another thread. */
  columns(): RecordedLines {
    const length = this.#length;
    const timeUs = new Int32Array(length);
    const kind = new Uint8Array(length);
    const node = new Int32Array(length);
    const peer = new Int32Array(length);
    const level = new Uint8Array(length);
    const value = new Int32Array(length);
    const untilUs = new Int32Array(length);
    const set = new Int32Array(length);
    let line = 0;
    for (const chunk of this.#lines) {
      const end = Math.min(length, line + chunkLines);
      for (let at = 0; line < end; line++, at += width) {
        const head = chunk[at + 1]!;
        const what = head >>> (nodeBits + levelBits);
        const last = chunk[at + 4]!;
        timeUs[line] = chunk[at]!;
        kind[line] = what;
        node[line] = head & ((1 << nodeBits) - 1);
        peer[line] = chunk[at + 2]!;
        level[line] = (head >>> nodeBits) & ((1 << levelBits) - 1);
        value[line] = chunk[at + 3]!;
        untilUs[line] = what === LineKind.improve ? -1 : last;
        set[line] = what === LineKind.improve ? last : -1;
      }
    }
    const words = new Int32Array(this.#wordCount);
    let from = 0;
    for (const chunk of this.#words) {
      words.set(chunk.subarray(0, words.length - from), from);
      from += chunk.length;
    }
    return { length, timeUs, kind, node, peer, level, value, untilUs, set, words };
  }
}
