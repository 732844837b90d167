import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromHex } from '@tutti/core/input';
import { roundAt, roundStartMs } from '@tutti/transports';
import { badValue } from '../flags.ts';

/** A round to open immediately. */
export interface DueRound {
  readonly number: number;
  /** Common start time, wall-clock ms, possibly in the past. Undefined: the round starts immediately. */
  readonly startMs: number | undefined;
  /**
   * Beacon for the seed of the round, see `roundSeed`. Undefined: the round uses the beacon with which the node was
   * started.
   */
  readonly beacon?: Uint8Array;
}

/** An input line that is not a valid command, with the reason. */
export interface RefusedCommand {
  readonly refused: string;
}

/** Minimum length of a beacon, bytes. An attacker could guess a shorter beacon. */
const minBeaconBytes = 16;
/** Maximum length of a beacon, bytes, which exceeds a multi-signature of the largest registry with its bits. */
const maxBeaconBytes = 2 ** 18;
/** Description of a beacon, for users. */
export const beaconPattern = 'an even number of hexadecimal digits, at least 32';

/**
 * Time before the start of a round at which the round is opened, ms, for signing and for receiving from peers whose
 * clocks are ahead.
 */
const maxLeadMs = 250;

/**
 * Yields rounds according to the wall clock, see `roundAt`. If more than half of the current round remains, the
 * generator yields the current round first; otherwise, it starts with the next round. The generator returns at the time
 * when the round after the last one would start, or when the signal is aborted.
 *
 * @param count number of rounds; Infinity for no limit.
 */
export async function* clockRounds(everyMs: number, count: number, signal: AbortSignal): AsyncGenerator<DueRound> {
  const leadMs = Math.min(maxLeadMs, everyMs / 10);
  let number = roundAt(Date.now() + everyMs / 2, everyMs);
  for (let done = 0; done < count; done++) {
    if (!(await reached(roundStartMs(number, everyMs) - leadMs, signal))) return;
    yield { number, startMs: roundStartMs(number, everyMs) };
    // If the machine has slept, the current round follows, and missed rounds are skipped.
    number = Math.max(number + 1, roundAt(Date.now(), everyMs));
  }
  await reached(roundStartMs(number, everyMs), signal);
}

/**
 * Yields rounds in response to commands. A round starts when a line with its number arrives; the line may also contain
 * a beacon after the number. The generator returns at the end of the input, or when the signal is aborted. The
 * generator yields an invalid line as rejected, and continues to read.
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

/** Returns the bytes of a beacon; undefined for a text that is not a beacon. */
export function beaconFromHex(digits: string): Uint8Array | undefined {
  const bytes = Math.floor(digits.length / 2);
  return bytes >= minBeaconBytes && bytes <= maxBeaconBytes ? fromHex(digits, bytes) : undefined;
}

/** Waits until a given time of the wall clock. @returns false if the signal was aborted before that time. */
export async function reached(wallMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    for (let leftMs = wallMs - Date.now(); leftMs > 0; leftMs = wallMs - Date.now())
      await sleep(Math.min(leftMs, maxSleepMs), undefined, { signal });
  } catch {
    return false;
  }
  return !signal.aborted;
}

/**
 * Maximum time to sleep between two readings of the clock, ms. The sleep is limited because the clock may be changed in
 * the meantime.
 */
const maxSleepMs = 60_000;
