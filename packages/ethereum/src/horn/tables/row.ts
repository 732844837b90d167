/** A number in the post, as written there, and the interval of values that round to it. */
export interface PostFigure {
  readonly text: string;
  readonly min: number;
  readonly max: number;
}

/** Returns a number that the post rounds. @param half half a unit of the last digit that the post gives. */
export function rounded(text: string, value: number, half: number): PostFigure {
  return { text, min: value - half, max: value + half };
}

export function exactly(text: string, value: number): PostFigure {
  return { text, min: value, max: value };
}

export function atLeast(text: string, value: number): PostFigure {
  return { text, min: value, max: Number.POSITIVE_INFINITY };
}

export function atMost(text: string, value: number): PostFigure {
  return { text, min: Number.NEGATIVE_INFINITY, max: value };
}

/** A quantity as stated in the post and as computed here. */
export interface HornRow {
  readonly item: string;
  readonly unit: string;
  /** Number as written in the post; undefined if the post gives no number. */
  readonly post: string | undefined;
  readonly exact: number;
  /** Whether the post's number follows from its inputs; undefined if there is no number. */
  readonly follows: boolean | undefined;
  /** Reason why the post's number does not follow; otherwise a remark, if any. */
  readonly why: string | undefined;
}

export function row(item: string, unit: string, exact: number, post?: PostFigure, why?: string): HornRow {
  const follows = post && exact >= post.min && exact <= post.max;
  return { item, unit, post: post?.text, exact, follows, why };
}

/** One quantity over many cases. */
export interface HornGrid {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Quantities of one section of the post. */
export interface HornTable {
  readonly title: string;
  /** Heading in the post. */
  readonly section: string;
  readonly rows: readonly HornRow[];
  readonly grids: readonly HornGrid[];
}
