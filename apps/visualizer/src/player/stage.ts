import type { Keepable } from '../state/keepView.ts';

/** What a page shows: a run, a slot, the periods of a key, a ring. What surrounds it is the same on all: `present`. */
export interface PageStage {
  /** Somebody has written another address: shows what it asks for. @param hash its part from `#` on. */
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
  /** What can be kept of a moment; undefined while there is nothing to be seen. */
  keepable?(timeUs: number): Keepable | undefined;
}

/** A stage on which time goes by. */
export interface ClockStage extends Pick<PageStage, 'link'> {
  /** Draws a moment. */
  draw(timeUs: number): void;
  /** Whether something moves although the clock stands. */
  readonly moving?: () => boolean;
}
