import { evenPace, type Pace } from './pace.ts';

/** A frame after a pause of the page, as in a tab that was hidden, is taken for one of this many milliseconds. */
const longestFrameMs = 100;

/**
 * The frames of a clock. What it returns asks for one; several that ask have it together.
 *
 * @param draw given the time since the last frame, 0 after a rest, and the time now, ms; returns whether it goes on.
 */
export function frames(draw: (elapsedMs: number, nowMs: number) => boolean): () => void {
  let isComing = false;
  let drawnAtMs: number | undefined;
  const want = (): void => {
    if (isComing) return;
    isComing = true;
    requestAnimationFrame((nowMs) => {
      isComing = false;
      const elapsedMs = drawnAtMs === undefined ? 0 : Math.min(longestFrameMs, nowMs - drawnAtMs);
      const goesOn = draw(elapsedMs, nowMs);
      drawnAtMs = goesOn ? nowMs : undefined;
      if (goesOn) want();
    });
  };
  return want;
}

/**
 * Clock of the page: virtual time at its own pace. It owns no timer; the code that draws frames advances it by the
 * elapsed real time.
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
   * @param slowdown initial factor relative to virtual time. @param onChange called after each change.
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
   * A new run: from its beginning, paused. @param more whether it may continue beyond `endUs`, because its end is not
   * known yet.
   */
  reset(endUs: number, more: boolean): void {
    this.#endUs = endUs;
    this.#more = more;
    this.#timeUs = 0;
    this.#playing = false;
    this.#onChange();
  }

  /** More of the same run is known. */
  extend(endUs: number, more: boolean): void {
    this.#endUs = endUs;
    this.#more = more;
    this.#onChange();
  }

  /** Plays on; at the end of the run, again from its beginning. */
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

  seek(timeUs: number): void {
    this.#timeUs = Math.round(Math.min(Math.max(0, timeUs), this.#endUs));
    this.#onChange();
  }

  /** A frame was drawn `elapsedMs` of real time after the last one. At the edge of what is known, time waits. */
  advance(elapsedMs: number): void {
    if (!this.#playing) return;
    this.#timeUs = Math.min(this.#pace.next(this.#timeUs, elapsedMs), this.#endUs);
    if (this.#timeUs >= this.#endUs && !this.#more) this.#playing = false;
    this.#onChange();
  }
}
