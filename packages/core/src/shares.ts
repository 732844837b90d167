import { expected } from './errors.ts';

/**
 * Tolerance for the product of a count and a share. 0.7 of 90 is 63, but the floating-point product is slightly below
 * 63; 0.07 of 100 is 7, but the floating-point product is slightly above 7. Rounding of the share and of the product
 * causes an error of at most 2^-33 for a count of up to 2^20: the tolerance is 8.6 times as large. An exact product
 * that is not an integer differs from the nearest integer by at least 1e-8 if the share has up to 8 decimals.
 */
const slack = 1e-9;

/**
 * Returns a share of `count`, rounded down to an integer: for example the number of nodes that are dead, slow,
 * Byzantine or behind Tor.
 */
export function partOf(count: number, share: number): number {
  return Math.floor(count * share + slack);
}

/** Description of the argument of {@link thresholdCount}, for errors and help texts. */
export const thresholdForm = 'a share greater than 0 and at most 1, or a count of at least 2';

/** Returns whether a number is a valid threshold. 1 stands for all contributions. */
export function isThreshold(threshold: number): boolean {
  return Number.isFinite(threshold) && threshold > 0 && (threshold <= 1 || Number.isInteger(threshold));
}

/** Checks a threshold: a share in (0, 1], or a count from 2 to `max`. @throws RangeError for any other number. */
export function requireThreshold(label: string, threshold: number, max: number): void {
  if (!isThreshold(threshold)) throw new RangeError(expected(label, thresholdForm, threshold));
  if (threshold > max) throw new RangeError(expected(label, `a share, or a count of at most ${max}`, threshold));
}

/**
 * Returns the number of contributions that a threshold requires. The function rounds a share up: a node with a
 * threshold of 99 % must not accept less than 99 %, and 0.67 of ten is seven, which is over two thirds. All code that
 * takes a threshold uses this function.
 *
 * @param threshold a share in (0, 1], or a count of at least 2; 1 stands for all contributions.
 * @param count total to which a share applies.
 * @throws RangeError for any other threshold.
 * @returns at least 1. The function returns a threshold given as a count unchanged, even if the count exceeds `count`.
 */
export function thresholdCount(threshold: number, count: number): number {
  if (!isThreshold(threshold)) throw new RangeError(expected('threshold', thresholdForm, threshold));
  return threshold > 1 ? threshold : Math.max(1, Math.ceil(count * threshold - slack));
}

/** Returns a threshold as text: a percentage such as `99 %`, or the count. */
export function thresholdText(threshold: number): string {
  return threshold > 1 ? String(threshold) : percentText(threshold);
}

/** Returns a share as a percentage such as `29 %`, without the rounding error of the multiplication. */
export function percentText(share: number): string {
  return `${Number((100 * share).toPrecision(12))} %`;
}
