import { query } from '../page.ts';
import type { PlayerContent } from '../player/player.ts';

/** Position of a clock, µs, and whether it runs from there. */
export interface StageMoment {
  readonly atUs: number;
  readonly plays: boolean;
}

/** Callbacks of a stage. */
export interface StageListener {
  /**
   * Called when the stage has other content, such as another run or another node's view, or when its clock has to be
   * set.
   *
   * @param at position of the clock. Default: the last position of the clock, or the position in a link.
   */
  changed(at?: StageMoment): void;
  /**
   * Called when the content or the end of the clock changes while the run stays the same. The clock continues to run.
   */
  contentChanged(): void;
  /** Called when the drawing changes although the moment does not. */
  redraw(): void;
  /** Returns the current moment of the page, µs of the stage's clock. */
  now(): number;
}

/** Picture of a chapter: one live run, or several on one clock, with which readers can interact. */
export interface Stage<Shows = object> {
  /** Content that the player shows along the stage's clock; undefined until there is a run. */
  readonly content: PlayerContent | undefined;
  /** End of the stage's clock, µs. */
  readonly endUs: number;
  /** Whether the requested state could not be simulated. The same state may then be requested again. */
  readonly hasFailed?: boolean;
  /** Whether the stage waits for the reader's answer before it plays. */
  readonly waits?: boolean;
  /**
   * Called instead of playing if the stage waits for an answer. After some time, the stage may start without an answer.
   */
  startSoon?(): void;
  /** Returns the text that the clock shows. */
  words(timeUs: number): string;
  /**
   * Converts a moment to its value in a link, ms. Without this method and its inverse, a link contains the virtual
   * time.
   */
  linkedMs?(timeUs: number): number;
  timeOf?(linkedMs: number): number;
  /** Shows the state that a link, or the text next to the stage, requests. Missing fields have their initial values. */
  show(shows: Shows): void;
  /** Currently shown state, for use in a link. */
  readonly shows: Shows;
  draw?(timeUs: number): void;
  /**
   * Draws a moment for printing, even if the stage is out of sight, and resolves once the moment is drawn. Default:
   * {@link draw}.
   */
  prepare?(timeUs: number): Promise<void>;
  /** Moment that is printed unless the reader has moved the clock, µs. Default: the end of the clock. */
  readonly printedUs?: number;
  resize?(): void;
  recolour?(): void;
}

/** Base class of stages: finds elements in the section of a chapter, and shows what is being simulated. */
export abstract class SectionStage {
  protected readonly section: HTMLElement;
  protected readonly on: StageListener;

  constructor(section: HTMLElement, on: StageListener) {
    this.section = section;
    this.on = on;
  }

  protected find<E extends Element = HTMLElement>(selector: string): E {
    return query<E>(`#${this.section.id} ${selector}`);
  }

  /**
   * Sets the name of what is being simulated, which is shown over the picture; undefined once the run itself is shown.
   */
  protected set busyWith(what: string | undefined) {
    const stage = this.find('.stage');
    if (what === undefined) {
      stage.removeAttribute('aria-busy');
      delete stage.dataset.busy;
    } else {
      stage.setAttribute('aria-busy', 'true');
      stage.dataset.busy = `Simulating ${what} …`;
    }
  }
}

/** Stage without a clock. */
export const still = {
  content: { track: { spanUs: 1, curve: [] }, chapters: [], marks: [], stepsUs: [] },
  endUs: 0,
  shows: {},
  words: () => '',
  show() {},
};

/** Loads the code of a chapter's stage, and creates the stage in the chapter's section of the page. */
export type StageMaker = (section: HTMLElement, on: StageListener) => Promise<Stage>;
