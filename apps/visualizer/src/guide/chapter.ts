/** Moment of a run with an explanation. */
export interface Chapter {
  readonly timeUs: number;
  readonly title: string;
  /** Text with marked terms; see `sentence`. */
  readonly text: string;
  /** Whether the chapter shows a multi-signature. */
  readonly result?: boolean;
}

/** Returns chapters in order of time, without any chapter that begins at the same moment as a later one. */
export function lastPerMoment(all: readonly Chapter[]): readonly Chapter[] {
  return all.filter(({ timeUs }, place) => timeUs !== all[place + 1]?.timeUs);
}

/** Returns the index of the last chapter that has begun at a time, or 0 if no chapter has begun. */
export function chapterAt(all: readonly Chapter[], timeUs: number): number {
  return Math.max(
    0,
    all.findLastIndex((chapter) => chapter.timeUs <= timeUs),
  );
}
