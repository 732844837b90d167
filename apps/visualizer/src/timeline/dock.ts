import { area, select } from 'd3';
import type { Chapter } from '../guide/chapters.ts';
import { part } from '../page.ts';
import { ms } from '../views/words.ts';
import type { Playback } from './playback.ts';

/** What the track shows, so that one sees where to look. */
export interface Track {
  readonly spanUs: number;
  /** How far the run is over time, shares of the span and of everything, in order. */
  readonly curve: readonly (readonly [time: number, done: number])[];
  readonly chapters: readonly Chapter[];
}

/** Play, step and scrub, at the foot of the page. */
export class Dock {
  readonly #playback: Playback;
  readonly #timeInWords: (timeUs: number) => string;
  readonly #play = part<HTMLButtonElement>('#play');
  readonly #scrub = part<HTMLInputElement>('#scrub');
  readonly #clock = part<HTMLOutputElement>('#clock');
  readonly #curve = select(part<SVGSVGElement>('#track-curve'));

  constructor(
    playback: Playback,
    on: { toggle: () => void; step: (by: 1 | -1) => void; seek: (timeUs: number) => void },
    timeInWords = ms,
  ) {
    this.#playback = playback;
    this.#timeInWords = timeInWords;
    this.#play.addEventListener('click', on.toggle);
    part('#step').addEventListener('click', () => on.step(1));
    part('#step-back').addEventListener('click', () => on.step(-1));
    this.#scrub.addEventListener('input', () => on.seek(Number(this.#scrub.value)));
    const speed = part<HTMLSelectElement>('#speed');
    speed.addEventListener('change', () => {
      playback.slowdown = Number(speed.value);
    });
    this.enabled = false;
  }

  set enabled(enabled: boolean) {
    for (const control of [
      this.#play,
      this.#scrub,
      part<HTMLButtonElement>('#step'),
      part<HTMLButtonElement>('#step-back'),
    ])
      control.disabled = !enabled;
  }

  show({ spanUs, curve, chapters }: Track): void {
    this.#scrub.max = String(spanUs);
    const shape = area<readonly [number, number]>()
      .x(([time]) => time * 1000)
      .y0(30)
      .y1(([, done]) => 29 - 28 * done);
    this.#curve.attr('viewBox', '0 0 1000 30').selectAll('*').remove();
    this.#curve.append('path').attr('class', 'track-area').attr('d', shape(curve));
    const x = (chapter: Chapter) => (chapter.timeUs / Math.max(1, spanUs)) * 1000;
    this.#curve
      .selectAll('line')
      .data(chapters)
      .join('line')
      .attr('class', 'track-tick')
      .attr('x1', x)
      .attr('x2', x)
      .attr('y1', 0)
      .attr('y2', 30);
  }

  draw(): void {
    const { timeUs, playing } = this.#playback;
    this.#scrub.value = String(timeUs);
    this.#scrub.setAttribute('aria-valuetext', this.#timeInWords(timeUs));
    this.#clock.textContent = this.#timeInWords(timeUs);
    this.#play.classList.toggle('playing', playing);
    this.#play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
  }
}
