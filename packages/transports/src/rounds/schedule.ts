/**
 * Rounds by the wall clock: round n begins n intervals after 1 January 1970, so that nodes which know the interval
 * agree on the round without a word. Clocks that are apart by d make the later node a late starter by d: it is told by
 * the others what it missed, and while d is under the interval nothing is lost but time.
 *
 * @param wallMs since 1 January 1970, as `Date.now()` gives it. @param intervalMs over 0.
 */
export function roundAt(wallMs: number, intervalMs: number): number {
  return Math.floor(wallMs / intervalMs);
}

/** When a round begins, wall-clock ms. */
export function roundStartMs(round: number, intervalMs: number): number {
  return round * intervalMs;
}
