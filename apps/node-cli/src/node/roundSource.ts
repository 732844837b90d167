import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromHex } from '@tutti/core/input';
import { roundAt, roundStartMs } from '@tutti/transports';
import { badValue } from '../flags.ts';

/** A round to open now. */
export interface DueRound {
  readonly number: number;
  /** Common start time, wall-clock ms, possibly in the past. Undefined: start immediately. */
  readonly startMs: number | undefined;
  /** Beacon for the round's seed, see `roundSeed`. Undefined: the beacon with which the node was started. */
  readonly beacon?: Uint8Array;
}

/** A line that is no valid command, with the reason. */
export interface RefusedCommand {
  readonly refused: string;
}

/** Minimum length of a beacon, bytes. A shorter one could be guessed. */
const minBeaconBytes = 16;
/** Maximum length of a beacon, bytes: more than a multi-signature of the largest registry with its bits. */
const maxBeaconBytes = 2 ** 18;
/** Description of a beacon, for users. */
export const beaconPattern = 'an even number of hexadecimal digits, at least 32';

/** Time by which a round is opened before its start, ms, to sign and to receive from peers whose clocks are ahead. */
const maxLeadMs = 250;

/**
 * Yields rounds by the wall clock, see `roundAt`. A running round is joined late if at least half of it remains;
 * otherwise the next round is the first. Returns after the last round, or when the signal is aborted.
 *
 * @param count number of rounds; Infinity for no limit.
 */
export async function* clockRounds(everyMs: number, count: number, signal: AbortSignal): AsyncGenerator<DueRound> {
  const leadMs = Math.min(maxLeadMs, everyMs / 10);
  let number = roundAt(Date.now() + everyMs / 2, everyMs);
  for (let done = 0; done < count; done++) {
    if (!(await reached(roundStartMs(number, everyMs) - leadMs, signal))) return;
    yield { number, startMs: roundStartMs(number, everyMs) };
    // After a sleep of the machine, the current round is next.
    number = Math.max(number + 1, roundAt(Date.now(), everyMs));
  }
  await reached(roundStartMs(number, everyMs), signal);
}

/**
 * Yields rounds by command. A round starts when its number arrives as a line, with or without a beacon after it.
 * Returns at the end of the input, or when the signal is aborted. An invalid line is yielded as rejected, and reading
 * continues.
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

/** Returns the bytes of a beacon; undefined for any other text. */
export function beaconFromHex(digits: string): Uint8Array | undefined {
  const bytes = Math.floor(digits.length / 2);
  return bytes >= minBeaconBytes && bytes <= maxBeaconBytes ? fromHex(digits, bytes) : undefined;
}

/** Waits for a time of the wall clock. @returns false if the signal was aborted first. */
export async function reached(wallMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    for (let leftMs = wallMs - Date.now(); leftMs > 0; leftMs = wallMs - Date.now())
      await sleep(Math.min(leftMs, maxSleepMs), undefined, { signal });
  } catch {
    return false;
  }
  return !signal.aborted;
}

/** Maximum sleep between two readings of the clock, ms. The clock may be set in the meantime. */
const maxSleepMs = 60_000;
