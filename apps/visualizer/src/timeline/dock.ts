import { area, scaleLinear, select } from 'd3';
import type { Chapter } from '../guide/chapters.ts';
import { part } from '../page.ts';
import { ms } from '../views/words.ts';
import type { Playback } from './playback.ts';
import type { RunIndex } from './runIndex.ts';

/** How many columns of the grid one point of the curve stands for. */
const columnsAPoint = 6;

/** Play, step and scrub, at the foot of the page; the track carries the mean of what nodes hold, so that one sees where to look. */
export class Dock {
  readonly #playback: Playback;
  readonly #play = part<HTMLButtonElement>('#play');
  readonly #scrub = part<HTMLInputElement>('#scrub');
  readonly #clock = part<HTMLOutputElement>('#clock');
  readonly #curve = select(part<SVGSVGElement>('#track-curve'));

  constructor(
    playback: Playback,
    on: { toggle: () => void; step: (by: 1 | -1) => void; seek: (timeUs: number) => void },
  ) {
    this.#playback = playback;
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

  show(index: RunIndex, chapters: readonly Chapter[]): void {
    this.#scrub.max = String(index.spanUs);
    const { grid } = index;
    const x = scaleLinear([-1, grid.columns - 1], [0, 1000]);
    const y = scaleLinear([0, index.recording.world.nodes], [29, 1]);
    const shape = area<number>()
      .x((column) => x(column))
      .y0(30)
      .y1((column) => y(column < 0 ? 0 : grid.mean[column]!));
    this.#curve.attr('viewBox', '0 0 1000 30').selectAll('*').remove();
    const columns = [...Array(grid.known).keys()].filter((column) => column % columnsAPoint === 0);
    if (grid.known > 0) columns.push(grid.known - 1);
    this.#curve
      .append('path')
      .attr('class', 'track-area')
      .attr('d', shape([-1, ...columns]));
    this.#curve
      .selectAll('line')
      .data(chapters)
      .join('line')
      .attr('class', 'track-tick')
      .attr('x1', (chapter) => (chapter.timeUs / Math.max(1, index.spanUs)) * 1000)
      .attr('x2', (chapter) => (chapter.timeUs / Math.max(1, index.spanUs)) * 1000)
      .attr('y1', 0)
      .attr('y2', 30);
  }

  draw(): void {
    const { timeUs, playing } = this.#playback;
    this.#scrub.value = String(timeUs);
    this.#scrub.setAttribute('aria-valuetext', ms(timeUs));
    this.#clock.textContent = ms(timeUs);
    this.#play.classList.toggle('playing', playing);
    this.#play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
  }
}
