import { html, render, svg } from 'lit-html';
import { part, write } from '../page.ts';
import { set } from '../views/drawing.ts';
import { labelPlaces, type Mark, type Track } from './marks.ts';
import type { Playback } from './playback.ts';

/** Callbacks of the dock. */
export interface DockListener {
  toggle(): void;
  step(by: 1 | -1): void;
  seek(timeUs: number): void;
  /** The speed that was chosen; undefined for a story's pace. */
  speed(slowdown: number | undefined): void;
}

/** Play, step and scrub, at the foot of the page. */
export class Dock {
  readonly #playback: Playback;
  readonly #timeInWords: (timeUs: number) => string;
  readonly #play = part<HTMLButtonElement>('#play');
  readonly #scrub = part<HTMLInputElement>('#scrub');
  readonly #clock = part<HTMLOutputElement>('#clock');
  readonly #on: DockListener;
  /** Observed width of the track: reading it would force a layout. */
  #width = 0;
  #track: Track = { spanUs: 1, curve: [], marks: [] };

  constructor(playback: Playback, on: DockListener, timeInWords: (timeUs: number) => string) {
    this.#playback = playback;
    this.#on = on;
    this.#timeInWords = timeInWords;
    this.#play.addEventListener('click', () => on.toggle());
    part('#step').addEventListener('click', () => on.step(1));
    part('#step-back').addEventListener('click', () => on.step(-1));
    this.#scrub.addEventListener('input', () => on.seek(Number(this.#scrub.value)));
    const speed = part<HTMLSelectElement>('#speed');
    speed.addEventListener('change', () => on.speed(speed.value === 'story' ? undefined : Number(speed.value)));
    new ResizeObserver(([track]) => {
      this.#width = track!.contentRect.width;
      this.#drawMarks();
    }).observe(part('#track'));
    set(part('#track-curve'), { viewBox: '0 0 1000 30' });
    this.#clock.textContent = timeInWords(0);
  }

  /** Sets whether the clock can be slowed down. */
  set hasSpeeds(hasSpeeds: boolean) {
    part<HTMLSelectElement>('#speed').disabled = !hasSpeeds;
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

  show(track: Track): void {
    const { spanUs, curve } = track;
    this.#track = track;
    // In whole steps, so that the end can be reached.
    this.#scrub.max = String(Math.ceil(spanUs / scrubStepUs) * scrubStepUs);
    const [first, last] = [curve[0]?.[0] ?? 0, curve.at(-1)?.[0] ?? 0];
    const upper = curve.map(([time, done]) => `${time * 1000},${29 - 28 * done}`).join('L');
    const shape = upper && `M${upper}L${last * 1000},30H${first * 1000}Z`;
    render(svg`<path class="track-area" d=${shape}></path>`, part<SVGSVGElement>('#track-curve'));
    const place = (timeUs: number) => `left: ${(timeUs / Math.max(1, spanUs)) * 100}%`;
    render(
      (track.times ?? []).map(({ timeUs, label }) => html`<li .style=${place(timeUs)}>${label}</li>`),
      part('#track-times'),
    );
    this.#drawMarks();
  }

  /** A pointer's way to each mark; the keys' is by [ and ]. */
  #drawMarks(): void {
    const { spanUs, marks } = this.#track;
    const width = this.#width;
    const x = (timeUs: number) => (timeUs / Math.max(1, spanUs)) * width;
    const places = labelPlaces(marks, x, (label) => 8 + label.length * letterWidth, width);
    const mark = ({ kind, label, timeUs }: Mark, at: number) =>
      html`<li class="${kind}${places[at] === 'before' ? ' before' : ''}" .style=${`left: ${x(timeUs)}px`}><button type="button" tabindex="-1" title="${label}, ${this.#timeInWords(timeUs)}" @click=${() => this.#on.seek(timeUs)}>${places[at] === 'nowhere' ? '' : label}</button></li>`;
    render(marks.map(mark), part('#marks'));
  }

  draw(): void {
    const { timeUs, playing } = this.#playback;
    this.#scrub.value = String(timeUs);
    const words = this.#timeInWords(timeUs);
    this.#scrub.setAttribute('aria-valuetext', words);
    write(this.#clock, words);
    this.#play.classList.toggle('playing', playing);
    this.#play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
  }
}

/** The slider's, as in the shell. */
const scrubStepUs = 100;
/** About what a letter of a mark's label takes, px. */
const letterWidth = 6.2;
