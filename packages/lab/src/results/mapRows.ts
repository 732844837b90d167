/** A row of the map of the shortest slot: a system under some assumptions, and the simulated lengths. */
export interface MapCell {
  readonly preset: string;
  /** Length of the system's own slot, s. */
  readonly ownSeconds: number;
  /** Shortest slot with 99 % of the votes in the next block, s; null if none of those tried is sufficient. */
  readonly slotSeconds: number | null;
  readonly simulated: readonly {
    readonly slotSeconds: number;
    readonly inReachPercent: number;
    /** Whether a layer was unfinished when the next one began. */
    readonly unfinished?: boolean;
  }[];
}

/** Returns one document per simulated slot, for a table. @param settingOf returns further properties of the slot. */
export function mapRows<C extends MapCell>(
  cells: readonly C[],
  settingOf: (cell: C, slotSeconds: number) => object,
): object[] {
  return cells.flatMap((cell) =>
    cell.simulated.map(({ slotSeconds, inReachPercent, unfinished }) => ({
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
