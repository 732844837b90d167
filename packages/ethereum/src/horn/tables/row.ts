/** A figure of the post's, in its words, and the values that it can be a rounding of. */
export interface PostFigure {
  readonly text: string;
  readonly least: number;
  readonly most: number;
}

/** @param half of the last place that the post gives. */
export function rounded(text: string, value: number, half: number): PostFigure {
  return { text, least: value - half, most: value + half };
}

export function exactly(text: string, value: number): PostFigure {
  return { text, least: value, most: value };
}

export function atLeast(text: string, value: number): PostFigure {
  return { text, least: value, most: Number.POSITIVE_INFINITY };
}

export function atMost(text: string, value: number): PostFigure {
  return { text, least: Number.NEGATIVE_INFINITY, most: value };
}

/** A quantity, as the post has it and as it comes out here. */
export interface HornRow {
  readonly item: string;
  readonly unit: string;
  /** The post's words; undefined where it gives no figure. */
  readonly post: string | undefined;
  readonly exact: number;
  /** Whether the post's figure follows from its inputs; undefined where there is none. */
  readonly follows: boolean | undefined;
  /** Where it does not follow, why; elsewhere what else is to be known, if anything. */
  readonly why: string | undefined;
}

export function row(item: string, unit: string, exact: number, post?: PostFigure, why?: string): HornRow {
  const follows = post && exact >= post.least && exact <= post.most;
  return { item, unit, post: post?.text, exact, follows, why };
}

/** One quantity over many cases. */
export interface HornGrid {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** The quantities of one part of the post. */
export interface HornTable {
  readonly title: string;
  /** The post's heading. */
  readonly section: string;
  /** Where it is worked out, from packages/core/src on. */
  readonly source: string;
  readonly rows: readonly HornRow[];
  readonly grids: readonly HornGrid[];
}
