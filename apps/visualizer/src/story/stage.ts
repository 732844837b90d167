import { part } from '../page.ts';
import type { Told } from '../player/player.ts';

/** Where a clock goes, microseconds of it, and whether it plays on from there. */
export interface StageMoment {
  readonly atUs: number;
  readonly plays: boolean;
}

/** What a stage tells the page of. */
export interface StageListener {
  /**
   * Another run is loaded. @param at where to go; by default where the reader or a link left the clock.
   */
  changed(at?: StageMoment): void;
  /** The same run is told differently; its clock goes on. */
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
  /** Where its clock ends, microseconds. */
  readonly endUs: number;
  /** Whether it waits for an answer before it plays by itself. */
  readonly waits?: boolean;
  /** Called instead of playing where it waits: it may answer itself after a while. */
  startSoon?(): void;
  /** The clock in words. */
  words(timeUs: number): string;
  /** Converts between a moment and its value in a link, ms. Without these, the clock is virtual time. */
  linkedMs?(timeUs: number): number;
  timeOf?(linkedMs: number): number;
  /** Shows what a link or the text beside the stage asks for. What is not named has its initial value. */
  show(shows: Shows): void;
  /** What it shows, for a link. */
  readonly shows: Shows;
  draw?(timeUs: number): void;
  resize?(): void;
  recolour?(): void;
}

/** What stages have of their section of the page. */
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

  /** Whether the picture waits for a run. */
  protected set busy(isBusy: boolean) {
    if (isBusy) this.find('.stage').setAttribute('aria-busy', 'true');
    else this.find('.stage').removeAttribute('aria-busy');
  }
}

/** What a stage without a clock has. */
export const still = {
  told: { track: { spanUs: 1, curve: [] }, chapters: [], marks: [], stepsUs: [] },
  endUs: 0,
  shows: {},
  words: () => '',
  show() {},
};

/** Makes a chapter's stage in its section of the page. */
export type StageMaker = (section: HTMLElement, on: StageListener) => Stage | Promise<Stage>;
