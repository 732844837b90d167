/** A row of the map of the shortest slot: a system under some assumptions, and the lengths that were run. */
export interface MapCell {
  readonly preset: string;
  /** The system's own slot, s. */
  readonly ownSeconds: number;
  /** The shortest slot with 99 % of the votes in the next block, s; null for none of those tried. */
  readonly slotSeconds: number | null;
  readonly played: readonly {
    readonly slotSeconds: number;
    readonly inReachPercent: number;
    /** Whether a layer was unfinished when the next began. */
    readonly unfinished?: boolean;
  }[];
}

/** A document a slot that was run, for a table. @param settingOf what else holds of it. */
export function mapRows<C extends MapCell>(
  cells: readonly C[],
  settingOf: (cell: C, slotSeconds: number) => object,
): object[] {
  return cells.flatMap((cell) =>
    cell.played.map(({ slotSeconds, inReachPercent, unfinished }) => ({
      preset: cell.preset,
      ...settingOf(cell, slotSeconds),
      ownSlotMs: 1000 * cell.ownSeconds,
      slotMs: 1000 * slotSeconds,
      inReachPercent,
      ...(unfinished === undefined ? {} : { unfinished }),
      shortestSlotMs: cell.slotSeconds === null ? null : 1000 * cell.slotSeconds,
    })),
  );
}
