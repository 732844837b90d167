import { query } from '../page.ts';
import { type ChapterName, chapterFields, fieldsIn } from './address.ts';
import type { ControlKind, StepPlace } from './storyState.ts';

/** Names of the chapters, in the order of the page. */
export const chapterNames = Object.keys(chapterFields) as ChapterName[];

/** Title of the page, which is also the title of the first chapter. */
const pageTitle = document.title;

/** Returns the steps of a chapter's text. A chapter may have no steps. */
export function stepsOf(chapter: ChapterName): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`#${chapter} .step`)];
}

/** Returns the step of the text that contains an element, or undefined if there is none. */
export function stepPlaceOf(target: EventTarget | null): StepPlace | undefined {
  const step = target instanceof Element ? target.closest<HTMLElement>('.chapter .step') : null;
  if (step === null) return undefined;
  const chapter = step.closest('.chapter')!.id as ChapterName;
  return { chapter, place: stepsOf(chapter).indexOf(step) };
}

/** Returns the state that a step of the text requests, for example by `data-shows="n=64"`. */
export function stepShows(chapter: ChapterName, step: HTMLElement): object {
  return fieldsIn(chapter).read(step.dataset.shows ?? '').values;
}

/** Returns the state of a chapter without a link, which is the state of the chapter's first step. */
export function firstShown(chapter: ChapterName): object {
  const [first] = stepsOf(chapter);
  return first === undefined ? fieldsIn(chapter).first : stepShows(chapter, first);
}

/** Returns whether two states of a chapter's stage are the same. */
export function isSameState(chapter: ChapterName, one: object, other: object): boolean {
  return fieldsIn(chapter).write(one) === fieldsIn(chapter).write(other);
}

/** Returns the kind of the control that contains an element. */
export function controlOf(target: EventTarget | null): ControlKind {
  const control = target instanceof Element ? target.closest('a, button, input, select, label') : null;
  if (control === null) return 'none';
  if (control.closest('.step') === null) return 'elsewhere';
  return control.matches('a') ? 'link' : 'ofStep';
}

/**
 * Scrolls to a chapter, or to a step within the chapter.
 *
 * @param place index of the step; 0 and undefined stand for the beginning of the chapter, where the first step is.
 * @param isNarrow whether the stage covers the upper part of the window.
 */
export function scrollToStep(chapter: ChapterName, place: number | undefined, isNarrow: boolean): void {
  const step = laterStep(chapter, place);
  if (step !== undefined)
    // In a narrow window, a step begins below the chapter's picture.
    step.scrollIntoView({ block: isNarrow ? 'start' : 'center', behavior: 'instant' });
  // The question of the first chapter is at the top of the page.
  else if (chapter === chapterNames[0]) scrollTo({ top: 0, behavior: 'instant' });
  else query(`#${chapter}`).scrollIntoView({ block: 'start', behavior: 'instant' });
}

/** Returns the position of a chapter, or of a step within the chapter, in the window, px. */
export function positionOf(chapter: ChapterName, place: number | undefined): number {
  return (laterStep(chapter, place) ?? query(`#${chapter}`)).getBoundingClientRect().top;
}

/** Returns a step after the first one; undefined for the beginning of the chapter. */
function laterStep(chapter: ChapterName, place: number | undefined): HTMLElement | undefined {
  return place ? stepsOf(chapter)[place] : undefined;
}

/** Marks the step of the text that is being read, as the browser's reference for keeping its place. */
export function markStep(read: StepPlace | undefined): void {
  for (const name of chapterNames)
    for (const [place, step] of stepsOf(name).entries())
      step.classList.toggle('active', name === read?.chapter && place === read.place);
}

/** Marks the active chapter in the page and in its list. @param isReady whether the chapter has a run. */
export function markChapter(chapter: ChapterName, isReady: boolean): void {
  Object.assign(document.documentElement.dataset, { state: isReady ? 'ready' : 'running', chapter });
  for (const name of chapterNames) query(`#${name}`).classList.toggle('active', name === chapter);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('#chapter-links a')) {
    if (link.hash !== `#${chapter}`) link.removeAttribute('aria-current');
    else if (!link.hasAttribute('aria-current')) {
      link.setAttribute('aria-current', 'location');
      document.title = chapter === chapterNames[0] ? pageTitle : `${query(`#${chapter} h2`).textContent} · Tutti`;
      const list = link.closest<HTMLElement>('#chapter-links')!;
      list.scrollLeft = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
    }
  }
}

/** Callbacks as the reader scrolls. */
interface ReadingListener {
  /** Called when the text of a chapter reaches the reading line. */
  readsChapter(chapter: ChapterName): void;
  /** Called when a step of the text reaches the reading line. */
  readsStep(step: HTMLElement): void;
  /** Called when a chapter comes closer to the window than 60 % of the window's height. */
  nears(chapter: ChapterName): void;
}

/**
 * Observes the text at a reading line, which is lower if the stage covers the upper part of the window.
 *
 * @param narrow matches while the stage covers the upper part of the window.
 */
export function watchReading(narrow: MediaQueryList, on: ReadingListener): void {
  const observe = (rootMargin: string, targets: readonly HTMLElement[], enters: (target: HTMLElement) => void) => {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) if (isIntersecting) enters(target as HTMLElement);
      },
      { rootMargin },
    );
    for (const target of targets) observer.observe(target);
    return observer;
  };
  const chapters = chapterNames.map((name) => query(`#${name}`));
  observe('60% 0px 60% 0px', chapters, ({ id }) => on.nears(id as ChapterName));
  const watchLine = () => {
    const texts = chapterNames.flatMap((name, place) => [chapters[place]!, ...stepsOf(name)]);
    return observe(narrow.matches ? '-78% 0px -22% 0px' : '-55% 0px -45% 0px', texts, (target) => {
      if (target.id in chapterFields) on.readsChapter(target.id as ChapterName);
      else on.readsStep(target);
    });
  };
  let line = watchLine();
  narrow.addEventListener('change', () => {
    line.disconnect();
    line = watchLine();
  });
}
