import { LineKind, type ProtocolName, protocols, type Recording } from '@tutti/simulation';

/**
 * Cache of each node's number of contributions at an advancing moment. Most nodes hold the same number from one frame
 * to the next, so the cursor searches only after the moment has left the interval of the last step.
 */
export class HeldCursor {
  readonly #steps: HeldSteps;
  /** Interval [since, until) in which the last step found for each node is valid, µs; empty before the first search. */
  readonly #sinceUs: Float64Array;
  readonly #untilUs: Float64Array;
  readonly #held: Int32Array;

  constructor(steps: HeldSteps) {
    this.#steps = steps;
    const nodes = steps.offset.length - 1;
    this.#sinceUs = new Float64Array(nodes).fill(Number.POSITIVE_INFINITY);
    this.#untilUs = new Float64Array(nodes);
    this.#held = new Int32Array(nodes);
  }

  /** Returns the number of contributions that node `id` holds at `atUs`, like {@link heldAt}. */
  at(id: number, atUs: number): number {
    if (atUs < this.#sinceUs[id]! || atUs >= this.#untilUs[id]!) this.#find(id, atUs);
    return this.#held[id]!;
  }

  #find(id: number, atUs: number): void {
    const { offset, timeUs, held } = this.#steps;
    const [first, end] = [offset[id]!, offset[id + 1]!];
    const after = upperBound(timeUs, atUs, first, end);
    this.#sinceUs[id] = after === first ? Number.NEGATIVE_INFINITY : timeUs[after - 1]!;
    this.#untilUs[id] = after === end ? Number.POSITIVE_INFINITY : timeUs[after]!;
    this.#held[id] = after === first ? 0 : held[after - 1]!;
  }
}

/**
 * Number of contributions that each node holds, as one step function per node: its own contribution plus the weight of
 * every In_l. The step functions are computed once per recording, so that a seek takes one binary search per node,
 * regardless of the length of the run.
 */
export interface HeldSteps {
  /** Steps of node i are [offset[i], offset[i + 1]), in order of time. */
  readonly offset: Int32Array;
  /** Time from which a node holds the step's number of contributions, µs. */
  readonly timeUs: Int32Array;
  readonly held: Int32Array;
}

export function heldSteps(recording: Recording): HeldSteps {
  const { nodes } = recording.world;
  const { length, kind, node } = recording;
  const offset = new Int32Array(nodes + 1);
  const isStep = stepsOf(recording);
  for (let line = 0; line < length; line++) if (isStep(kind[line]!)) offset[node[line]! + 1]!++;
  for (let id = 0; id < nodes; id++) offset[id + 1]! += offset[id]!;

  const timeUs = new Int32Array(offset[nodes]!);
  const held = new Int32Array(offset[nodes]!);
  const next = offset.slice(0, nodes);
  eachStep(recording, (id, atUs, now) => {
    const step = next[id]!++;
    timeUs[step] = atUs;
    held[step] = now;
  });
  return { offset, timeUs, held };
}

/**
 * Calls `visit` for each line that sets a node's number of contributions, in order of time. The argument `now` of
 * `visit` is the number of contributions after the line, from 0 to N.
 */
export function eachStep(recording: Recording, visit: (id: number, atUs: number, now: number) => void): void {
  const { nodes, levels } = recording.world;
  const { length, kind, node, level, value, timeUs } = recording;
  const total = new Int32Array(nodes);
  const inLevel = new Int32Array(nodes * (levels + 1));
  const isStep = stepsOf(recording);
  for (let line = 0; line < length; line++) {
    const what = kind[line]!;
    if (!isStep(what)) continue;
    const id = node[line]!;
    if (what === LineKind.start) total[id] = 1;
    else if (what === LineKind.output) total[id] = Math.max(total[id]!, value[line]!);
    else {
      const slot = id * (levels + 1) + level[line]!;
      total[id]! += value[line]! - inLevel[slot]!;
      inLevel[slot] = value[line]!;
    }
    // Weights in a file from another source may be wrong, so they are clamped.
    visit(id, timeUs[line]!, Math.min(nodes, Math.max(0, total[id]!)));
  }
}

/**
 * Returns a predicate for the kinds of lines that change a node's number of contributions. In a protocol without
 * levels, nodes report their contributions in their outputs. In Handel, outputs add no contributions.
 */
function stepsOf({ scenario }: Recording): (kind: number) => boolean {
  const byOutputs = !hasLevels(scenario.protocol);
  return (kind) => kind === LineKind.start || kind === LineKind.improve || (byOutputs && kind === LineKind.output);
}

/** Returns whether a protocol has levels, so that a tree can be drawn. */
export function hasLevels(protocol: ProtocolName): boolean {
  return protocols[protocol].hasLevels;
}

/**
 * Returns the number of contributions that node `id` holds at `atUs`: 0 before the node's start, and always 0 for a
 * dead node.
 */
export function heldAt(steps: HeldSteps, id: number, atUs: number): number {
  const first = steps.offset[id]!;
  const after = upperBound(steps.timeUs, atUs, first, steps.offset[id + 1]!);
  return after === first ? 0 : steps.held[after - 1]!;
}

/** Returns the time at which node `id` first holds `weight` contributions, or undefined if it never does. */
export function heldSinceUs(steps: HeldSteps, id: number, weight: number): number | undefined {
  for (let step = steps.offset[id]!; step < steps.offset[id + 1]!; step++) {
    if (steps.held[step]! >= weight) return steps.timeUs[step]!;
  }
  return undefined;
}

/** Returns the first index in [from, to) of an ascending array whose entry exceeds `key`, or `to` if there is none. */
export function upperBound(ascending: Int32Array, key: number, from = 0, to = ascending.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}
