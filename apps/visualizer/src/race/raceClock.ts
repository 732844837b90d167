/** Duration of the story's first part, s, and duration of the part of the race that it shows, ms. */
const slowSeconds = 8;
const slowMs = 400;
/** Duration of the story's second part, s, in which the clock accelerates. */
const fastSeconds = 12;

/** Duration of a race's story, s. */
export const storySeconds = slowSeconds + fastSeconds;

/** Returns the race's time at a moment of its story, ms. @param endMs end of the race, ms, at least 400. */
export function raceTimeMs(storySecond: number, endMs: number): number {
  if (storySecond <= slowSeconds) return (Math.max(0, storySecond) / slowSeconds) * slowMs;
  const share = Math.min(1, (storySecond - slowSeconds) / fastSeconds);
  const steady = (slowMs / slowSeconds) * fastSeconds;
  const rest = endMs - slowMs;
  const linear = Math.min(rest, steady);
  return slowMs + linear * share + (rest - linear) * share ** 3;
}

/** Returns the moment of the story at which the race is at `ms`, s: the inverse of {@link raceTimeMs}. */
export function storySecondAt(ms: number, endMs: number): number {
  let low = 0;
  let high = storySeconds;
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (raceTimeMs(middle, endMs) < ms) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Describes the speed of the race's clock relative to a real clock. */
export function paceWords(storySecond: number, endMs: number): string {
  const late = Math.min(storySeconds, storySecond + 0.1);
  const early = Math.max(0, late - 0.2);
  const rate = (raceTimeMs(late, endMs) - raceTimeMs(early, endMs)) / (1000 * (late - early));
  if (rate < 0.75) return `${Math.max(2, Math.round(1 / rate))} times slower than real time`;
  return rate < 1.5 ? 'in real time' : `${Math.round(rate)} times faster than real time`;
}
