import { made } from '../made.ts';
import { part, sayError } from '../page.ts';
import { Player } from '../player/player.ts';
import { present } from '../player/present.ts';
import { readStoryLink, type StoryLink, writeStoryLink } from './address.ts';
import type { Stage, StageFields, StageMaker } from './stage.ts';
import { storyNotices } from './storyNotices.ts';

/** A chapter of the page: its section, and its stage once somebody comes near it. */
interface StoryChapter {
  readonly name: string;
  readonly section: HTMLElement;
  readonly maker: () => Promise<StageMaker>;
  stage: Stage | undefined;
  isLoading: boolean;
  /** What a link asked for before the stage was there. */
  asked: StageFields | undefined;
  /** Where its clock was left; undefined: it has not played. */
  leftAtUs: number | undefined;
  /** The moment of a link, ms, until its run is loaded. */
  linkedMs: number | undefined;
}

const noFields: StageFields = new Map();

/**
 * The story: chapters one below the other, each with a stage that stays in sight beside its text, and one clock, for
 * the chapter being read.
 */
export class StoryApp {
  readonly #still = matchMedia('(prefers-reduced-motion: reduce)');
  readonly #narrow = matchMedia('(max-width: 900px) and (orientation: portrait), (max-width: 600px)');
  readonly #telling = made('div', { className: 'telling' });
  readonly #player: Player;
  readonly #chapters: readonly StoryChapter[];
  #active: StoryChapter;
  /** The step of the text that is read. */
  #step: Element | undefined;
  #watchers: IntersectionObserver[] = [];
  /** A link or a control has chosen what is shown, and the reader has not scrolled on since. */
  #isHeld = false;
  /** How far down a link has led, until the reader touches the page. */
  #linkedY: number | undefined;
  /** Chapters near the first one in sight, until that one is loaded. */
  #waiting: StoryChapter[] | undefined = [];

  constructor(makers: Readonly<Record<string, () => Promise<StageMaker>>>) {
    this.#chapters = Object.entries(makers).map(([name, maker]) => ({
      name,
      section: part(`#${name}`),
      maker,
      stage: undefined,
      isLoading: false,
      asked: undefined,
      leftAtUs: undefined,
      linkedMs: undefined,
    }));
    this.#active = this.#chapters[0]!;
    this.#player = new Player(
      { draw: (timeUs) => this.#draw(timeUs), link: (timeUs) => this.#link(timeUs) },
      { slowdown: 20, timeInWords: (timeUs) => this.#active.stage?.words(timeUs) ?? '', guide: this.#telling },
    );
  }

  open(): void {
    const onEach = (change: (stage: Stage) => void) => {
      for (const { stage } of this.#chapters) if (stage) change(stage);
    };
    present(
      {
        follow: (hash) => this.#follow(hash),
        link: (timeUs) => this.#link(timeUs),
        recolour: () => onEach((stage) => stage.recolour()),
      },
      this.#player,
    );
    history.scrollRestoration = 'manual';
    const resized = new ResizeObserver(() => {
      onEach((stage) => stage.resize());
      this.#player.wantFrame();
    });
    for (const { section } of this.#chapters) resized.observe(section.querySelector('.stage')!);
    let width = innerWidth;
    globalThis.addEventListener('resize', () => {
      // A phone that is turned shows the same chapter; one that hides its bars while it is scrolled changes its height
      // alone.
      if (innerWidth === width) return;
      width = innerWidth;
      this.#isHeld = true;
      this.#scrollTo(this.#active, this.#step);
    });
    this.#narrow.addEventListener('change', () => this.#watch());
    // A chapter that loads moves those after it, and with them the one that a link named. Elsewhere than where the link
    // led, the reader has scrolled.
    new ResizeObserver(() => {
      if (!(this.#isHeld && this.#narrow.matches) && this.#linkedY !== scrollY) return;
      this.#scrollTo(this.#active, this.#step);
      if (this.#linkedY !== undefined) this.#linkedY = scrollY;
    }).observe(part('main'));
    for (const moved of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
      globalThis.addEventListener(moved, (event) => this.#letGo(event), { passive: true });
    const link = this.#linkOf(location.hash);
    if (link !== undefined) this.#goTo(link);
    else this.#activate(this.#active, true);
    this.#watch();
  }

  /**
   * Who turns to a control has not scrolled on: what it shows stays, though the text around it grows or shrinks, until
   * the reader scrolls. Pressing a link elsewhere does not scroll yet.
   */
  #letGo({ type, target }: Event): void {
    const control = target instanceof Element ? target.closest('a, button, input, select, label') : null;
    const isOfStep = control?.closest('.step') != null;
    if (type === 'pointerdown' && control !== null && !isOfStep) return;
    this.#linkedY = undefined;
    this.#isHeld = isOfStep && !control?.matches('a');
  }

  #linkOf(hash: string): StoryLink | undefined {
    part('#status').textContent = storyNotices(hash).join(' ');
    return readStoryLink(
      hash,
      this.#chapters.map(({ name }) => name),
    );
  }

  /** Goes where another address leads. */
  #follow(hash: string): void {
    const link = this.#linkOf(hash);
    if (link !== undefined) {
      this.#goTo(link);
    } else if (hash.includes('=')) {
      // The page's door sends it on to where runs are shown.
      history.replaceState(null, '', hash);
      location.reload();
    }
  }

  #goTo({ chapter: name, fields, atMs }: StoryLink): void {
    const chapter = this.#chapters.find((one) => one.name === name)!;
    if (fields.size > 0 || atMs !== undefined) {
      chapter.asked = fields;
      chapter.linkedMs = atMs;
      if (atMs === undefined) chapter.leftAtUs = undefined;
      if (chapter.stage !== undefined && !sameFields(chapter.stage.fields, fields)) chapter.stage.show(fields);
      else this.#settle(chapter);
    }
    this.#step = stepFor(chapter, fields);
    this.#isHeld = true;
    this.#scrollTo(chapter, this.#step);
    this.#linkedY = scrollY;
    if (chapter === this.#active && chapter.stage?.told) this.#adopt(chapter, atMs === undefined);
    else this.#activate(chapter, atMs === undefined);
  }

  #scrollTo(chapter: StoryChapter, step: Element | undefined): void {
    const steps = stepsOf(chapter);
    const isWithin = steps.some((one, place) => place > 0 && one === step);
    if (!isWithin && chapter === this.#chapters[0]) {
      // The page's head asks the first chapter's question.
      scrollTo({ top: 0, behavior: 'instant' });
      return;
    }
    (isWithin ? step! : chapter.section).scrollIntoView({
      // On a phone a step begins under its picture.
      block: isWithin && !this.#narrow.matches ? 'center' : 'start',
      behavior: 'instant',
    });
  }

  /** Goes to the moment of a link, once there is a run to go to it in. */
  #settle(chapter: StoryChapter): boolean {
    const { stage, linkedMs } = chapter;
    if (stage?.told === undefined || linkedMs === undefined) return false;
    chapter.leftAtUs = Math.min(stage.endUs, stage.timeOf?.(linkedMs) ?? Math.round(linkedMs * 1000));
    chapter.linkedMs = undefined;
    return true;
  }

  /** Watches what is read: the line that the eye is on runs lower where the stage takes the upper half. */
  #watch(): void {
    for (const watcher of this.#watchers) watcher.disconnect();
    const line = this.#narrow.matches ? '-78% 0px -22% 0px' : '-55% 0px -45% 0px';
    const reads = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (!isIntersecting) continue;
          const chapter = this.#chapters.find(({ section }) => section === target);
          if (chapter !== undefined) this.#activate(chapter, true);
          else this.#read(target);
        }
      },
      { rootMargin: line },
    );
    const nears = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const chapter = this.#chapters.find(({ section }) => section === target)!;
          if (!isIntersecting) continue;
          if (this.#waiting === undefined) void this.#load(chapter);
          else this.#waiting.push(chapter);
        }
      },
      { rootMargin: '60% 0px 60% 0px' },
    );
    this.#watchers = [reads, nears];
    for (const chapter of this.#chapters) {
      reads.observe(chapter.section);
      nears.observe(chapter.section);
      for (const step of stepsOf(chapter)) reads.observe(step);
    }
  }

  /** The reader has come to a step of the text, and the stage shows what it is about. */
  #read(step: Element): void {
    if (step === this.#step || this.#isHeld) return;
    const chapter = this.#chapters.find(({ section }) => section.contains(step))!;
    const wasHere = this.#step !== undefined && chapter.section.contains(this.#step);
    this.#step = step;
    for (const one of stepsOf(chapter)) one.toggleAttribute('data-read', one === step);
    const fields = stepFields(step as HTMLElement);
    if ((step as HTMLElement).dataset.shows === undefined || (!wasHere && chapter.asked !== undefined)) return;
    chapter.asked = fields;
    if (chapter.stage !== undefined && !sameFields(chapter.stage.fields, fields)) chapter.stage.show(fields);
  }

  #activate(chapter: StoryChapter, plays: boolean): void {
    if (chapter === this.#active && chapter.stage?.told !== undefined) return;
    if (chapter !== this.#active) {
      if (this.#active.stage?.told !== undefined) this.#active.leftAtUs = this.#player.timeUs;
      this.#player.pause();
    }
    this.#active = chapter;
    for (const link of document.querySelectorAll<HTMLAnchorElement>('#chapter-links a')) {
      const isHere = link.hash === `#${chapter.name}`;
      if (!isHere) link.removeAttribute('aria-current');
      else if (!link.hasAttribute('aria-current')) {
        link.setAttribute('aria-current', 'location');
        const list = link.closest<HTMLElement>('#chapter-links')!;
        list.scrollLeft = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
      }
    }
    chapter.section.querySelector('.stage')!.append(this.#telling);
    this.#adopt(chapter, plays);
    void this.#load(chapter);
  }

  async #load(chapter: StoryChapter): Promise<void> {
    if (chapter.isLoading) return;
    chapter.isLoading = true;
    try {
      const make = await chapter.maker();
      const stage = await make(chapter.section, {
        changed: (at) => {
          const isSettled = this.#settle(chapter);
          const plays = !isSettled && (at?.plays ?? chapter.leftAtUs === undefined);
          if (at !== undefined && !isSettled) chapter.leftAtUs = at.atUs;
          if (chapter === this.#active && chapter.stage !== undefined) this.#adopt(chapter, plays);
        },
        redraw: () => {
          if (chapter === this.#active) this.#player.wantFrame();
        },
        now: () => (chapter === this.#active ? this.#player.timeUs : (chapter.leftAtUs ?? 0)),
      });
      chapter.stage = stage;
      stage.show(chapter.asked ?? noFields);
      stage.resize();
      this.#settle(chapter);
      // A moment that a link has named stands still.
      if (chapter === this.#active) this.#adopt(chapter, chapter.leftAtUs === undefined);
      this.#loadWaiting();
    } catch (error) {
      this.#loadWaiting();
      sayError(error, 'This chapter could not be loaded');
    }
  }

  /** What is near is loaded once the first picture stands there. */
  #loadWaiting(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    setTimeout(() => {
      for (const chapter of waiting) void this.#load(chapter);
    });
  }

  /** Puts the clock on the active chapter's run. */
  #adopt(chapter: StoryChapter, plays: boolean): void {
    const { stage } = chapter;
    const told = stage?.told;
    document.documentElement.dataset.state = told === undefined ? 'running' : 'ready';
    document.documentElement.dataset.chapter = chapter.name;
    if (stage === undefined || told === undefined) {
      this.#player.clear();
      return;
    }
    const atUs = chapter.leftAtUs ?? 0;
    this.#player.show(told, stage.endUs);
    this.#player.goTo(atUs);
    if (plays && stage.waits !== true && !this.#still.matches && atUs < stage.endUs) this.#player.play();
    this.#player.wantFrame();
    this.#player.writeAddress();
  }

  #link(timeUs: number | undefined): string | undefined {
    const { name, stage } = this.#active;
    if (stage?.told === undefined) return undefined;
    const atMs = timeUs === undefined ? undefined : (stage.linkedMs?.(timeUs) ?? timeUs / 1000);
    return writeStoryLink({ chapter: name, fields: stage.fields, atMs });
  }

  #draw(timeUs: number): void {
    const { stage } = this.#active;
    if (stage?.told !== undefined) stage.draw(timeUs);
  }
}

function stepsOf({ section }: StoryChapter): readonly HTMLElement[] {
  return [...section.querySelectorAll<HTMLElement>('.step')];
}

function stepFor(chapter: StoryChapter, fields: StageFields): HTMLElement | undefined {
  const steps = stepsOf(chapter);
  return steps.find((step) => sameFields(stepFields(step), fields)) ?? steps[0];
}

/** What a step of the text has its stage show: `data-shows="n=64"`. */
function stepFields(step: HTMLElement): StageFields {
  return new Map(new URLSearchParams(step.dataset.shows ?? ''));
}

function sameFields(a: StageFields, b: StageFields): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}
