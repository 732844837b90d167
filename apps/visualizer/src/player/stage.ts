import type { Exportable } from '../state/exportView.ts';

/**
 * Content of a page, such as a run, a slot, the periods of a key, or a ring. The frame around it, `present`, is the
 * same on all pages.
 */
export interface PageStage {
  /**
   * Called when the user enters another address. Shows its state.
   *
   * @param hash part of the address from `#` on.
   */
  follow?(hash: string): void;
  /**
   * Returns the fragment of a link to the shown state, without `#`. It is empty if the plain address shows this state,
   * and undefined if there is nothing to link to.
   *
   * @param timeUs time of the clock, µs; undefined if it plays from the beginning, or there is no clock.
   */
  link?(timeUs?: number): string | undefined;
  /** Address of copied links. Default: this page's address. */
  readonly home?: string;
  /** Converts an address of the address line to the one to share, relative to the page. Default: the same address. */
  share?(address: string): string;
  /** Called when the page changes between light and dark. */
  recolour?(): void;
  /** Called when the space for figures changes. */
  resize?(): void;
  /** Draws every figure for printing, including invisible ones. */
  print?(): void;
  /** Loads everything that can be printed. If it is missing, only loaded parts are printed. */
  printable?(): Promise<void>;
  /** Returns the exportable content at a moment, or undefined if nothing is shown. */
  exportable?(timeUs: number): Exportable | undefined;
}

/** Stage with a clock. */
export interface ClockStage extends Pick<PageStage, 'link'> {
  /** Draws a moment. */
  draw(timeUs: number): void;
  /** Returns whether something moves while the clock is paused. */
  readonly moving?: () => boolean;
}
