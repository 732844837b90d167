/** Pace of a clock: returns the clock's time after an interval of real time. */
export interface Pace {
  next(timeUs: number, elapsedMs: number): number;
}

/** Returns a constant pace. @param slowdown factor by which the clock is slower than the run. */
export function evenPace(slowdown: number): Pace {
  return { next: (timeUs, elapsedMs) => timeUs + (elapsedMs * 1000) / slowdown };
}

/** Range of a chapter's duration, s. A chapter is long enough to read, and short enough to wait for. */
export const chapterSeconds = { least: 4, most: 9 } as const;

/**
 * Returns a story's pace. Short chapters are slowed down so that they can be read, and long ones accelerated so that
 * the wait is short.
 *
 * @param chaptersUs start times of the chapters, ascending, without duplicates, the first at 0.
 * @param endUs end of the last chapter; undefined while it is unknown.
 * @param slowdown factor of slowing, if a chapter's length allows it.
 * @param mostSeconds maximum duration of a chapter, s.
 */
export function storyPace(
  chaptersUs: readonly number[],
  endUs: number | undefined,
  slowdown: number,
  mostSeconds: number = chapterSeconds.most,
): Pace {
  const borders = endUs === undefined ? chaptersUs : [...chaptersUs.filter((us) => us < endUs), endUs];
  return {
    next(timeUs, elapsedMs) {
      let at = timeUs;
      let leftMs = elapsedMs;
      for (const border of borders) {
        if (border <= at) continue;
        const began = borders[borders.indexOf(border) - 1] ?? 0;
        const perUs = secondsFor(border - began, slowdown, mostSeconds) / (border - began);
        const toBorderMs = (border - at) * perUs * 1000;
        if (toBorderMs > leftMs) return at + leftMs / (perUs * 1000);
        at = border;
        leftMs -= toBorderMs;
      }
      return at + (leftMs * 1000) / slowdown;
    },
  };
}

function secondsFor(lengthUs: number, slowdown: number, mostSeconds: number): number {
  return Math.min(mostSeconds, Math.max(chapterSeconds.least, (lengthUs * slowdown) / 1e6));
}

/**
 * Returns a pace for users who prefer reduced motion: the story stands still, and jumps from one chapter to the next.
 * The pace is stateful, so use one per clock.
 */
export function steppedPace(chaptersUs: readonly number[], endUs: number): Pace {
  let stoodMs = 0;
  return {
    next(timeUs, elapsedMs) {
      stoodMs += elapsedMs;
      if (stoodMs < chapterSeconds.least * 1000) return timeUs;
      stoodMs = 0;
      return chaptersUs.find((us) => us > timeUs) ?? endUs;
    },
  };
}
