import { explainMarkedTerms } from '../guide/explanation.ts';
import { createElement } from '../html.ts';
import { query, sayError } from '../page.ts';
import { typeChanged } from '../player/input.ts';
import { Player } from '../player/player.ts';
import { present } from '../player/present.ts';
import { type ChapterName, fieldsIn, readStoryLink, type StoryLink, sharedAddress, writeStoryLink } from './address.ts';
import type { Stage, StageListener, StageMaker } from './stage.ts';
import {
  chapterNames,
  controlOf,
  firstShown,
  isSameState,
  markChapter,
  markStep,
  positionOf,
  scrollToStep,
  stepPlaceOf,
  stepShows,
  stepsOf,
  watchReading,
} from './steps.ts';
import { firstStory, left, linked, neared, stoppedUs, touched, waitingIn, withChapter } from './storyState.ts';

type Makers = Readonly<Record<ChapterName, StageMaker>>;

/** Media query for windows in which the stage covers the upper part. */
const narrowWindow = '(max-width: 900px) and (orientation: portrait), (max-width: 600px)';

/** Maximum time to wait for the runs of chapters before printing, ms. */
const maxPrintWaitMs = 20_000;

/**
 * The guided tour: a sequence of chapters, each with a stage that stays visible next to the chapter's text, and one
 * clock for the active chapter.
 */
export class StoryApp {
  readonly #reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  readonly #narrow = matchMedia(narrowWindow);
  /** Media query for stages without space for the caption, which is then shown above the controls. */
  readonly #small = matchMedia(`${narrowWindow}, (max-height: 560px)`);
  readonly #guideHost = createElement('div', { className: 'stage-caption' });
  readonly #player: Player;
  readonly #makers: Makers;
  readonly #stages = new Map<ChapterName, Stage>();
  #state = firstStory(chapterNames);
  /** Called when the content of a stage changes. */
  #changed: () => void = () => {};

  constructor(makers: Makers) {
    this.#makers = makers;
    this.#player = new Player(
      { draw: (timeUs) => this.#readyStage?.draw?.(timeUs), link: (timeUs) => this.#link(timeUs) },
      { slowdown: 20, timeInWords: (timeUs) => this.#stage?.words(timeUs) ?? '', guide: this.#guideHost },
    );
  }

  /** Stage of the active chapter. */
  get #stage(): Stage | undefined {
    return this.#stages.get(this.#state.active);
  }

  /** Stage of the active chapter, if the stage has a run. */
  get #readyStage(): Stage | undefined {
    return this.#stage?.content && this.#stage;
  }

  open(): void {
    present(
      {
        follow: (hash) => this.#follow(hash),
        link: (timeUs) => this.#link(timeUs),
        // Only the built version of the page has separate pages for chapters.
        share: (address) => (import.meta.env.PROD ? sharedAddress(address) : address),
        recolour: () => {
          for (const stage of this.#stages.values()) stage.recolour?.();
        },
        print: () => this.#drawAll(),
        printable: () => this.#loadAll(),
      },
      this.#player,
    );
    history.scrollRestoration = 'manual';
    explainMarkedTerms();
    this.#followLayout();
    this.#followInput();
    const link = readLink(location.hash);
    if (link !== undefined) {
      this.#goTo(link);
      delete document.documentElement.dataset.opening;
    } else this.#activate(this.#state.active, true);
    watchReading(this.#narrow, {
      readsChapter: (chapter) => this.#activate(chapter, true),
      readsStep: (step) => this.#read(step),
      nears: (chapter) => {
        this.#state = neared(this.#state, chapter);
        if (!this.#state.isOpening) void this.#load(chapter);
      },
    });
  }

  /** Ends the hold on the shown state when the reader scrolls on, and begins one when the reader uses a control. */
  #followInput(): void {
    const inputs = { wheel: 'scroll', touchmove: 'scroll', keydown: 'key', pointerdown: 'press' } as const;
    for (const [kind, input] of Object.entries(inputs))
      globalThis.addEventListener(
        kind,
        ({ target }) => {
          // A finger that moves a slider does not scroll.
          if (kind === 'touchmove' && target instanceof Element && target.matches('input[type="range"]')) return;
          this.#state = touched(this.#state, { input, control: controlOf(target), step: stepPlaceOf(target) });
        },
        { passive: true },
      );
  }

  /** Resizes the stages and keeps the reader's position when the layout of the page changes. */
  #followLayout(): void {
    this.#small.addEventListener('change', () => this.#placeCaption());
    const resize = () => {
      for (const stage of this.#stages.values()) stage.resize?.();
      this.#player.wantFrame();
    };
    const resized = new ResizeObserver(resize);
    for (const name of chapterNames) resized.observe(query(`#${name} .stage`));
    document.addEventListener(typeChanged, resize);
    let width = innerWidth;
    globalThis.addEventListener('resize', () => {
      // Rotating a phone does not change the active chapter. If the browser's bars hide during scrolling, only the
      // window's height changes.
      if (innerWidth === width) return;
      width = innerWidth;
      if (this.#state.hold === 'none') this.#state = { ...this.#state, hold: 'control' };
      this.#scrollToReader();
    });
    // When a chapter loads, the chapters after it move, and with them the target of a link, unless the browser scrolls by
    // the same distance. If neither the scroll position nor the target's position is that of the link, the reader has
    // scrolled.
    new ResizeObserver(() => {
      const { hold } = this.#state;
      const isLinked = typeof hold === 'object';
      const isInPlace = isLinked && Math.abs(this.#readerTop - hold.top) < 1;
      if (!(hold !== 'none' && this.#narrow.matches) && !(isLinked && (isInPlace || hold.y === scrollY))) return;
      if (!isInPlace) this.#scrollToReader();
      if (isLinked) this.#holdLink();
    }).observe(query('main'));
  }

  /** Position in the window of the step that the reader reads, or of the active chapter, px. */
  get #readerTop(): number {
    return positionOf(this.#state.active, this.#readerPlace);
  }

  /** Holds the state and the position of a link. */
  #holdLink(): void {
    this.#state = { ...this.#state, hold: { y: scrollY, top: this.#readerTop } };
  }

  /** Draws each chapter that has a run, at the chapter's last moment or at its end. */
  #drawAll(): void {
    for (const [name, stage] of this.#stages) if (stage.content) stage.draw?.(this.#printedUs(name, stage));
  }

  /** Returns the moment of a chapter that is printed, µs. */
  #printedUs(name: ChapterName, stage: Stage): number {
    if (name === this.#state.active) return this.#player.timeUs;
    return stoppedUs(this.#state, name) || (stage.printedUs ?? stage.endUs);
  }

  /**
   * Loads the chapters that are not loaded yet, with their runs. A chapter that is not ready within the time limit is
   * left out.
   */
  async #loadAll(): Promise<void> {
    await Promise.all(chapterNames.map((name) => this.#load(name)));
    await new Promise<void>((done) => {
      const timer = setTimeout(done, maxPrintWaitMs);
      this.#changed = () => {
        if (chapterNames.some((name) => this.#stages.get(name)?.content === undefined)) return;
        clearTimeout(timer);
        done();
      };
      this.#changed();
    });
    const shown = [...this.#stages].filter(([, { content }]) => content !== undefined);
    await Promise.all(shown.map(([name, stage]) => stage.prepare?.(this.#printedUs(name, stage))));
  }

  #placeCaption(): void {
    if (this.#small.matches) query('#dock').prepend(this.#guideHost);
    else query(`#${this.#state.active} .stage`).append(this.#guideHost);
  }

  /** Goes to another address. */
  #follow(hash: string): void {
    const link = readLink(hash);
    if (link !== undefined) this.#goTo(link);
    else if (hash.includes('=')) {
      // The page's first script redirects the link to the page of runs.
      history.replaceState(null, '', hash);
      location.reload();
    }
  }

  #goTo(link: StoryLink): void {
    const { chapter, shows, atMs } = link;
    if (fieldsIn(chapter).write(shows) === '' && atMs === undefined) this.#showFirst(chapter);
    else {
      this.#state = linked(this.#state, link);
      if (!this.#request(chapter, shows)) this.#settle(chapter);
    }
    const place = stepsOf(chapter).findIndex((step) => isSameState(chapter, stepShows(chapter, step), shows));
    const step = { chapter, place: Math.max(0, place) };
    scrollToStep(chapter, step.place, this.#narrow.matches);
    this.#state = { ...this.#state, step };
    markStep(step);
    if (chapter === this.#state.active && this.#readyStage) this.#adopt(atMs === undefined);
    else this.#activate(chapter, atMs === undefined);
    this.#holdLink();
  }

  /** Shows the state of a chapter's first step, which is the target of a link to the chapter. */
  #showFirst(chapter: ChapterName): void {
    if (stepsOf(chapter)[0]?.dataset.shows !== undefined) this.#request(chapter, firstShown(chapter));
  }

  /**
   * Requests a state of a chapter's stage. A stage that is not loaded yet shows the state later.
   *
   * @returns whether the state changes now.
   */
  #request(chapter: ChapterName, shows: object): boolean {
    this.#state = withChapter(this.#state, chapter, { asked: shows });
    const stage = this.#stages.get(chapter);
    if (stage === undefined || (!stage.hasFailed && isSameState(chapter, stage.shows, shows))) return false;
    stage.show(shows);
    return true;
  }

  /** Index of the step that the reader reads; undefined if this step is not in the active chapter. */
  get #readerPlace(): number | undefined {
    const { active, step } = this.#state;
    return step?.chapter === active ? step.place : undefined;
  }

  /** Scrolls to the step that the reader reads, or to the active chapter if the step is in another chapter. */
  #scrollToReader(): void {
    scrollToStep(this.#state.active, this.#readerPlace, this.#narrow.matches);
  }

  /** Goes to the moment that a link names, if the chapter's run is loaded. @returns whether the clock was set. */
  #settle(chapter: ChapterName): boolean {
    const stage = this.#stages.get(chapter);
    const { clock } = this.#state.chapters[chapter]!;
    if (stage?.content === undefined || clock.kind !== 'linked') return false;
    const atUs = stage.timeOf?.(clock.atMs) ?? Math.round(clock.atMs * 1000);
    this.#state = left(this.#state, chapter, Math.min(stage.endUs, atUs));
    return true;
  }

  /** Called when the reader reaches a step of the text. The stage shows the step's state. */
  #read(step: HTMLElement): void {
    const { chapter, place } = stepPlaceOf(step)!;
    const before = this.#state.step;
    const wasHere = before?.chapter === chapter;
    if (this.#state.hold !== 'none' || (wasHere && before.place === place)) return;
    this.#state = { ...this.#state, step: { chapter, place } };
    markStep(this.#state.step);
    if (step.dataset.shows !== undefined) this.#request(chapter, stepShows(chapter, step));
  }

  #activate(chapter: ChapterName, plays: boolean): void {
    const { active } = this.#state;
    if (chapter === active && this.#readyStage) return;
    if (chapter !== active) {
      if (this.#readyStage) this.#state = left(this.#state, active, this.#player.timeUs);
      this.#player.pause();
    }
    this.#state = { ...this.#state, active: chapter };
    this.#placeCaption();
    this.#adopt(plays);
    void this.#load(chapter);
  }

  /** Loads a chapter's stage, unless the stage is loaded or is being loaded. */
  async #load(chapter: ChapterName): Promise<void> {
    const { stage: before } = this.#state.chapters[chapter]!;
    if (before === 'requested') return;
    if (before === 'failed') query('#status').textContent = '';
    this.#state = withChapter(this.#state, chapter, { stage: 'requested' });
    try {
      const stage = await this.#makers[chapter](query(`#${chapter}`), this.#listenerOf(chapter));
      this.#stages.set(chapter, stage);
      stage.show(this.#state.chapters[chapter]!.asked ?? firstShown(chapter));
      stage.resize?.();
      this.#settle(chapter);
      this.#changed();
      // The clock stays at the moment that a link names.
      if (chapter === this.#state.active) this.#adopt(!this.#isStopped(chapter));
    } catch (error) {
      this.#state = withChapter(this.#state, chapter, { stage: 'failed' });
      sayError(error, 'This chapter could not be loaded');
    } finally {
      // Neighbouring stages are loaded after the first picture is shown.
      const waiting = waitingIn(this.#state);
      this.#state = { ...this.#state, isOpening: false };
      setTimeout(() => {
        for (const name of waiting) void this.#load(name);
      });
    }
  }

  /** Returns the callbacks of a chapter's stage. Only the active chapter's stage controls the player. */
  #listenerOf(chapter: ChapterName): StageListener {
    const isActive = () => chapter === this.#state.active;
    return {
      changed: (at) => {
        const isSettled = this.#settle(chapter);
        const plays = !isSettled && (at?.plays ?? !this.#isStopped(chapter));
        if (at !== undefined && !isSettled) this.#state = left(this.#state, chapter, at.atUs);
        if (isActive() && this.#stages.has(chapter)) this.#adopt(plays);
        this.#changed();
      },
      contentChanged: () => {
        if (!isActive() || !this.#readyStage) return;
        this.#player.extend(this.#readyStage.endUs, false);
        this.#player.setContent(this.#readyStage.content!);
      },
      redraw: () => {
        if (isActive()) this.#player.wantFrame();
      },
      now: () => (isActive() ? this.#player.timeUs : stoppedUs(this.#state, chapter)),
    };
  }

  /** Returns whether a chapter's clock was stopped at a moment. */
  #isStopped(chapter: ChapterName): boolean {
    return this.#state.chapters[chapter]!.clock.kind === 'left';
  }

  /** Connects the clock with the active chapter's run. @param plays whether the clock starts. */
  #adopt(plays: boolean): void {
    const stage = this.#readyStage;
    const { active } = this.#state;
    markChapter(active, stage !== undefined);
    if (stage === undefined) {
      this.#player.clear();
      return;
    }
    this.#player.show(stage.content!, stage.endUs);
    const atUs = stoppedUs(this.#state, active);
    this.#player.goTo(atUs);
    if (plays && !this.#reducedMotion.matches && atUs < stage.endUs) {
      if (stage.waits === true) stage.startSoon?.();
      else this.#player.play();
    }
    this.#player.wantFrame();
    this.#player.writeAddress();
  }

  #link(timeUs: number | undefined): string | undefined {
    const stage = this.#readyStage;
    if (stage === undefined) return undefined;
    // A link with a moment opens paused, so a link to a stage that has not started yet has none.
    const hasMoment = timeUs !== undefined && !(timeUs === 0 && stage.waits === true);
    const atMs = hasMoment ? (stage.linkedMs?.(timeUs) ?? timeUs / 1000) : undefined;
    return writeStoryLink({ chapter: this.#state.active, shows: stage.shows, atMs });
  }
}

/** Returns the link in a fragment, if there is one, and shows notices about the rejected parts of the link. */
function readLink(hash: string): StoryLink | undefined {
  const { link, notices } = readStoryLink(hash);
  query('#status').textContent = notices.join(' ');
  return link;
}
