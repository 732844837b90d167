import type { Told } from '../player/player.ts';

/** What a stage tells the page of. */
export interface StageListener {
  /** Another run is there. @param at where to go, and whether it plays on from there; where the reader or a link left the clock if it is not said. */
  changed(at?: { readonly atUs: number; readonly plays: boolean }): void;
  /** Something is drawn otherwise, at the same moment. */
  redraw(): void;
  /** The moment that the page stands at, microseconds of the stage's clock. */
  now(): number;
}

/** What a link says of a chapter beside its name and its moment. */
export type StageFields = ReadonlyMap<string, string>;

/** A chapter's picture: one live run, or several on one clock, that can be touched. */
export interface Stage {
  /** What is told along its clock; undefined until there is a run. */
  readonly told: Told | undefined;
  /** Where its clock ends, microseconds. */
  readonly endUs: number;
  /** Where it waits for the reader once, before it goes on. */
  readonly holdUs?: number;
  /** The clock in words. */
  words(timeUs: number): string;
  /** A moment as a link has it, ms, and back. Without them the clock is virtual time. */
  linkedMs?(timeUs: number): number;
  timeOf?(linkedMs: number): number;
  /** Shows what a link or the text beside it asks for. What is not named is as at first. */
  show(fields: StageFields): void;
  /** What it shows, for a link; empty as at first. */
  readonly fields: StageFields;
  draw(timeUs: number): void;
  resize(): void;
  recolour(): void;
}

/** Makes a chapter's stage in its section of the page. */
export type StageMaker = (section: HTMLElement, on: StageListener) => Stage | Promise<Stage>;
