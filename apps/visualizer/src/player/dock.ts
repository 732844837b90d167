import { html, render, svg } from 'lit-html';
import type { Chapter } from '../guide/chapter.ts';
import { query, write } from '../page.ts';
import { set } from '../views/drawing.ts';
import type { Playback } from './playback.ts';

/** Callbacks for the dock. */
interface DockListener {
  toggle(): void;
  step(by: 1 | -1): void;
  seek(timeUs: number): void;
  /** Called with the chosen factor by which the clock is slower than the run; undefined for a story's own pace. */
  speed(slowdown: number | undefined): void;
}

/** Controls of the clock at the bottom of the page: buttons, the track with its slider, and the speed selector. */
export class Dock {
  readonly #playback: Playback;
  readonly #timeInWords: (timeUs: number) => string;
  readonly #play = query<HTMLButtonElement>('#play');
  readonly #scrub = query<HTMLInputElement>('#scrub');
  readonly #clock = query<HTMLOutputElement>('#clock');
  readonly #on: DockListener;
  /**
   * Width of the track as last observed. The width is stored, because reading it from the element would force a layout.
   */
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
    // Browsers report a two-finger gesture on a trackpad as a wheel event with Ctrl.
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

  /** Sets whether the user can choose the speed of the clock. */
  set hasSpeeds(hasSpeeds: boolean) {
    query<HTMLSelectElement>('#speed').disabled = !hasSpeeds;
  }

  /** Sets whether the buttons and the slider can be used. */
  set enabled(enabled: boolean) {
    const steps = ['#step', '#step-back'].map((selector) => query<HTMLButtonElement>(selector));
    for (const control of [this.#play, this.#scrub, ...steps]) control.disabled = !enabled;
  }

  /**
   * Shows another part of the run, `factor` times as long as the current part, around a moment. Default: the moment of
   * the clock.
   */
  zoom(factor: number, aroundUs = this.#playback.timeUs): void {
    this.#window = zoomed(this.#window, factor, aroundUs, this.#track.spanUs);
    this.#drawWindow();
  }

  /** Shows a track. If its time span differs from the previous one, shows all of it. */
  show(track: Track): void {
    const { spanUs, curve } = track;
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
    const stepUs = Number(this.#scrub.step);
    this.#scrub.min = String(Math.floor(fromUs / stepUs) * stepUs);
    // The window's limits are rounded to whole steps, so that the slider can reach the end.
    this.#scrub.max = String(Math.ceil(untilUs / stepUs) * stepUs);
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

  /** Draws a button for each mark, for use with a pointer. With the keyboard, the keys [ and ] jump between marks. */
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

/** Approximate width of a letter in the label of a mark, px. */
const letterWidth = 6.2;

/** Content of the track, which gives an overview of the run. */
export interface Track {
  readonly spanUs: number;
  /** Progress of the run: points in order of time, with shares of the time span and of the total, 0 to 1. */
  readonly curve: readonly (readonly [time: number, done: number])[];
  readonly marks: readonly Mark[];
  /** Labels of moments along the track, if the clock does not advance evenly. */
  readonly times?: readonly { readonly timeUs: number; readonly label: string }[];
}

/** Marked moment of the timeline. */
export interface Mark {
  readonly timeUs: number;
  /** Label of one to three words. */
  readonly label: string;
  readonly kind: 'chapter' | 'level' | 'output' | 'invalid' | 'fault';
}

/**
 * Returns marks and chapters in order of time, one per moment: the first mark, or a chapter if the moment has no mark.
 */
export function allMarks(marks: readonly Mark[], chapters: readonly Chapter[]): readonly Mark[] {
  const ofChapters = chapters.map(({ timeUs, title }): Mark => ({ timeUs, label: title, kind: 'chapter' }));
  const ordered = [...marks, ...ofChapters].toSorted((a, b) => a.timeUs - b.timeUs);
  return ordered.filter(({ timeUs }, place) => timeUs !== ordered[place - 1]?.timeUs);
}

/**
 * Position of a mark's label: after the mark; before the mark, at the end of the track; or nowhere, if there is no
 * space.
 */
type LabelPlace = 'after' | 'before' | 'nowhere';

/**
 * Returns the positions of the labels of marks. The marks are in order of time. Omits labels of chapters, and labels
 * that would overlap an earlier label.
 *
 * @param x returns the horizontal position of a moment, px.
 * @param widthOf returns the width of a label, px.
 * @param room width of the track, px.
 */
export function labelPlaces(
  marks: readonly Mark[],
  x: (timeUs: number) => number,
  widthOf: (label: string) => number,
  room: number,
): readonly LabelPlace[] {
  let free = Number.NEGATIVE_INFINITY;
  return marks.map(({ timeUs, label, kind }) => {
    const at = x(timeUs);
    const place = at + widthOf(label) <= room ? 'after' : 'before';
    const from = place === 'after' ? at : at - widthOf(label);
    if (kind === 'chapter' || from < free) return 'nowhere';
    free = from + widthOf(label) + 8;
    return place;
  });
}

/** Part of a run that the track shows, µs. */
interface TrackWindow {
  readonly fromUs: number;
  readonly untilUs: number;
}

/** Minimum length of the part that the track shows, µs. */
const minWindowUs = 1000;

/**
 * Returns a time window `factor` times as long as `window`, within 0 to `spanUs`. The moment `aroundUs` keeps its
 * relative position in the window.
 */
export function zoomed(window: TrackWindow, factor: number, aroundUs: number, spanUs: number): TrackWindow {
  const longUs = window.untilUs - window.fromUs;
  if (longUs === 0) return window;
  const wideUs = Math.min(spanUs, Math.max(Math.min(minWindowUs, spanUs), longUs * factor));
  const share = Math.min(1, Math.max(0, (aroundUs - window.fromUs) / longUs));
  const fromUs = Math.min(spanUs - wideUs, Math.max(0, aroundUs - share * wideUs));
  return { fromUs, untilUs: fromUs + wideUs };
}

/**
 * Returns a window of the same length that contains a given moment. This is the same window, or a window that begins a
 * tenth of its length before the moment, or that begins at 0 or ends at `spanUs` if it would exceed these limits.
 */
export function withMoment(window: TrackWindow, timeUs: number, spanUs: number): TrackWindow {
  const { fromUs, untilUs } = window;
  if (timeUs >= fromUs && timeUs <= untilUs) return window;
  const wideUs = untilUs - fromUs;
  const nextUs = Math.min(spanUs - wideUs, Math.max(0, timeUs - wideUs / 10));
  return { fromUs: nextUs, untilUs: nextUs + wideUs };
}
