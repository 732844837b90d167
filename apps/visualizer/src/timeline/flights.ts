import { LineKind, type Recording } from '@tutti/simulation';
import { upperBound } from './heldSteps.ts';
import { faceOf, faces } from './messageFace.ts';

const checkpointEveryUs = 4096;
/**
 * If more than this many are under way at once, only a part of the messages is drawn, the same ones all along their
 * way.
 */
const maxDrawn = 30_000;

/** The messages of a run: how many are on their way at any time, and those of them that are drawn. */
export interface Flights {
  /** Departures and arrivals of messages, each in ascending order: their counts differ by those in flight. */
  readonly departUs: Int32Array;
  readonly arriveUs: Int32Array;
  /** One message in this many is drawn. */
  readonly oneIn: number;
  readonly drawn: DrawnFlights;
  /**
   * Lies that are being checked, from the node that told them. The strongest adversary hands them over at once, so that
   * only this is seen of them.
   */
  readonly lies: Spans;
}

/**
 * Messages in order of departure, or other events with a duration, with checkpoints. A checkpoint every few
 * milliseconds names the first message that has not arrived by then. So finding messages in flight at a moment only
 * looks at the messages of about one latency.
 */
export interface Spans {
  /** The recording's line of each. */
  readonly line: Int32Array;
  readonly departUs: Int32Array;
  readonly arriveUs: Int32Array;
  /** Checkpoint k: the first with an arrival after k * checkpointEveryUs. */
  readonly firstOpen: Int32Array;
}

export interface DrawnFlights extends Spans {
  /** The place of each message's face in `faces`. */
  readonly face: Uint8Array;
}

/**
 * Prepares a recording's messages.
 *
 * @param most approximate maximum number of messages drawn at once.
 */
export function flights(recording: Recording, most = maxDrawn): Flights {
  const { length, kind, timeUs, untilUs } = recording;
  let count = 0;
  for (let line = 0; line < length; line++) if (kind[line] === LineKind.send && untilUs[line]! >= 0) count++;
  const lines = new Int32Array(count);
  const departUs = new Int32Array(count);
  const arriveUs = new Int32Array(count);
  let flight = 0;
  for (let line = 0; line < length; line++) {
    if (kind[line] !== LineKind.send || untilUs[line]! < 0) continue;
    lines[flight] = line;
    departUs[flight] = timeUs[line]!;
    arriveUs[flight] = untilUs[line]!;
    flight++;
  }
  const arrivals = arriveUs.slice().sort();
  const oneIn = Math.max(1, Math.ceil(maxAtOnce(departUs, arrivals) / most));
  const isDrawn = (_: number, flight: number) => oneIn === 1 || scattered(flight) % oneIn === 0;
  const drawn = spansOf(recording, lines.filter(isDrawn));
  const face = Uint8Array.from(drawn.line, (line) => faces.indexOf(faceOf(recording, line)));
  const lies = spansOf(recording, checkedLies(recording));
  return { departUs, arriveUs: arrivals, oneIn, drawn: { ...drawn, face }, lies };
}

function checkedLies({ length, kind, value, untilUs }: Recording): Int32Array {
  const lines: number[] = [];
  for (let line = 0; line < length; line++)
    if (kind[line] === LineKind.check && value[line]! < 0 && untilUs[line]! >= 0) lines.push(line);
  return Int32Array.from(lines);
}

function spansOf(recording: Recording, line: Int32Array): Spans {
  const departUs = line.map((at) => recording.timeUs[at]!);
  const arriveUs = line.map((at) => recording.untilUs[at]!);
  const lastUs = arriveUs.reduce((last, us) => Math.max(last, us), 0);
  return { line, departUs, arriveUs, firstOpen: checkpoints(arriveUs, lastUs) };
}

function checkpoints(arriveUs: Int32Array, endUs: number): Int32Array {
  const firstOpen = new Int32Array(Math.floor(endUs / checkpointEveryUs) + 1);
  let open = 0;
  for (let checkpoint = 0; checkpoint < firstOpen.length; checkpoint++) {
    while (open < arriveUs.length && arriveUs[open]! <= checkpoint * checkpointEveryUs) open++;
    firstOpen[checkpoint] = open;
  }
  return firstOpen;
}

function maxAtOnce(departUs: Int32Array, arriveUs: Int32Array): number {
  let [arrived, most] = [0, 0];
  for (let departed = 0; departed < departUs.length; departed++) {
    while (arriveUs[arrived]! <= departUs[departed]!) arrived++;
    most = Math.max(most, departed + 1 - arrived);
  }
  return most;
}

/** Scrambles a number's bits, so that choosing one in a few of consecutive numbers shows no pattern. */
function scattered(place: number): number {
  return Math.imul(place, 0x9e3779b1) >>> 4;
}

/** Returns the number of messages that have departed by `atUs` and have not arrived. */
export function inFlightAt({ departUs, arriveUs }: Flights, atUs: number): number {
  return upperBound(departUs, atUs) - upperBound(arriveUs, atUs);
}

/** Calls `visit` with the index of each of them that has departed by `atUs` and has not arrived. */
export function eachInFlight(drawn: Spans, atUs: number, visit: (flight: number) => void): void {
  const checkpoint = Math.min(Math.max(0, Math.floor(atUs / checkpointEveryUs)), drawn.firstOpen.length - 1);
  const departed = upperBound(drawn.departUs, atUs);
  for (let flight = drawn.firstOpen[checkpoint] ?? 0; flight < departed; flight++) {
    if (drawn.arriveUs[flight]! > atUs) visit(flight);
  }
}
