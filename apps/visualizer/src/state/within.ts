/** The seeds of runs, of slots and of everything else that is drawn. */
export const seeds = { min: 0, max: 2 ** 32 - 1 } as const;

/** The number that a link gives a field, brought into its range; for no number, what it is otherwise. */
export function within(text: string | null, range: { min: number; max: number }, otherwise: number): number {
  const read = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(read) ? Math.min(Math.max(read, range.min), range.max) : otherwise;
}
