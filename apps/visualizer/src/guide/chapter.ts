/** A moment of the run that is worth a sentence. */
export interface Chapter {
  readonly timeUs: number;
  readonly title: string;
  /** With its terms marked; see richText. */
  readonly text: string;
  /** Whether there is a multi-signature to look at. */
  readonly result?: boolean;
}

/** The chapter that a time falls in. */
export function chapterAt(all: readonly Chapter[], timeUs: number): number {
  return Math.max(
    0,
    all.findLastIndex((chapter) => chapter.timeUs <= timeUs),
  );
}
