import { part } from '../page.ts';
import type { PlayerContent } from '../player/player.ts';

/** Position of a clock, microseconds, and whether it runs from there. */
export interface StageMoment {
  readonly atUs: number;
  readonly plays: boolean;
}

/** Callbacks of a stage. */
export interface StageListener {
  /** Called when another run is loaded. @param at position of the clock; by default its last one, or that of a link. */
  changed(at?: StageMoment): void;
  /** Called when the content or the end of the clock of the same run changes. The clock continues. */
  contentChanged(): void;
  /** Called when the drawing changes at the same moment. */
  redraw(): void;
  /** Returns the moment of the page, microseconds of the stage's clock. */
  now(): number;
}

/** Picture of a chapter: one live run, or several on one clock, with which readers can interact. */
export interface Stage<Shows = object> {
  /** What the player shows along its clock; undefined until there is a run. */
  readonly content: PlayerContent | undefined;
  /** End of its clock, microseconds. */
  readonly endUs: number;
  /** Whether the stage waits for an answer before it plays. */
  readonly waits?: boolean;
  /** Called instead of playing if the stage waits. It may continue without an answer after some time. */
  startSoon?(): void;
  /** Returns the text of the clock. */
  words(timeUs: number): string;
  /** Converts a moment to its value in a link, ms. Without this and its inverse, the clock is virtual time. */
  linkedMs?(timeUs: number): number;
  timeOf?(linkedMs: number): number;
  /** Shows the state of a link or of the text next to the stage. Missing fields have their initial values. */
  show(shows: Shows): void;
  /** Shown state, for a link. */
  readonly shows: Shows;
  draw?(timeUs: number): void;
  resize?(): void;
  recolour?(): void;
}

/** Common parts of stages: their section of the page. */
export abstract class SectionStage {
  protected readonly section: HTMLElement;
  protected readonly on: StageListener;

  constructor(section: HTMLElement, on: StageListener) {
    this.section = section;
    this.on = on;
  }

  protected find<E extends Element = HTMLElement>(selector: string): E {
    return part<E>(`#${this.section.id} ${selector}`);
  }

  /** Sets whether the picture waits for a run. */
  protected set busy(isBusy: boolean) {
    if (isBusy) this.find('.stage').setAttribute('aria-busy', 'true');
    else this.find('.stage').removeAttribute('aria-busy');
  }
}

/** Members of a stage without a clock. */
export const still = {
  content: { track: { spanUs: 1, curve: [] }, chapters: [], marks: [], stepsUs: [] },
  endUs: 0,
  shows: {},
  words: () => '',
  show() {},
};

/** Creates a chapter's stage in its section of the page. */
export type StageMaker = (section: HTMLElement, on: StageListener) => Stage | Promise<Stage>;
