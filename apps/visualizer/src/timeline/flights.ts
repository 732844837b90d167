import { LineKind, type Recording } from '@tutti/simulation';
import { upperBound } from './heldSteps.ts';
import { isWholeSide } from './wholeSide.ts';

const checkpointEveryUs = 4096;
/**
 * If more than this many are under way at once, only a part of the messages is drawn, the same ones all along their
 * way.
 */
const mostDrawn = 30_000;

/** The messages of a run: how many are on their way at any time, and those of them that are drawn. */
export interface Flights {
  /** When messages departed and when they arrived, each in ascending order: their counts differ by those in flight. */
  readonly departUs: Int32Array;
  readonly arriveUs: Int32Array;
  /** One message in this many is drawn. */
  readonly oneIn: number;
  readonly drawn: DrawnFlights;
}

/**
 * Messages in order of departure, with checkpoints: for every few milliseconds, the first message that has not arrived
 * by then. So finding what is in flight at any moment looks only at the messages of about one latency.
 */
export interface DrawnFlights {
  /** The recording's line of each message. */
  readonly line: Int32Array;
  readonly departUs: Int32Array;
  readonly arriveUs: Int32Array;
  /** 1 where it carries all that its sender's side has. */
  readonly whole: Uint8Array;
  /** Checkpoint k: the first message with an arrival after k * checkpointEveryUs. */
  readonly firstOpen: Int32Array;
}

/** @param most how many messages may be drawn at once, about. */
export function flights(recording: Recording, most = mostDrawn): Flights {
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
  const oneIn = Math.max(1, Math.ceil(mostAtOnce(departUs, arrivals) / most));
  const isDrawn = (_: number, flight: number) => oneIn === 1 || scattered(flight) % oneIn === 0;
  const line = lines.filter(isDrawn);
  const drawn = {
    line,
    departUs: departUs.filter(isDrawn),
    arriveUs: arriveUs.filter(isDrawn),
    whole: Uint8Array.from(line, (at) => Number(isWholeSide(recording, at))),
  };
  const firstOpen = checkpoints(drawn.arriveUs, arrivals.at(-1) ?? 0);
  return { departUs, arriveUs: arrivals, oneIn, drawn: { ...drawn, firstOpen } };
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

function mostAtOnce(departUs: Int32Array, arriveUs: Int32Array): number {
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

/** How many messages have departed by `atUs` and have not arrived. */
export function inFlightAt({ departUs, arriveUs }: Flights, atUs: number): number {
  return upperBound(departUs, atUs) - upperBound(arriveUs, atUs);
}

/** Calls `visit` with the index of each drawn message that has departed by `atUs` and has not arrived. */
export function eachInFlight(drawn: DrawnFlights, atUs: number, visit: (flight: number) => void): void {
  const checkpoint = Math.min(Math.max(0, Math.floor(atUs / checkpointEveryUs)), drawn.firstOpen.length - 1);
  const departed = upperBound(drawn.departUs, atUs);
  for (let flight = drawn.firstOpen[checkpoint] ?? 0; flight < departed; flight++) {
    if (drawn.arriveUs[flight]! > atUs) visit(flight);
  }
}
