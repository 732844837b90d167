/**
 * Makes the message of an error that blames the caller: what was looked at, what it should have been, what came.
 *
 * @example expected('share', 'a number from 0 to 0.9', 1) // "share: expected a number from 0 to 0.9, got 1"
 */
export function expected(label: string, what: string, got: unknown): string {
  return `${label}: expected ${what}, got ${typeof got === 'string' ? JSON.stringify(got) : String(got)}`;
}

/** The text, or if it is longer than `most` characters its beginning with an ellipsis. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 3)}...` : text;
}

/** @throws RangeError unless `value` is an integer in [min, max]. */
export function requireInteger(label: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(expected(label, `an integer from ${min} to ${max}`, value));
  }
}

/** @throws RangeError unless `value` is a finite number in [min, max]. */
export function requireNumber(label: string, value: number, min: number, max: number): void {
  if (!Number.isFinite(value) || value < min || value > max) {
    throw new RangeError(expected(label, `a number from ${min} to ${max}`, value));
  }
}
