import { createElement } from '../html.ts';
import { evenPace, frames, Playback } from '../player/playback.ts';

/** Minimum duration of the animation, ms. A longer run plays in real time. */
const minPlayMs = 9000;
/** Step of the slider, µs. */
const scrubStepUs = 100;

/** Initial time and texts of an embedded picture. */
export interface FrameText {
  /**
   * Initial time, µs. If undefined, the clock starts at 0 and runs as soon as the picture is visible, unless the reader
   * prefers reduced motion.
   */
  readonly atUs: number | undefined;
  /** Text below the picture. */
  readonly caption: string;
  /** Notices about rejected parts of the link, below the caption. */
  readonly notices?: readonly string[];
}

/** Content that the controls show. */
interface FrameControlsOptions extends FrameText {
  /** End of the clock, µs. */
  readonly endUs: number;
  /** Returns the text of the clock. */
  words(timeUs: number): string;
  draw(timeUs: number): void;
  /** Called when the size of the picture has changed. */
  resized(): void;
  /** Called when the system has switched between the light and the dark theme. */
  recoloured(): void;
}

/** Frame of an embedded picture: its clock, and below it a caption and notices. */
export class FrameControls {
  readonly figure = createElement('figure', { className: 'tutti-run' });
  readonly picture = createElement('div', { className: 'picture' });
  readonly #options: FrameControlsOptions;
  readonly #button = createElement('button', { className: 'play' });
  readonly #scrub = createElement('input', { type: 'range', min: '0', step: String(scrubStepUs) });
  readonly #clock = createElement('output', { className: 'clock' });
  readonly #playback = new Playback(1, () => this.want());
  /**
   * Observer that starts the animation when the picture becomes visible, unless the reader has already used the clock.
   */
  #sight: IntersectionObserver | undefined;
  readonly #stopped = new AbortController();
  /** Requests a frame in which the picture is drawn. */
  readonly want = frames((elapsedMs) => this.#draw(elapsedMs));

  constructor(host: HTMLElement, options: FrameControlsOptions) {
    this.#options = options;
    const { endUs, atUs, caption, notices = [] } = options;
    const controls = createElement('div', { className: 'controls' }, this.#button, this.#clock, this.#scrub);
    this.figure.append(
      this.picture,
      controls,
      createElement('figcaption', { className: 'caption', textContent: caption }),
    );
    for (const notice of notices) this.figure.append(createElement('p', { className: 'notice', textContent: notice }));
    host.replaceChildren(this.figure);
    // A multiple of the step, because the last step would otherwise end before the end of the clock.
    this.#scrub.max = String(Math.ceil(endUs / scrubStepUs) * scrubStepUs);
    this.#scrub.setAttribute('aria-label', 'Virtual time');
    this.#nameButton();
    this.#playback.reset(endUs, false);
    this.#playback.pace = evenPace(Math.max(1, (minPlayMs * 1000) / Math.max(1, endUs)));
    this.#playback.seek(atUs ?? 0);
  }

  /** Adds the listeners of the controls. The picture must be ready to draw. */
  start(): void {
    this.#button.addEventListener('click', () => {
      this.#sight?.disconnect();
      if (this.#playback.playing) this.#playback.pause();
      else this.#playback.play();
    });
    this.#scrub.addEventListener('input', () => this.goTo(Number(this.#scrub.value)));
    new ResizeObserver(() => {
      this.#options.resized();
      this.want();
    }).observe(this.picture);
    const recolour = () => {
      this.#options.recoloured();
      this.want();
    };
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', recolour, { signal: this.#stopped.signal });
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (this.#options.atUs !== undefined || isStill) return;
    this.#sight = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      this.#sight?.disconnect();
      this.#playback.play();
    });
    this.#sight.observe(this.picture);
  }

  /** Ends the animation and removes the listeners outside the frame, so that the frame can be garbage-collected. */
  stop(): void {
    this.#playback.pause();
    this.#sight?.disconnect();
    this.#stopped.abort();
  }

  get timeUs(): number {
    return this.#playback.timeUs;
  }

  /** Goes to a moment and pauses. */
  goTo(timeUs: number): void {
    this.#sight?.disconnect();
    this.#playback.pause();
    this.#playback.seek(timeUs);
    this.want();
  }

  #draw(elapsedMs: number): boolean {
    this.#playback.advance(elapsedMs);
    const { timeUs } = this.#playback;
    this.#options.draw(timeUs);
    this.#clock.textContent = this.#options.words(timeUs);
    this.#scrub.value = String(timeUs);
    this.#nameButton();
    return this.#playback.playing;
  }

  #nameButton(): void {
    const { playing } = this.#playback;
    this.#button.textContent = playing ? '❚❚' : '▶';
    this.#button.setAttribute('aria-label', playing ? 'Pause' : 'Play');
  }
}
