/**
 * Maximum real time that a frame may cover, ms. A longer pause, as in a hidden tab, counts as a frame of this duration.
 */
const maxFrameMs = 100;

/**
 * Creates the frame loop of a clock. The returned function requests a frame; several requests before the frame share
 * it.
 *
 * @param draw called with the time since the last frame (0 after a pause) and the current time, ms. `draw` returns
 * whether the loop continues.
 */
export function frames(draw: (elapsedMs: number, nowMs: number) => boolean): () => void {
  let isComing = false;
  let drawnAtMs: number | undefined;
  const want = (): void => {
    if (isComing) return;
    isComing = true;
    requestAnimationFrame((nowMs) => {
      isComing = false;
      const elapsedMs = drawnAtMs === undefined ? 0 : Math.min(maxFrameMs, nowMs - drawnAtMs);
      const goesOn = draw(elapsedMs, nowMs);
      drawnAtMs = goesOn ? nowMs : undefined;
      if (goesOn) want();
    });
  };
  return want;
}

/**
 * Clock of the page, which shows virtual time and advances at its own pace. The clock has no timer. The code that draws
 * frames advances the clock by the elapsed real time.
 */
export class Playback {
  #timeUs = 0;
  #endUs = 0;
  #more = false;
  #playing = false;
  #pace: Pace;
  readonly #onChange: () => void;

  /**
   * Creates a clock.
   *
   * @param slowdown initial factor by which the clock is slower than virtual time.
   * @param onChange called after each change.
   */
  constructor(slowdown: number, onChange: () => void) {
    this.#pace = evenPace(slowdown);
    this.#onChange = onChange;
  }

  get timeUs(): number {
    return this.#timeUs;
  }

  get endUs(): number {
    return this.#endUs;
  }

  get playing(): boolean {
    return this.#playing;
  }

  set pace(pace: Pace) {
    this.#pace = pace;
    this.#onChange();
  }

  /**
   * Loads a new run at its beginning, paused. @param more whether the run may continue beyond `endUs`, because the end
   * of the run is unknown.
   */
  reset(endUs: number, more: boolean): void {
    this.#endUs = endUs;
    this.#more = more;
    this.#timeUs = 0;
    this.#playing = false;
    this.#onChange();
  }

  /** Replaces the end of the current run's known part. @param more as in {@link reset}. */
  extend(endUs: number, more: boolean): void {
    this.#endUs = endUs;
    this.#more = more;
    this.#onChange();
  }

  /** Starts the clock, if there is a run. If the clock is at the end of the run, starts from the beginning. */
  play(): void {
    if (this.#endUs === 0) return;
    if (this.#timeUs >= this.#endUs && !this.#more) this.#timeUs = 0;
    this.#playing = true;
    this.#onChange();
  }

  pause(): void {
    this.#playing = false;
    this.#onChange();
  }

  /** Goes to a moment, rounded to whole microseconds and limited to the known part of the run. */
  seek(timeUs: number): void {
    this.#timeUs = Math.round(Math.min(Math.max(0, timeUs), this.#endUs));
    this.#onChange();
  }

  /**
   * Advances the clock by a frame, which is `elapsedMs` of real time after the previous frame. At the end of the known
   * part of the run, the clock waits.
   */
  advance(elapsedMs: number): void {
    if (!this.#playing) return;
    this.#timeUs = Math.min(this.#pace.next(this.#timeUs, elapsedMs), this.#endUs);
    if (this.#timeUs >= this.#endUs && !this.#more) this.#playing = false;
    this.#onChange();
  }
}

/** Pace of a clock: determines the clock's time after an interval of real time. */
export interface Pace {
  next(timeUs: number, elapsedMs: number): number;
}

/** Returns a constant pace. @param slowdown factor by which the clock is slower than the run. */
export function evenPace(slowdown: number): Pace {
  return { next: (timeUs, elapsedMs) => timeUs + (elapsedMs * 1000) / slowdown };
}

/**
 * Minimum and maximum duration of a chapter, s. A chapter should be long enough to read, and short enough to wait for.
 */
export const chapterSeconds = { min: 4, max: 9 } as const;

/**
 * Returns the pace of a story. The pace slows down short chapters so that they can be read, and speeds up long chapters
 * so that the wait is short.
 *
 * @param chaptersUs start times of the chapters, ascending, without duplicates, the first at 0.
 * @param endUs end time of the last chapter; undefined while it is unknown.
 * @param slowdown factor by which a chapter is slowed down, if the resulting duration is within the limits. The factor
 * also applies after the last border.
 * @param maxSeconds maximum duration of a chapter, s.
 */
export function storyPace(
  chaptersUs: readonly number[],
  endUs: number | undefined,
  slowdown: number,
  maxSeconds: number = chapterSeconds.max,
): Pace {
  const borders = endUs === undefined ? chaptersUs : [...chaptersUs.filter((us) => us < endUs), endUs];
  return {
    next(timeUs, elapsedMs) {
      let at = timeUs;
      let leftMs = elapsedMs;
      for (const [place, border] of borders.entries()) {
        if (border <= at) continue;
        const began = borders[place - 1] ?? 0;
        const perUs = secondsFor(border - began, slowdown, maxSeconds) / (border - began);
        const toBorderMs = (border - at) * perUs * 1000;
        if (toBorderMs > leftMs) return at + leftMs / (perUs * 1000);
        at = border;
        leftMs -= toBorderMs;
      }
      return at + (leftMs * 1000) / slowdown;
    },
  };
}

function secondsFor(lengthUs: number, slowdown: number, maxSeconds: number): number {
  return Math.min(maxSeconds, Math.max(chapterSeconds.min, (lengthUs * slowdown) / 1e6));
}

/**
 * Returns a pace for users who prefer reduced motion: the story pauses, and then jumps from one chapter to the next.
 * The pace has a state, so each clock needs its own pace.
 */
export function steppedPace(chaptersUs: readonly number[], endUs: number): Pace {
  let stoodMs = 0;
  return {
    next(timeUs, elapsedMs) {
      stoodMs += elapsedMs;
      if (stoodMs < chapterSeconds.min * 1000) return timeUs;
      stoodMs = 0;
      return chaptersUs.find((us) => us > timeUs) ?? endUs;
    },
  };
}
