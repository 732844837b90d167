import type { Chapter } from '../guide/chapter.ts';

/** Content of the track, an overview of the run. */
export interface Track {
  readonly spanUs: number;
  /** Progress of the run over time, in order: shares of the span and of the total, 0 to 1. */
  readonly curve: readonly (readonly [time: number, done: number])[];
  readonly marks: readonly Mark[];
  /** Labels of moments along the track, if the clock does not advance evenly. */
  readonly times?: readonly { readonly timeUs: number; readonly label: string }[];
}

/** Marked moment of the timeline. */
export interface Mark {
  readonly timeUs: number;
  /** Label, one or two words. */
  readonly label: string;
  readonly kind: 'chapter' | 'level' | 'output' | 'lie' | 'fault';
}

/** Returns marks and chapters in order of time. At the same moment, marks keep their order and chapters come last. */
export function allMarks(marks: readonly Mark[], chapters: readonly Chapter[]): readonly Mark[] {
  const ofChapters = chapters.map(({ timeUs, title }): Mark => ({ timeUs, label: title, kind: 'chapter' }));
  const ordered = [...marks, ...ofChapters].toSorted((a, b) => a.timeUs - b.timeUs);
  return ordered.filter(({ timeUs }, place) => timeUs !== ordered[place - 1]?.timeUs);
}

/** Position of a mark's label: after the mark; before it, at the end of the track; or none, if there is no space. */
type LabelPlace = 'after' | 'before' | 'nowhere';

/** Returns the positions of the labels. A label that would overlap another is left out. */
export function labelPlaces(
  marks: readonly Mark[],
  x: (timeUs: number) => number,
  widthOf: (label: string) => number,
  room: number,
): readonly LabelPlace[] {
  let free = Number.NEGATIVE_INFINITY;
  return marks.map(({ timeUs, label, kind }) => {
    const at = x(timeUs);
    const place = at + widthOf(label) <= room ? 'after' : 'before';
    const from = place === 'after' ? at : at - widthOf(label);
    if (kind === 'chapter' || from < free) return 'nowhere';
    free = from + widthOf(label) + 8;
    return place;
  });
}
