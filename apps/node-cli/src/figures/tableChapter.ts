/** A chapter of tables in the report, beside the figures of Handel. */
export interface TableChapter {
  /** The heading, which its part of the table of contents has too. */
  readonly title: string;
  /** HTML of one paragraph. */
  readonly opening: string;
  readonly sections: readonly TableSection[];
}

export interface TableSection {
  /** The anchor; different from that of every other section of the report. */
  readonly id: string;
  /** Text, not escaped yet. */
  readonly title: string;
  /** HTML under the title. */
  readonly body: string;
}
