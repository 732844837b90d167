import { html, render, svg } from 'lit-html';
import { query, write } from '../page.ts';
import { set } from '../views/drawing.ts';
import { labelPlaces, type Mark, type Track } from './marks.ts';
import type { Playback } from './playback.ts';
import { type TrackWindow, withMoment, zoomed } from './trackWindow.ts';

/** Callbacks of the dock. */
interface DockListener {
  toggle(): void;
  step(by: 1 | -1): void;
  seek(timeUs: number): void;
  /** Called with the chosen speed; undefined for a story's own pace. */
  speed(slowdown: number | undefined): void;
}

/** Controls at the bottom of the page: play, step and scrub. */
export class Dock {
  readonly #playback: Playback;
  readonly #timeInWords: (timeUs: number) => string;
  readonly #play = query<HTMLButtonElement>('#play');
  readonly #scrub = query<HTMLInputElement>('#scrub');
  readonly #clock = query<HTMLOutputElement>('#clock');
  readonly #on: DockListener;
  /** Observed width of the track. It is stored, because reading it would force a layout. */
  #width = 0;
  #track: Track = { spanUs: 1, curve: [], marks: [] };
  /** Part of the run that the track shows. */
  #window: TrackWindow = { fromUs: 0, untilUs: 1 };

  constructor(playback: Playback, on: DockListener, timeInWords: (timeUs: number) => string) {
    this.#playback = playback;
    this.#on = on;
    this.#timeInWords = timeInWords;
    this.#play.addEventListener('click', () => on.toggle());
    query('#step').addEventListener('click', () => on.step(1));
    query('#step-back').addEventListener('click', () => on.step(-1));
    this.#scrub.addEventListener('input', () => on.seek(Number(this.#scrub.value)));
    query('#unzoom').addEventListener('click', () => this.zoom(Number.POSITIVE_INFINITY));
    // A two-finger gesture on a trackpad arrives as a wheel event with Ctrl.
    query('#track').addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey || this.#scrub.disabled) return;
        event.preventDefault();
        const { left, width } = query('#track').getBoundingClientRect();
        const { fromUs, untilUs } = this.#window;
        this.zoom(event.deltaY < 0 ? 0.8 : 1.25, fromUs + ((event.clientX - left) / width) * (untilUs - fromUs));
      },
      { passive: false },
    );
    const speed = query<HTMLSelectElement>('#speed');
    speed.addEventListener('change', () => on.speed(speed.value === 'story' ? undefined : Number(speed.value)));
    new ResizeObserver(([track]) => {
      this.#width = track!.contentRect.width;
      this.#drawMarks();
    }).observe(query('#track'));
    this.#clock.textContent = timeInWords(0);
  }

  /** Sets whether the clock can be slowed down. */
  set hasSpeeds(hasSpeeds: boolean) {
    query<HTMLSelectElement>('#speed').disabled = !hasSpeeds;
  }

  set enabled(enabled: boolean) {
    for (const control of [
      this.#play,
      this.#scrub,
      query<HTMLButtonElement>('#step'),
      query<HTMLButtonElement>('#step-back'),
    ])
      control.disabled = !enabled;
  }

  /** Shows another part of the run, `factor` times as long, around a moment. Default: the clock's moment. */
  zoom(factor: number, aroundUs = this.#playback.timeUs): void {
    this.#window = zoomed(this.#window, factor, aroundUs, this.#track.spanUs);
    this.#drawWindow();
  }

  show(track: Track): void {
    const { spanUs, curve } = track;
    // A new run is shown whole.
    if (spanUs !== this.#track.spanUs) this.#window = { fromUs: 0, untilUs: spanUs };
    this.#track = track;
    const [first, last] = [curve[0]?.[0] ?? 0, curve.at(-1)?.[0] ?? 0];
    const upper = curve.map(([time, done]) => `${time * 1000},${29 - 28 * done}`).join('L');
    const shape = upper && `M${upper}L${last * 1000},30H${first * 1000}Z`;
    render(svg`<path class="track-area" d=${shape}></path>`, query<SVGSVGElement>('#track-curve'));
    this.#drawWindow();
  }

  /** Lays out the track for the shown part of the run. */
  #drawWindow(): void {
    const { spanUs, times = [] } = this.#track;
    const { fromUs, untilUs } = this.#window;
    const wideUs = Math.max(1, untilUs - fromUs);
    const isWhole = wideUs >= spanUs;
    this.#scrub.min = String(Math.floor(fromUs / scrubStepUs) * scrubStepUs);
    // Whole steps, so that the end can be reached.
    this.#scrub.max = String(Math.ceil(untilUs / scrubStepUs) * scrubStepUs);
    this.#scrub.value = String(this.#playback.timeUs);
    const unit = 1000 / Math.max(1, spanUs);
    set(query('#track-curve'), { viewBox: `${fromUs * unit} 0 ${wideUs * unit} 30` });
    const unzoom = query('#unzoom');
    unzoom.hidden = isWhole;
    unzoom.textContent = `${this.#timeInWords(fromUs)} to ${this.#timeInWords(untilUs)}: show all`;
    render(
      times
        .filter(({ timeUs }) => timeUs >= fromUs && timeUs <= untilUs)
        .map(({ timeUs, label }) => html`<li .style=${`left: ${((timeUs - fromUs) / wideUs) * 100}%`}>${label}</li>`),
      query('#track-times'),
    );
    this.#drawMarks();
  }

  /** Draws a button for each mark, for pointers. With a keyboard, [ and ] jump between marks. */
  #drawMarks(): void {
    const { fromUs, untilUs } = this.#window;
    const marks = this.#track.marks.filter(({ timeUs }) => timeUs >= fromUs && timeUs <= untilUs);
    const width = this.#width;
    const x = (timeUs: number) => ((timeUs - fromUs) / Math.max(1, untilUs - fromUs)) * width;
    const places = labelPlaces(marks, x, (label) => 8 + label.length * letterWidth, width);
    const mark = ({ kind, label, timeUs }: Mark, at: number) =>
      html`<li class="${kind}${places[at] === 'before' ? ' before' : ''}" .style=${`left: ${x(timeUs)}px`}><button type="button" tabindex="-1" title="${label}, ${this.#timeInWords(timeUs)}" @click=${() => this.#on.seek(timeUs)}>${places[at] === 'nowhere' ? '' : label}</button></li>`;
    render(marks.map(mark), query('#marks'));
  }

  draw(): void {
    const { timeUs, playing } = this.#playback;
    const window = withMoment(this.#window, timeUs, this.#track.spanUs);
    if (window !== this.#window && timeUs <= this.#track.spanUs) {
      this.#window = window;
      this.#drawWindow();
    }
    this.#scrub.value = String(timeUs);
    const words = this.#timeInWords(timeUs);
    this.#scrub.setAttribute('aria-valuetext', words);
    write(this.#clock, words);
    this.#play.classList.toggle('playing', playing);
    this.#play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
  }
}

/** Step of the slider, µs; the same value as in the page's HTML. */
const scrubStepUs = 100;
/** Approximate width of a letter of a mark's label, px. */
const letterWidth = 6.2;
