import type { Recording } from '@tutti/core';
import { LineKind } from '@tutti/core';
import { upperBound } from './heldSteps.ts';

const checkpointEveryUs = 4096;

/**
 * The messages of a run, in order of departure, with checkpoints: for every few milliseconds, the first message that has not
 * arrived by then. So "what is in flight now" looks only at the messages of about one latency, wherever in the run now is.
 */
export interface Flights {
  /** The recording's line of each message that arrives. */
  readonly line: Int32Array;
  readonly departUs: Int32Array;
  readonly arriveUs: Int32Array;
  /** Checkpoint k: the first message with an arrival after k * checkpointEveryUs. */
  readonly firstOpen: Int32Array;
  /** About how many are on their way at once at most. */
  readonly most: number;
}

export function flights(recording: Recording): Flights {
  const { length, kind, timeUs, untilUs } = recording;
  let count = 0;
  let endUs = 0;
  for (let line = 0; line < length; line++) {
    if (kind[line] !== LineKind.send || untilUs[line]! < 0) continue;
    count++;
    if (untilUs[line]! > endUs) endUs = untilUs[line]!;
  }
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
  const firstOpen = new Int32Array(Math.floor(endUs / checkpointEveryUs) + 1);
  let open = 0;
  for (let checkpoint = 0; checkpoint < firstOpen.length; checkpoint++) {
    while (open < count && arriveUs[open]! <= checkpoint * checkpointEveryUs) open++;
    firstOpen[checkpoint] = open;
  }
  return { line: lines, departUs, arriveUs, firstOpen, most: mostAtOnce(departUs, arriveUs, firstOpen.length) };
}

/** The most messages that are on their way at the end of a checkpoint's time. */
function mostAtOnce(departUs: Int32Array, arriveUs: Int32Array, checkpoints: number): number {
  const change = new Int32Array(checkpoints + 1);
  for (let flight = 0; flight < departUs.length; flight++) {
    change[Math.floor(departUs[flight]! / checkpointEveryUs)]!++;
    change[Math.floor(arriveUs[flight]! / checkpointEveryUs)]!--;
  }
  let [now, most] = [0, 0];
  for (const by of change) {
    now += by;
    if (now > most) most = now;
  }
  return most;
}

/** Calls `visit` with the index of each message that has departed by `atUs` and has not arrived. Returns how many there are. */
export function eachInFlight(all: Flights, atUs: number, visit: (flight: number) => void): number {
  const checkpoint = Math.min(Math.max(0, Math.floor(atUs / checkpointEveryUs)), all.firstOpen.length - 1);
  const departed = upperBound(all.departUs, atUs);
  let count = 0;
  for (let flight = all.firstOpen[checkpoint] ?? 0; flight < departed; flight++) {
    if (all.arriveUs[flight]! <= atUs) continue;
    visit(flight);
    count++;
  }
  return count;
}
