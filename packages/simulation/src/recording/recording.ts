import { requireInt32Array, requireObject } from '@tutti/core/settings';
import type { RunResult } from '../scenario/result.ts';
import type { Scenario } from '../scenario/scenario.ts';

/**
 * What happened in a run: one line for each step, in columns, in order of time. Every view of a run is derived from
 * this; no view reaches into a node. Metrics are counted during a run, recorded or not, since most runs are not. Column
 * arrays are exactly `length` long and can be transferred between threads.
 *
 * Recording costs memory more than time: 46 bytes a line while it is made, 26 when it is done, and nine lines in ten
 * are sends (docs/reference/recording-format.md has measured figures).
 */
export interface Recording extends RecordedLines {
  readonly scenario: Scenario;
  readonly result: RunResult;
  /** The world, one entry a node. */
  readonly world: RecordedWorld;
  /**
   * Whether `send` lines were kept; without them a run of many nodes takes a tenth, and nobody can see its messages.
   */
  readonly sends: boolean;
}

/** What to keep of a run. */
export interface RecordingOptions {
  /** Keep `send` lines, which nothing but views of messages and exports need. Default true. */
  readonly sends?: boolean;
  /**
   * Keep the sets of `improve` lines for levels of up to this many peers; for larger levels the line has only the
   * weight. With dead nodes such levels are seldom complete, and all their sets take memory with the square of the
   * number of nodes. Default: all are kept.
   */
  readonly setsUpTo?: number;
}

/** The lines of a recording, in columns. */
export interface RecordedLines {
  readonly length: number;
  /** When the step happened, microseconds. Ascending. */
  readonly timeUs: Int32Array;
  /** One of {@link LineKind}. */
  readonly kind: Uint8Array;
  /** Whose step it is. */
  readonly node: Int32Array;
  /** The other node concerned, or -1. */
  readonly peer: Int32Array;
  /** The level concerned, or 0. */
  readonly level: Uint8Array;
  /** By kind, see {@link LineKind}. */
  readonly value: Int32Array;
  /** By kind: when what begins here ends (arrival of a message, end of a check), microseconds; -1 for never (lost). */
  readonly untilUs: Int32Array;
  /**
   * For `improve` lines: where the set of In_level starts in `words`, or -1 when all of the level's peers are in, as
   * `value` then says, or when the set was not kept. Bit b of the set (word b >> 5, bit b & 31) is the b-th id of the
   * level's peer set. -1 on other lines.
   */
  readonly set: Int32Array;
  readonly words: Int32Array;
}

export interface RecordedWorld {
  readonly nodes: number;
  /** L = ceil(log2 N). */
  readonly levels: number;
  /** Contributions that an output must contain. */
  readonly threshold: number;
  /** What each node is, a {@link NodeRole}. */
  readonly alive: Uint8Array;
  /** When each node starts, microseconds; -1 for a dead one. */
  readonly startUs: Int32Array;
  /** Index into `regionNames`, one a node. */
  readonly region: Uint8Array;
  readonly regionNames: readonly string[];
  /** Cost of a verification on this node over that on a standard one, 1/3..3. */
  readonly cpuFactor: Float32Array;
}

/** What a node is in a run. The numbers are the format. */
export const NodeRole = {
  /** It is dead from the beginning, or a fault ends it for good. */
  dead: 0,
  honest: 1,
  byzantine: 2,
} as const;
export type NodeRole = (typeof NodeRole)[keyof typeof NodeRole];

/** What a line says. The numbers are the format: append, never renumber. */
export const LineKind = {
  /** The node started. */
  start: 0,
  /** `node` sent to `peer` on `level`; value: weight of the aggregate; untilUs: arrival. */
  send: 1,
  /**
   * `node` began to check a contribution of `peer`; value: its weight, negative when it turns out invalid; untilUs:
   * end.
   */
  check: 2,
  /** In_level of `node` became heavier; value: its weight; set: who is in it. */
  improve: 3,
  /** `node` gave an output; value: its weight. */
  output: 4,
  /** `node` refused a message of `peer`; value: the refusal's number. */
  refuse: 5,
  /** `node` blacklisted `peer`. */
  blacklist: 6,
} as const;
export type LineKind = (typeof LineKind)[keyof typeof LineKind];

/** @throws TypeError unless it is a recording, as far as can be seen. */
export function requireRecording(recording: Recording): void {
  requireObject('recording', recording);
  requireObject('recording.world', recording.world);
  requireInt32Array('recording.timeUs', recording.timeUs);
}
