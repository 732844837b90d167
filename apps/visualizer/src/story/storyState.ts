import type { ChapterName, StoryLink } from './address.ts';

/** Position of a chapter's clock: the moment of a link whose run is not loaded yet, or the last position. */
type ChapterClock =
  | { readonly kind: 'unplayed' }
  | { readonly kind: 'linked'; readonly atMs: number }
  | { readonly kind: 'left'; readonly atUs: number };

interface ChapterState {
  /**
   * State of the chapter's stage: `far` if it is not requested, `waiting` for the first picture, or `loading`, also
   * after it is loaded.
   */
  readonly stage: 'far' | 'waiting' | 'loading';
  /** State that a link or the text requested last. */
  readonly asked: object | undefined;
  readonly clock: ChapterClock;
}

/** Step of the text that is being read. */
export interface StepPlace {
  readonly chapter: ChapterName;
  /** Index of the step; undefined in a chapter without steps. */
  readonly place: number | undefined;
}

/** State of the guided tour that depends on the reader. */
export interface StoryState {
  readonly chapters: Readonly<Record<string, ChapterState>>;
  /** Chapter whose clock runs. */
  readonly active: ChapterName;
  readonly step: StepPlace | undefined;
  /**
   * Source of the shown state until the user scrolls on: a control, or a link to a position on the page. Otherwise the
   * text being read determines the state.
   */
  readonly hold: 'none' | 'control' | { readonly y: number };
  /** True until the first picture is shown. */
  readonly isOpening: boolean;
}

/** State of the page that follows from the reader's state. */
export interface StoryView {
  readonly chapter: ChapterName;
  readonly condition: 'running' | 'ready';
  /** Start position of the active clock, µs. */
  readonly atUs: number;
}

const far: ChapterState = { stage: 'far', asked: undefined, clock: { kind: 'unplayed' } };

export function firstStory(names: readonly ChapterName[]): StoryState {
  return {
    chapters: Object.fromEntries(names.map((name) => [name, far])),
    active: names[0]!,
    step: undefined,
    hold: 'none',
    isOpening: true,
  };
}

/**
 * Returns the view of a state.
 *
 * @param isReady whether the active chapter has a run.
 */
export function storyView({ chapters, active }: StoryState, isReady: boolean): StoryView {
  const { clock } = chapters[active]!;
  return { chapter: active, condition: isReady ? 'ready' : 'running', atUs: clock.kind === 'left' ? clock.atUs : 0 };
}

/** Returns the state with changes to one chapter. */
export function withChapter(state: StoryState, name: ChapterName, change: Partial<ChapterState>): StoryState {
  return { ...state, chapters: { ...state.chapters, [name]: { ...state.chapters[name]!, ...change } } };
}

/** Returns the state after a link to a chapter was opened. @param names whether the link has a state or a moment. */
export function linked(state: StoryState, { chapter, shows, atMs }: StoryLink, names: boolean): StoryState {
  if (!names) return state;
  const clock: ChapterClock = atMs === undefined ? { kind: 'unplayed' } : { kind: 'linked', atMs };
  return withChapter(state, chapter, { asked: shows, clock });
}

/** Returns the state with a chapter's clock stopped at a moment. */
export function left(state: StoryState, name: ChapterName, atUs: number): StoryState {
  return withChapter(state, name, { clock: { kind: 'left', atUs } });
}

/**
 * Returns the state after the use of a control, which does not count as scrolling: the stage keeps the control's state
 * while the text around it changes its height. A link to another place counts as scrolling only when the page moves.
 */
export function touched(
  state: StoryState,
  {
    isPress,
    control,
    step = state.step,
  }: {
    readonly isPress: boolean;
    readonly control: 'none' | 'elsewhere' | 'link' | 'ofStep';
    /** Step of the text that contains the control. */
    readonly step?: StepPlace | undefined;
  },
): StoryState {
  if (isPress && control === 'elsewhere') return state;
  return control === 'ofStep' ? { ...state, step, hold: 'control' } : { ...state, hold: 'none' };
}

/** Returns the state after the reader came near a chapter, which waits until the first picture is shown. */
export function neared(state: StoryState, name: ChapterName): StoryState {
  return state.isOpening && state.chapters[name]!.stage === 'far'
    ? withChapter(state, name, { stage: 'waiting' })
    : state;
}

/** Returns the chapters that were waiting for the first picture. */
export function waitingIn({ chapters }: StoryState): ChapterName[] {
  return (Object.keys(chapters) as ChapterName[]).filter((name) => chapters[name]!.stage === 'waiting');
}
