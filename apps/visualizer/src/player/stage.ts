import type { Keepable } from '../state/keepView.ts';

/**
 * Content of a page, such as a run, a slot, the periods of a key, or a ring. The frame around it is the same on all
 * pages: `present`.
 */
export interface PageStage {
  /**
   * Called when the user enters another address: shows its state.
   *
   * @param hash part of the address from `#` on.
   */
  follow?(hash: string): void;
  /**
   * Fragment of a link to the shown state, without `#`; empty if the plain address shows it, undefined if there is
   * nothing to link to.
   *
   * @param timeUs time of the clock; undefined: playing from the beginning, or no clock.
   */
  link?(timeUs?: number): string | undefined;
  /** Address of copied links; this page's by default. */
  readonly home?: string;
  /** Converts an address of the address line to the one to share, relative to the page; the same by default. */
  share?(address: string): string;
  /** Called when the page changes between light and dark. */
  recolour?(): void;
  /** Called when the space for figures changes. */
  resize?(): void;
  /** Draws every figure for printing, even those out of sight. */
  print?(): void;
  /** Loads everything that is printed. Without it, only loaded parts are printed. */
  printable?(): Promise<void>;
  /** Returns the exportable content at a moment; undefined if nothing is shown. */
  keepable?(timeUs: number): Keepable | undefined;
}

/** Stage with a clock. */
export interface ClockStage extends Pick<PageStage, 'link'> {
  /** Draws a moment. */
  draw(timeUs: number): void;
  /** Returns whether something moves while the clock is paused. */
  readonly moving?: () => boolean;
}
