import type { Keepable } from '../state/keepView.ts';

/**
 * Content of a page: a run, a slot, the periods of a key, a ring. The frame around it is the same on all: `present`.
 */
export interface PageStage {
  /**
   * Called when the user enters another address: shows what it requests.
   *
   * @param hash its part from `#` on.
   */
  follow?(hash: string): void;
  /**
   * The part of the address after `#` that shows what is shown; empty where the address without one does, undefined
   * while there is nothing to link to.
   *
   * @param timeUs undefined: from the beginning, playing; or there is no clock.
   */
  link?(timeUs?: number): string | undefined;
  /** The address that links are copied with; this page's by default. */
  readonly home?: string;
  /** The address to hand out for one that stands in the address line, relative to the page; the same by default. */
  share?(address: string): string;
  /** The page is light or dark now. */
  recolour?(): void;
  /** There is more room for figures, or less. */
  resize?(): void;
  /** Draws every figure, also those out of sight: the page is about to be printed. */
  print?(): void;
  /** Makes ready what is printed. Without it, what has been loaded is printed. */
  printable?(): Promise<void>;
  /** Returns the exportable content at a moment; undefined if nothing is shown. */
  keepable?(timeUs: number): Keepable | undefined;
}

/** A stage on which time goes by. */
export interface ClockStage extends Pick<PageStage, 'link'> {
  /** Draws a moment. */
  draw(timeUs: number): void;
  /** Returns whether something moves while the clock stands. */
  readonly moving?: () => boolean;
}
