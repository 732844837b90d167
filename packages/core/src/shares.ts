import { expected } from './errors.ts';

/**
 * How far the product of a count and a share may be off: 0.7 of 90 is 63, though the product of the two floats is just
 * below that, and 0.07 of 100 is 7, though theirs is just above. This is a million times the error of a product of up
 * to 2^20, and far less than any share is meant to distinguish.
 */
const slack = 1e-9;

/** Returns a share of `count`, rounded down: the number of nodes that are dead, slow, Byzantine or behind Tor. */
export function partOf(count: number, share: number): number {
  return Math.floor(count * share + slack);
}

/** What {@link thresholdCount} takes, in words. */
export const thresholdForm = 'a share over 0 and up to 1, or a count of 2 or more';

/** Returns whether a number can be a threshold. 1 means all. */
export function isThreshold(threshold: number): boolean {
  return Number.isFinite(threshold) && threshold > 0 && (threshold <= 1 || Number.isInteger(threshold));
}

/**
 * Checks that a number is a threshold: a share over 0 and up to 1, or a count from 2 to `most`.
 * @throws RangeError for any other number.
 */
export function requireThreshold(label: string, threshold: number, most: number): void {
  if (!isThreshold(threshold)) throw new RangeError(expected(label, thresholdForm, threshold));
  if (threshold > most) throw new RangeError(expected(label, `a share, or a count up to ${most}`, threshold));
}

/**
 * How many contributions a threshold asks for. A share is rounded up, so that a node that has reached 99 % does not
 * have less than 99 %, and 0.67 of ten is seven, over two thirds. Everything that takes a threshold counts it here.
 *
 * @param threshold a share over 0 and up to 1, or the count itself from 2 on; 1 is all of them.
 * @param count that a share is of.
 * @throws RangeError for a threshold that is neither.
 * @returns at least 1. A threshold given as a count is returned as it is, even if it exceeds `count`.
 */
export function thresholdCount(threshold: number, count: number): number {
  if (!isThreshold(threshold)) throw new RangeError(expected('threshold', thresholdForm, threshold));
  return threshold > 1 ? threshold : Math.max(1, Math.ceil(count * threshold - slack));
}

/** A threshold as people write it: `99 %`, or the count. */
export function thresholdText(threshold: number): string {
  return threshold > 1 ? String(threshold) : `${Number((100 * threshold).toPrecision(12))} %`;
}
