import { expected } from '@tutti/core/input';
import { maxPlaces, maxRecordedPlaces } from '@tutti/simulation/engine';

/** Options for interpreting a file of latencies. */
export interface LatencyReading {
  /** True if the file contains round-trip times. A one-way latency is then half of a round trip. */
  readonly isRoundTrip: boolean;
  /** True if a faster path through other places replaces a direct edge. */
  readonly isShortest: boolean;
  /** True if the run is recorded, which limits the number of places. Default: false. */
  readonly isRecorded?: boolean;
}

/** Latencies between places, read from a file. */
export interface FileLatencies {
  readonly places: readonly string[];
  /** One-way latencies from the row's place to the column's place, ms. */
  readonly oneWayMs: readonly Float64Array[];
  /** Parts of the file that are not used, for a warning: one note per line. */
  readonly notes: readonly string[];
}

/** Maximum latency in a network, ms. */
const maxMs = 60_000;

/** Checks the number of places before a table of that size is allocated. @throws RangeError for too many places. */
export function requirePlaces(count: number): void {
  if (count > maxPlaces) throw new RangeError(expected('places', `at most ${maxPlaces}`, count));
}

/**
 * Checks the names of places. @throws RangeError if a table has two places with the same name, because only names
 * identify rows and columns.
 */
export function requireDistinct(places: readonly string[]): void {
  const known = new Set<string>();
  for (const name of places) {
    if (known.has(name)) throw new RangeError(expected('places', 'different names', name));
    known.add(name);
  }
}

/** Runs a reader, and puts a subject before the message of its RangeError. */
export function withSubject<T>(subject: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw cause instanceof RangeError ? new RangeError(`${subject}: ${cause.message}`, { cause }) : cause;
  }
}

/** Table of latencies that is filled while a file is read. Missing latencies are infinite in this table. */
export class LatencyBuilder {
  readonly #places: readonly string[];
  readonly #rows: readonly Float64Array[];
  readonly #reading: LatencyReading;

  constructor(places: readonly string[], reading: LatencyReading) {
    requirePlaces(places.length);
    // A recorded run would reject the network later anyway, but only after the search for the fastest paths, which
    // takes the longest.
    if (reading.isRecorded === true && places.length > maxRecordedPlaces)
      throw new RangeError(expected('places', `at most ${maxRecordedPlaces} in a recorded run`, places.length));
    if (places.length === 0) throw new RangeError(expected('places', 'at least 1', 0));
    this.#places = places;
    // The memory is shared between threads, so that threads need no copies.
    this.#rows = places.map(() =>
      new Float64Array(new SharedArrayBuffer(8 * places.length)).fill(Number.POSITIVE_INFINITY),
    );
    this.#reading = reading;
  }

  /**
   * Sets the latency of an edge.
   *
   * @param ms latency as in the file: one-way, or a round trip if the file contains round-trip times.
   * @param where function that returns the position in the file, for errors.
   * @throws RangeError if the latency is out of range.
   */
  set(from: number, to: number, ms: number, where: () => string): void {
    if (!(ms >= 0 && ms <= maxMs))
      throw new RangeError(
        `${where()}: expected milliseconds from 0 to ${maxMs}, got ${Number.isNaN(ms) ? 'no number' : ms}`,
      );
    this.#rows[from]![to] = this.#reading.isRoundTrip ? ms / 2 : ms;
  }

  /**
   * Sets a latency like {@link set}, unless a lower latency is already known. If there are parallel edges, the fastest
   * edge counts.
   */
  setIfLower(from: number, to: number, ms: number, where: () => string): void {
    const before = this.#rows[from]![to]!;
    this.set(from, to, ms, where);
    this.#rows[from]![to] = Math.min(before, this.#rows[from]![to]!);
  }

  /** Returns whether the latency has been set. */
  has(from: number, to: number): boolean {
    return this.#rows[from]![to] !== Number.POSITIVE_INFINITY;
  }

  /**
   * Sets each missing latency to that of the opposite direction, or else to that of the fastest path through other
   * places. A missing latency within a place becomes 0, with a note. If the reading requests the fastest paths, their
   * latencies replace all latencies between different places.
   *
   * @param hasDirections true if the latency of the opposite direction must not be used.
   * @throws RangeError if two places have no path between them, or if the path search would take too long.
   */
  finished(hasDirections: boolean, notes: readonly string[]): FileLatencies {
    const rows = this.#rows;
    const blank = rows.filter((row, place) => row[place] === Number.POSITIVE_INFINITY).length;
    rows.forEach((row, from) => {
      if (row[from] === Number.POSITIVE_INFINITY) row[from] = 0;
      if (!hasDirections)
        for (let to = 0; to < row.length; to++) if (row[to] === Number.POSITIVE_INFINITY) row[to] = rows[to]![from]!;
    });
    fillPaths(rows, this.#places, this.#reading.isShortest);
    const blankNote = `the file has no latency within ${blank} of ${rows.length} places; 0 ms is used there`;
    return { places: this.#places, oneWayMs: rows, notes: blank === 0 ? notes : [...notes, blankNote] };
  }
}

/**
 * Maximum number of steps in Dijkstra's algorithm, one step per place and edge. An input with the maximum number of
 * steps takes about five seconds.
 */
const maxSteps = 2 ** 30;

/**
 * Sets all latencies, or only the missing ones, to those of the fastest paths. The function does not change latencies
 * within a place.
 */
function fillPaths(rows: readonly Float64Array[], places: readonly string[], isAll: boolean): void {
  const isMissing = (ms: number) => ms === Number.POSITIVE_INFINITY;
  if (!isAll && !rows.some((row) => row.some(isMissing))) return;
  const edges = rows.map((row, from) => {
    const ends: number[] = [];
    for (let to = 0; to < row.length; to++) if (to !== from && !isMissing(row[to]!)) ends.push(to);
    return Int32Array.from(ends);
  });
  const count = edges.reduce((sum, one) => sum + one.length, 0);
  if (count * rows.length > maxSteps)
    throw new RangeError(
      `${expected('edges', `at most ${Math.floor(maxSteps / rows.length)} with ${rows.length} places, so that paths can be computed`, count)}${isAll ? '' : '; specify a latency for every pair'}`,
    );
  const paths = rows.map((_, from) =>
    isAll || rows[from]!.some(isMissing) ? pathsFrom(from, rows, edges) : undefined,
  );
  for (const [from, path] of paths.entries()) {
    if (path === undefined) continue;
    const row = rows[from]!;
    for (let to = 0; to < row.length; to++) {
      if (to === from || !(isAll || isMissing(row[to]!))) continue;
      if (isMissing(path[to]!))
        throw new RangeError(`"${places[from]}" to "${places[to]}": expected a latency or a path of edges, got none`);
      row[to] = path[to]!;
    }
  }
}

/** Returns the latencies of the fastest paths from a place; infinite if there is no path. */
function pathsFrom(source: number, rows: readonly Float64Array[], edges: readonly Int32Array[]): Float64Array {
  const ms = new Float64Array(rows.length).fill(Number.POSITIVE_INFINITY);
  // Binary heap of places by their latency. The heap may contain a place more than once.
  const heap: number[] = [source];
  const keys: number[] = [0];
  ms[source] = 0;
  while (heap.length > 0) {
    const [place, key] = [heap[0]!, keys[0]!];
    const [lastPlace, lastKey] = [heap.pop()!, keys.pop()!];
    if (heap.length > 0) sink(heap, keys, lastPlace, lastKey);
    if (key > ms[place]!) continue;
    const row = rows[place]!;
    for (const to of edges[place]!) {
      const through = key + row[to]!;
      if (through >= ms[to]!) continue;
      ms[to] = through;
      rise(heap, keys, to, through);
    }
  }
  return ms;
}

function rise(heap: number[], keys: number[], place: number, key: number): void {
  let at = heap.length;
  heap.push(place);
  keys.push(key);
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (keys[above]! <= key) break;
    heap[at] = heap[above]!;
    keys[at] = keys[above]!;
    at = above;
  }
  heap[at] = place;
  keys[at] = key;
}

function sink(heap: number[], keys: number[], place: number, key: number): void {
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && keys[below + 1]! < keys[below]!) below++;
    if (keys[below]! >= key) break;
    heap[at] = heap[below]!;
    keys[at] = keys[below]!;
    at = below;
  }
  heap[at] = place;
  keys[at] = key;
}
