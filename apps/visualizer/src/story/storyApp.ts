import { explainMarkedTerms } from '../guide/explanation.ts';
import { createElement } from '../html.ts';
import { query, sayError } from '../page.ts';
import { typeChanged } from '../player/input.ts';
import { Player } from '../player/player.ts';
import { present } from '../player/present.ts';
import {
  type ChapterName,
  chapterFields,
  fieldsIn,
  readStoryLink,
  type StoryLink,
  sharedAddress,
  writeStoryLink,
} from './address.ts';
import type { Stage, StageMaker } from './stage.ts';
import {
  firstStory,
  left,
  linked,
  neared,
  type StepPlace,
  type StoryState,
  stoppedUs,
  touched,
  waitingIn,
  withChapter,
} from './storyState.ts';

type Makers = Readonly<Record<ChapterName, StageMaker>>;

const names = Object.keys(chapterFields) as ChapterName[];
/** Title of the page, which is also the title of the first chapter. */
const ownTitle = document.title;

/** Maximum time to wait for the runs of chapters before printing, ms. */
const maxPrintWaitMs = 20_000;

/**
 * The guided tour: a sequence of chapters, each with a stage that stays visible next to the chapter's text, and one
 * clock for the active chapter.
 */
export class StoryApp {
  readonly #still = matchMedia('(prefers-reduced-motion: reduce)');
  readonly #narrow = matchMedia('(max-width: 900px) and (orientation: portrait), (max-width: 600px)');
  /** Media query for stages without space for the caption, which is then shown above the controls. */
  readonly #small = matchMedia(
    '(max-width: 900px) and (orientation: portrait), (max-width: 600px), (max-height: 560px)',
  );
  readonly #guideHost = createElement('div', { className: 'telling' });
  readonly #player: Player;
  readonly #makers: Makers;
  readonly #stages = new Map<ChapterName, Stage>();
  #state = firstStory(names);

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
    this.#small.addEventListener('change', () => this.#placeCaption());
    this.#followLayout();
    for (const moved of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
      globalThis.addEventListener(
        moved,
        ({ type, target }) => {
          this.#state = touched(this.#state, {
            isPress: type === 'pointerdown',
            control: controlOf(target),
            step: stepPlaceOf(target),
          });
        },
        { passive: true },
      );
    const link = readLink(location.hash);
    if (link !== undefined) this.#goTo(link);
    else this.#activate(this.#state.active, true);
    let stop = this.#watch();
    this.#narrow.addEventListener('change', () => {
      stop();
      stop = this.#watch();
    });
  }

  /** Resizes the stages and keeps the reader's position when the layout of the page changes. */
  #followLayout(): void {
    const resize = () => {
      for (const stage of this.#stages.values()) stage.resize?.();
      this.#player.wantFrame();
    };
    const resized = new ResizeObserver(resize);
    for (const name of names) resized.observe(query(`#${name} .stage`));
    document.addEventListener(typeChanged, resize);
    let width = innerWidth;
    globalThis.addEventListener('resize', () => {
      // Rotating a phone does not change the active chapter. If the browser's bars hide during scrolling, only the
      // window's height changes.
      if (innerWidth === width) return;
      width = innerWidth;
      if (this.#state.hold === 'none') this.#state = { ...this.#state, hold: 'control' };
      this.#scrollTo(this.#state);
    });
    // When a chapter loads, the chapters after it move, and with them the target of a link. If the scroll position
    // differs from that of the link, the reader has scrolled.
    new ResizeObserver(() => {
      const { hold } = this.#state;
      const isLinked = typeof hold === 'object';
      if (!(hold !== 'none' && this.#narrow.matches) && !(isLinked && hold.y === scrollY)) return;
      this.#scrollTo(this.#state);
      if (isLinked) this.#state = { ...this.#state, hold: { y: scrollY } };
    }).observe(query('main'));
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
    await Promise.all(names.map((name) => this.#load(name)));
    const untilMs = performance.now() + maxPrintWaitMs;
    const isReady = () => [...this.#stages.values()].every(({ content }) => content !== undefined);
    while (!isReady() && performance.now() < untilMs) await new Promise((done) => setTimeout(done, 100));
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
      const stage = this.#stages.get(chapter);
      if (stage !== undefined && !isShown(chapter, stage.shows, shows)) stage.show(shows);
      else this.#settle(chapter);
    }
    const place = stepsOf(chapter).findIndex((step) => isShown(chapter, stepShows(chapter, step), shows));
    const step: StepPlace = { chapter, place: Math.max(0, place) };
    this.#scrollTo({ active: chapter, step });
    this.#state = { ...this.#state, step, hold: { y: scrollY } };
    if (chapter === this.#state.active && this.#readyStage) this.#adopt(atMs === undefined);
    else this.#activate(chapter, atMs === undefined);
  }

  /** Shows the state of a chapter's first step, which is the target of a link to the chapter. */
  #showFirst(chapter: ChapterName): void {
    const stage = this.#stages.get(chapter);
    const shows = firstShown(chapter);
    if (stage === undefined || stepsOf(chapter)[0]?.dataset.shows === undefined || isShown(chapter, stage.shows, shows))
      return;
    this.#state = withChapter(this.#state, chapter, { asked: shows });
    stage.show(shows);
  }

  #scrollTo({ active, step }: Pick<StoryState, 'active' | 'step'>): void {
    // The first step is at the beginning of its chapter.
    const place = step?.chapter === active ? step.place : 0;
    const within = place ? stepsOf(active)[place] : undefined;
    if (within === undefined && active === names[0]) {
      // The question of the first chapter is at the top of the page.
      scrollTo({ top: 0, behavior: 'instant' });
      return;
    }
    (within ?? query(`#${active}`)).scrollIntoView({
      // On a phone, a step begins below the chapter's picture.
      block: within !== undefined && !this.#narrow.matches ? 'center' : 'start',
      behavior: 'instant',
    });
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

  /**
   * Observes the text at a reading line, which is lower if the stage covers the upper half of the window. @returns a
   * function that stops the observation.
   */
  #watch(): () => void {
    const line = this.#narrow.matches ? '-78% 0px -22% 0px' : '-55% 0px -45% 0px';
    const onEntering = (rootMargin: string, enters: (target: HTMLElement) => void) =>
      new IntersectionObserver(
        (entries) => {
          for (const { target, isIntersecting } of entries) if (isIntersecting) enters(target as HTMLElement);
        },
        { rootMargin },
      );
    const reads = onEntering(line, (target) => {
      if (target.id in chapterFields) this.#activate(target.id as ChapterName, true);
      else this.#read(target);
    });
    const nears = onEntering('60% 0px 60% 0px', ({ id }) => {
      this.#state = neared(this.#state, id as ChapterName);
      if (!this.#state.isOpening) void this.#load(id as ChapterName);
    });
    for (const name of names) {
      reads.observe(query(`#${name}`));
      nears.observe(query(`#${name}`));
      for (const step of stepsOf(name)) reads.observe(step);
    }
    return () => {
      reads.disconnect();
      nears.disconnect();
    };
  }

  /** Called when the reader reaches a step of the text. The stage shows the step's state. */
  #read(step: HTMLElement): void {
    const { chapter, place } = stepPlaceOf(step)!;
    const before = this.#state.step;
    const wasHere = before?.chapter === chapter;
    if (this.#state.hold !== 'none' || (wasHere && before.place === place)) return;
    this.#state = { ...this.#state, step: { chapter, place } };
    if (step.dataset.shows === undefined) return;
    const shows = stepShows(chapter, step);
    this.#state = withChapter(this.#state, chapter, { asked: shows });
    const stage = this.#stages.get(chapter);
    if (stage !== undefined && !isShown(chapter, stage.shows, shows)) stage.show(shows);
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

  async #load(chapter: ChapterName): Promise<void> {
    if (this.#state.chapters[chapter]!.stage === 'requested') return;
    this.#state = withChapter(this.#state, chapter, { stage: 'requested' });
    const clock = () => this.#state.chapters[chapter]!.clock;
    const isActive = () => chapter === this.#state.active;
    try {
      const stage = await this.#makers[chapter](query(`#${chapter}`), {
        changed: (at) => {
          const isSettled = this.#settle(chapter);
          const plays = !isSettled && (at?.plays ?? clock().kind !== 'left');
          if (at !== undefined && !isSettled) this.#state = left(this.#state, chapter, at.atUs);
          if (isActive() && this.#stages.has(chapter)) this.#adopt(plays);
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
      });
      this.#stages.set(chapter, stage);
      stage.show(this.#state.chapters[chapter]!.asked ?? firstShown(chapter));
      stage.resize?.();
      this.#settle(chapter);
      // The clock stays at the moment that a link names.
      if (isActive()) this.#adopt(clock().kind !== 'left');
    } catch (error) {
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

  /** Connects the clock with the active chapter's run. @param plays whether the clock starts. */
  #adopt(plays: boolean): void {
    const stage = this.#readyStage;
    const { active } = this.#state;
    showChapter(active, stage !== undefined);
    if (stage === undefined) {
      this.#player.clear();
      return;
    }
    this.#player.show(stage.content!, stage.endUs);
    const atUs = stoppedUs(this.#state, active);
    this.#player.goTo(atUs);
    if (plays && !this.#still.matches && atUs < stage.endUs) {
      if (stage.waits === true) stage.startSoon?.();
      else this.#player.play();
    }
    this.#player.wantFrame();
    this.#player.writeAddress();
  }

  #link(timeUs: number | undefined): string | undefined {
    const stage = this.#readyStage;
    if (stage === undefined) return undefined;
    const atMs = timeUs === undefined ? undefined : (stage.linkedMs?.(timeUs) ?? timeUs / 1000);
    return writeStoryLink({ chapter: this.#state.active, shows: stage.shows, atMs });
  }
}

/** Returns the link in a fragment, if there is one, and shows notices about the rejected parts of the link. */
function readLink(hash: string): StoryLink | undefined {
  const { link, notices } = readStoryLink(hash);
  query('#status').textContent = notices.join(' ');
  return link;
}

/** Marks the active chapter in the page and in its list. @param isReady whether the chapter has a run. */
function showChapter(chapter: ChapterName, isReady: boolean): void {
  Object.assign(document.documentElement.dataset, { state: isReady ? 'ready' : 'running', chapter });
  for (const link of document.querySelectorAll<HTMLAnchorElement>('#chapter-links a')) {
    if (link.hash !== `#${chapter}`) link.removeAttribute('aria-current');
    else if (!link.hasAttribute('aria-current')) {
      link.setAttribute('aria-current', 'location');
      document.title = chapter === names[0] ? ownTitle : `${query(`#${chapter} h2`).textContent} · Tutti`;
      const list = link.closest<HTMLElement>('#chapter-links')!;
      list.scrollLeft = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
    }
  }
}

function controlOf(target: EventTarget | null): Parameters<typeof touched>[1]['control'] {
  const control = target instanceof Element ? target.closest('a, button, input, select, label') : null;
  if (control === null) return 'none';
  if (control.closest('.step') === null) return 'elsewhere';
  return control.matches('a') ? 'link' : 'ofStep';
}

/** Returns the step of the text that contains an element, or undefined if there is none. */
function stepPlaceOf(target: EventTarget | null): StepPlace | undefined {
  const step = target instanceof Element ? target.closest<HTMLElement>('.chapter .step') : null;
  if (step === null) return undefined;
  const chapter = step.closest('.chapter')!.id as ChapterName;
  return { chapter, place: stepsOf(chapter).indexOf(step) };
}

function stepsOf(chapter: ChapterName): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`#${chapter} .step`)];
}

/** Returns the state that a step of the text requests, for example by `data-shows="n=64"`. */
function stepShows(chapter: ChapterName, step: HTMLElement): object {
  return fieldsIn(chapter).read(step.dataset.shows ?? '').values;
}

/** Returns the state of a chapter without a link, which is the state of the chapter's first step. */
function firstShown(chapter: ChapterName): object {
  const [first] = stepsOf(chapter);
  return first === undefined ? fieldsIn(chapter).first : stepShows(chapter, first);
}

function isShown(chapter: ChapterName, one: object, other: object): boolean {
  return fieldsIn(chapter).write(one) === fieldsIn(chapter).write(other);
}
