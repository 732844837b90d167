import type { ChapterName, StoryLink } from './address.ts';

/** Position of a chapter's clock: the moment of a link whose run is not loaded yet, or the last position. */
type ChapterClock =
  | { readonly kind: 'unplayed' }
  | { readonly kind: 'linked'; readonly atMs: number }
  | { readonly kind: 'left'; readonly atUs: number };

interface ChapterState {
  /**
   * State of the chapter's stage: `far` if the stage is not needed yet, `waiting` if it waits for the page's first
   * picture, `requested` once loading has begun, and `failed` if loading failed and may be tried again.
   */
  readonly stage: 'far' | 'waiting' | 'requested' | 'failed';
  /** State of the stage that a link or the text requested last. */
  readonly asked: object | undefined;
  readonly clock: ChapterClock;
}

/** Kind of a control that the reader presses: a link or another control of a step, one outside the steps, or none. */
export type ControlKind = 'none' | 'elsewhere' | 'link' | 'ofStep';

/** Input of the reader: a pressed pointer, a key, or a scroll. */
export type ReaderInput = 'press' | 'key' | 'scroll';

/** Step of the text that the reader is reading. */
export interface StepPlace {
  readonly chapter: ChapterName;
  /** Index of the step; 0 in a chapter without steps. */
  readonly place: number;
}

/** State of the guided tour that depends on the reader. */
export interface StoryState {
  readonly chapters: Readonly<Record<string, ChapterState>>;
  /** Chapter whose clock runs. */
  readonly active: ChapterName;
  readonly step: StepPlace | undefined;
  /**
   * Source of the shown state until the reader scrolls on: a control, or a link to a step. Without such a source, the
   * step being read determines the state. For a link, `y` is the page's scroll position and `top` is the position of the
   * linked step in the window, px.
   */
  readonly hold: 'none' | 'control' | { readonly y: number; readonly top: number };
  /** True until the page's first picture is shown. */
  readonly isOpening: boolean;
}

const far: ChapterState = { stage: 'far', asked: undefined, clock: { kind: 'unplayed' } };

/** Returns the state before the reader has done anything. The first of the given chapters is active. */
export function firstStory(names: readonly ChapterName[]): StoryState {
  return {
    chapters: Object.fromEntries(names.map((name) => [name, far])),
    active: names[0]!,
    step: undefined,
    hold: 'none',
    isOpening: true,
  };
}

/** Returns the moment at which a chapter's clock was stopped, µs; 0 if the clock has not been stopped. */
export function stoppedUs({ chapters }: StoryState, name: ChapterName): number {
  const { clock } = chapters[name]!;
  return clock.kind === 'left' ? clock.atUs : 0;
}

/** Returns the state with changes to one chapter. */
export function withChapter(state: StoryState, name: ChapterName, change: Partial<ChapterState>): StoryState {
  return { ...state, chapters: { ...state.chapters, [name]: { ...state.chapters[name]!, ...change } } };
}

/** Returns the state after the reader opened a link to a state or a moment of a chapter. */
export function linked(state: StoryState, { chapter, shows, atMs }: StoryLink): StoryState {
  const clock: ChapterClock = atMs === undefined ? { kind: 'unplayed' } : { kind: 'linked', atMs };
  return withChapter(state, chapter, { asked: shows, clock });
}

/** Returns the state after a chapter's clock has been stopped at a given moment. */
export function left(state: StoryState, name: ChapterName, atUs: number): StoryState {
  return withChapter(state, name, { clock: { kind: 'left', atUs } });
}

/**
 * Returns the state after the reader presses a key or a button of the pointer, or scrolls. A control of a step holds the
 * stage's state, because the text around the control may change its height and scroll the page. Pressing a control
 * outside the steps changes nothing. All other input ends the hold, and so does a scroll over a control.
 */
export function touched(
  state: StoryState,
  {
    input,
    control,
    step = state.step,
  }: {
    readonly input: ReaderInput;
    readonly control: ControlKind;
    /** Step of the text that contains the control. */
    readonly step?: StepPlace | undefined;
  },
): StoryState {
  if (input === 'press' && control === 'elsewhere') return state;
  return control === 'ofStep' && input !== 'scroll' ? { ...state, step, hold: 'control' } : { ...state, hold: 'none' };
}

/**
 * Returns the state after the reader scrolled near a chapter; the chapter waits until the page's first picture is
 * shown.
 */
export function neared(state: StoryState, name: ChapterName): StoryState {
  return state.isOpening && state.chapters[name]!.stage === 'far'
    ? withChapter(state, name, { stage: 'waiting' })
    : state;
}

/** Returns the chapters that waited for the page's first picture. */
export function waitingIn({ chapters }: StoryState): ChapterName[] {
  return (Object.keys(chapters) as ChapterName[]).filter((name) => chapters[name]!.stage === 'waiting');
}
