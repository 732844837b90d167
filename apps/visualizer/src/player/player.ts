import type { Chapter } from '../guide/chapter.ts';
import { Guide } from '../guide/guide.ts';
import { query } from '../page.ts';
import type { Exportable } from '../state/exportView.ts';
import { PageAddress } from '../state/pageAddress.ts';
import { allMarks, Dock, type Mark, type Track } from './dock.ts';
import { listenForKeys, onSwipe, openSearch, toggleTalk } from './input.ts';
import { evenPace, frames, type Pace, Playback, steppedPace, storyPace } from './playback.ts';

/**
 * Minimum time between two updates of the dock while the clock is running, ms. The layout of the dock takes as long as
 * the drawing of a figure.
 */
const dockEveryMs = 45;

/** Content of a player for a run: the track, the chapters, the marks and the moments to step through. */
export interface PlayerContent {
  readonly track: Omit<Track, 'marks'>;
  readonly chapters: readonly Chapter[];
  readonly marks: readonly Mark[];
  /** Moments to step through, in ascending order. */
  readonly stepsUs: ArrayLike<number>;
  /** Pace of the clock. Default: the story's pace, chapter by chapter. */
  readonly pace?: Pace;
  /** Maximum duration of a chapter at the pace of a story, s. */
  readonly maxSeconds?: number;
  /**
   * Finds the next event that matches a text, starting after a given moment, and selects the event's node. Returns the
   * event, or a sentence that explains the failure. Absent if the content cannot be searched.
   */
  readonly find?: (text: string, afterUs: number) => { readonly timeUs: number; readonly words: string } | string;
  /** Time at which the clock pauses once and waits for the user, µs. */
  readonly holdUs?: number;
}

/** Content without a run. */
const emptyContent: PlayerContent = { track: { spanUs: 1, curve: [] }, chapters: [], marks: [], stepsUs: [] };

/**
 * Clock of a page, with the parts that depend on the clock: the dock at the bottom, the keys, the guide's chapters, the
 * address, and the frames in which the page is drawn.
 */
export class Player {
  readonly #on: ClockStage;
  /** Factor by which a story slows down a chapter of normal length. */
  readonly #storySlowdown: number;
  readonly #playback: Playback;
  readonly #dock: Dock;
  readonly #guide: Guide;
  readonly #address: PageAddress;
  readonly #still = matchMedia('(prefers-reduced-motion: reduce)');
  /** Factor that the user has selected; undefined if the story or the content sets the pace. */
  #slowdown: number | undefined;
  #content: PlayerContent = emptyContent;
  #marks: readonly Mark[] = [];
  /** Whether the run may continue beyond its known end. */
  #more = false;
  /** Real time of the last update of the dock, ms. */
  #dockDrawnAtMs = 0;
  /** Requests a frame. */
  readonly wantFrame = frames((elapsedMs, nowMs) => this.#draw(elapsedMs, nowMs));

  /**
   * @param options.slowdown factor by which a story slows down a chapter of normal length.
   * @param options.guide element that contains the chapters. Default: `#guide`.
   */
  constructor(
    on: ClockStage,
    options: {
      readonly slowdown: number;
      readonly timeInWords: (timeUs: number) => string;
      readonly guide?: HTMLElement;
    },
  ) {
    this.#on = on;
    // Canvases are redrawn after the page's fonts have loaded.
    document.fonts?.ready.then(() => this.wantFrame());
    this.#guide = new Guide(options.guide ?? query('#guide'), (timeUs) => this.seek(timeUs));
    this.#storySlowdown = options.slowdown;
    this.#playback = new Playback(options.slowdown, () => this.wantFrame());
    this.#address = new PageAddress(() =>
      on.link?.(this.#playback.playing ? undefined : Math.round(this.#playback.timeUs)),
    );
    const listener = {
      toggle: () => this.toggle(),
      step: (by: 1 | -1) => this.#step(by),
      seek: (timeUs: number) => this.seek(timeUs),
      speed: (slowdown: number | undefined) => {
        this.#slowdown = slowdown;
        this.#choosePace();
      },
      jump: (by: 1 | -1) => this.#jump(by),
      zoom: (factor: number) => this.#dock.zoom(factor),
      search: () => this.#search(),
      talk: toggleTalk,
      help: () => query<HTMLDialogElement>('#help').showModal(),
    };
    this.#dock = new Dock(this.#playback, listener, options.timeInWords);
    listenForKeys(listener);
    query('#help-open').addEventListener('click', listener.help);
    query('#talk').addEventListener('click', toggleTalk);
    for (const host of document.querySelectorAll<HTMLElement>('.stage, .guide, .stage-caption'))
      onSwipe(host, (by) => this.#jump(by));
    this.#still.addEventListener('change', () => this.#choosePace());
  }

  get timeUs(): number {
    return this.#playback.timeUs;
  }

  /** End time of the clock, µs; 0 without a run. */
  get endUs(): number {
    return this.#playback.endUs;
  }

  get playing(): boolean {
    return this.#playback.playing;
  }

  /** Loads a new run at its beginning, paused. @param more whether the run may continue beyond `endUs`. */
  reset(endUs: number, more: boolean): void {
    this.#more = more;
    this.#playback.reset(endUs, more);
    this.#choosePace();
    // While there is no run, the clock is disabled.
    this.#dock.enabled = endUs > 0 || more;
  }

  /** Removes the content of the previous run. A new run may be loaded afterwards. */
  clear(): void {
    this.reset(0, false);
    this.setContent(emptyContent);
  }

  /** Shows other content from the beginning, paused. */
  show(content: PlayerContent, endUs = content.track.spanUs): void {
    this.reset(endUs, false);
    this.setContent(content);
  }

  /** Replaces the end of the current run's known part. @param more as in {@link reset}. */
  extend(endUs: number, more: boolean): void {
    this.#more = more;
    this.#playback.extend(endUs, more);
    this.#choosePace();
  }

  /** Replaces the content of the player. The clock continues to run. */
  setContent(content: PlayerContent): void {
    this.#content = content;
    this.#marks = allMarks(content.marks, content.chapters);
    this.#guide.show(content.chapters);
    this.#dock.show({ ...content.track, marks: this.#marks });
    this.#choosePace();
  }

  play(): void {
    this.#playback.play();
  }

  /**
   * Goes to a moment and pauses the clock. Without a moment, the clock plays, unless the reader prefers reduced motion.
   */
  begin(timeUs: number | undefined): void {
    if (timeUs !== undefined) this.goTo(timeUs);
    else if (!this.#still.matches) this.play();
  }

  pause(): void {
    this.#playback.pause();
  }

  /** Starts or pauses the clock. */
  toggle(): void {
    if (this.#playback.playing) {
      this.#playback.pause();
      this.#address.write();
    } else this.#playback.play();
  }

  /** Goes to a moment and pauses the clock, without updating the address. */
  goTo(timeUs: number): void {
    this.#playback.pause();
    this.#playback.seek(timeUs);
  }

  /** Goes to a moment, pauses the clock, and updates the address. */
  seek(timeUs: number): void {
    this.goTo(timeUs);
    this.#address.writeSoon();
  }

  /** Adds a history entry for another run, because the run's address is now known. */
  addHistoryEntry(): void {
    this.#address.addEntry();
  }

  writeAddress(): void {
    this.#address.write();
  }

  #step(by: 1 | -1): void {
    this.#seekNext(Array.from(this.#content.stepsUs), by);
  }

  #jump(by: 1 | -1): void {
    const timesUs = this.#marks.map(({ timeUs }) => timeUs);
    this.#seekNext(timesUs, by);
  }

  /**
   * Goes to the next or the previous of several ascending moments. If there is none, goes to the end or the beginning.
   */
  #seekNext(timesUs: readonly number[], by: 1 | -1): void {
    const now = this.#playback.timeUs;
    const next = by === 1 ? timesUs.find((us) => us > now) : timesUs.findLast((us) => us < now);
    this.seek(next ?? (by === 1 ? this.#playback.endUs : 0));
  }

  /** Opens the search for a node or a message, if the content can be searched. */
  #search(): void {
    if (this.#content.find === undefined) return;
    openSearch((text) => {
      const found = this.#content.find?.(text, this.#playback.timeUs) ?? '';
      if (typeof found === 'string') return found;
      this.seek(found.timeUs);
      return found.words;
    });
  }

  #choosePace(): void {
    const chaptersUs = this.#content.chapters.map(({ timeUs }) => timeUs);
    const { endUs } = this.#playback;
    const { pace, maxSeconds } = this.#content;
    // Content with its own pace has no virtual time to slow down.
    this.#dock.hasSpeeds = pace === undefined;
    if (this.#slowdown !== undefined && pace === undefined) this.#playback.pace = evenPace(this.#slowdown);
    else if (pace !== undefined && !this.#still.matches) this.#playback.pace = pace;
    else if (this.#still.matches && !this.#more) this.#playback.pace = steppedPace(chaptersUs, endUs);
    else this.#playback.pace = storyPace(chaptersUs, this.#more ? undefined : endUs, this.#storySlowdown, maxSeconds);
  }

  #advance(elapsedMs: number): void {
    const { holdUs } = this.#content;
    const beforeUs = this.#playback.timeUs;
    this.#playback.advance(elapsedMs);
    if (holdUs !== undefined && beforeUs < holdUs && this.#playback.timeUs >= holdUs) this.goTo(holdUs);
  }

  #draw(elapsedMs: number, nowMs: number): boolean {
    const wasPlaying = this.#playback.playing;
    this.#advance(elapsedMs);
    const { timeUs } = this.#playback;
    if (!this.#playback.playing || nowMs - this.#dockDrawnAtMs >= dockEveryMs) {
      this.#dockDrawnAtMs = nowMs;
      this.#dock.draw();
    }
    this.#on.draw(timeUs);
    this.#guide.draw(timeUs);
    if (wasPlaying && !this.#playback.playing) this.#address.write();
    return this.#playback.playing || this.#on.moving?.() === true;
  }
}

/**
 * Content of a page, such as a run, a slot, the periods of a key, or a ring of nodes. The frame around the content,
 * `present`, is the same on all pages.
 */
export interface PageStage {
  /**
   * Called when the user opens another address. Shows the state that the address describes.
   *
   * @param hash part of the address that begins with `#`.
   */
  follow?(hash: string): void;
  /**
   * Returns the fragment for a link to the shown state, without `#`. The fragment is empty if the plain address shows
   * this state, and undefined if there is nothing to link to.
   *
   * @param timeUs time on the clock, µs; undefined if the clock plays from the beginning, or if there is no clock.
   */
  link?(timeUs?: number): string | undefined;
  /** Base address of copied links. Default: the address of this page. */
  readonly home?: string;
  /**
   * Converts an address from the address bar to the address to share, relative to the page. Default: the same address.
   */
  share?(address: string): string;
  /** Called when the page switches between the light and the dark theme. */
  recolour?(): void;
  /** Called when the space available for figures changes. */
  resize?(): void;
  /** Draws every figure for printing, including figures that are not visible. */
  print?(): void;
  /** Loads all parts of the page that can be printed. If this function is missing, only loaded parts are printed. */
  printable?(): Promise<void>;
  /** Returns the content to export at a moment, or undefined if nothing is shown. */
  exportable?(timeUs: number): Exportable | undefined;
}

/** Stage with a clock. */
export interface ClockStage extends Pick<PageStage, 'link'> {
  /** Draws the state at a given moment. */
  draw(timeUs: number): void;
  /** Returns whether anything moves while the clock is paused. */
  readonly moving?: () => boolean;
}
