import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromHex } from '@tutti/core/input';
import { roundAt, roundStartMs } from '@tutti/transports';
import { badValue } from '../flags.ts';

/** A round to open now. */
export interface DueRound {
  readonly number: number;
  /** Common start time, wall-clock ms; it may lie in the past. Undefined: at once. */
  readonly startMs: number | undefined;
  /** Beacon for its seed, see `roundSeed`; undefined for the one that the node was started with. */
  readonly beacon?: Uint8Array;
}

/** A line that is no valid command, with the reason. */
export interface RefusedCommand {
  readonly refused: string;
}

/** Minimum length of a beacon, since fewer bytes could be guessed. */
const minBeaconBytes = 16;
/** Maximum length of a beacon, more than a multi-signature of the largest registry with its bits. */
const maxBeaconBytes = 2 ** 18;
/** Description of a beacon, for users. */
export const beaconPattern = 'an even number of hexadecimal digits, at least 32';

/** Time before its start at which a round is opened, to sign and to receive from peers whose clocks are ahead. */
const maxLeadMs = 250;

/**
 * Rounds by the wall clock, see `roundAt`. A running round is joined late if at least half of it is left; otherwise the
 * next one is the first. Returns when the last is over, or when the signal is given.
 *
 * @param count how many; Infinity for endless rounds.
 */
export async function* clockRounds(everyMs: number, count: number, signal: AbortSignal): AsyncGenerator<DueRound> {
  const leadMs = Math.min(maxLeadMs, everyMs / 10);
  let number = roundAt(Date.now() + everyMs / 2, everyMs);
  for (let done = 0; done < count; done++) {
    if (!(await reached(roundStartMs(number, everyMs) - leadMs, signal))) return;
    yield { number, startMs: roundStartMs(number, everyMs) };
    // After a sleep, a machine continues with the current round.
    number = Math.max(number + 1, roundAt(Date.now(), everyMs));
  }
  await reached(roundStartMs(number, everyMs), signal);
}

/**
 * Yields rounds by command: one begins when its number arrives as a line, with or without a beacon after it. It returns
 * at the end of the lines, or when the signal is given. An invalid line is passed on as such, and the next one is read.
 */
export async function* commandedRounds(
  input: NodeJS.ReadableStream,
  signal: AbortSignal,
): AsyncGenerator<DueRound | RefusedCommand> {
  const lines = createInterface({ input, signal, crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    const text = line.trim();
    if (text === '') continue;
    const [, digits, beacon] = /^(\d{1,15})(?:\s+(\S+))?$/.exec(text) ?? [];
    const bytes = beacon === undefined ? undefined : beaconFromHex(beacon);
    if (digits === undefined || (beacon !== undefined && bytes === undefined)) {
      const expected = `a round's number, 0 to 999999999999999, with a beacon (${beaconPattern}) optionally after it`;
      yield { refused: badValue('standard input', expected, text).message };
    } else yield { number: Number(digits), startMs: undefined, ...(bytes !== undefined && { beacon: bytes }) };
  }
}

/** Returns undefined for anything but a beacon. */
export function beaconFromHex(digits: string): Uint8Array | undefined {
  const bytes = Math.floor(digits.length / 2);
  return bytes >= minBeaconBytes && bytes <= maxBeaconBytes ? fromHex(digits, bytes) : undefined;
}

/** Waits for a time of the wall clock. Returns false if the signal came first. */
export async function reached(wallMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    for (let leftMs = wallMs - Date.now(); leftMs > 0; leftMs = wallMs - Date.now())
      await sleep(Math.min(leftMs, maxSleepMs), undefined, { signal });
  } catch {
    return false;
  }
  return !signal.aborted;
}

/** Maximum sleep between two looks at the clock, which may be set while the machine sleeps. */
const maxSleepMs = 60_000;
