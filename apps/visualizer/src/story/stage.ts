import { part } from '../page.ts';
import type { Told } from '../player/player.ts';

/** Position of a clock, microseconds, and whether it runs from there. */
export interface StageMoment {
  readonly atUs: number;
  readonly plays: boolean;
}

/** Callbacks of a stage. */
export interface StageListener {
  /**
   * Another run is loaded. @param at where to go; by default where the reader or a link left the clock.
   */
  changed(at?: StageMoment): void;
  /** The same run is told differently, or its clock has another end; it goes on. */
  retold(): void;
  /** Something is drawn differently, at the same moment. */
  redraw(): void;
  /** The moment that the page stands at, microseconds of the stage's clock. */
  now(): number;
}

/** A chapter's picture: one live run, or several on one clock, that can be touched. */
export interface Stage<Shows = object> {
  /** The story along its clock; undefined until there is a run. */
  readonly told: Told | undefined;
  /** End of its clock, microseconds. */
  readonly endUs: number;
  /** True if it waits for an answer before it runs by itself. */
  readonly waits?: boolean;
  /** Called instead of playing where it waits: it may answer itself after a while. */
  startSoon?(): void;
  /** The clock in words. */
  words(timeUs: number): string;
  /** Converts between a moment and its value in a link, ms. Without these, the clock is virtual time. */
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
  told: { track: { spanUs: 1, curve: [] }, chapters: [], marks: [], stepsUs: [] },
  endUs: 0,
  shows: {},
  words: () => '',
  show() {},
};

/** Makes a chapter's stage in its section of the page. */
export type StageMaker = (section: HTMLElement, on: StageListener) => Stage | Promise<Stage>;
