/** Moment of a run with an explanation. */
export interface Chapter {
  readonly timeUs: number;
  readonly title: string;
  /** Text with marked terms; see `sentence`. */
  readonly text: string;
  /** Whether the chapter shows a multi-signature. */
  readonly result?: boolean;
}

/** Returns the chapter at a time. */
export function chapterAt(all: readonly Chapter[], timeUs: number): number {
  return Math.max(
    0,
    all.findLastIndex((chapter) => chapter.timeUs <= timeUs),
  );
}
