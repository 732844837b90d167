import type { Desk } from '@tutti/simulation';
import type { TableLine } from '../state/tableFile.ts';

/**
 * The items on a desk, one a line: what is being verified, and for each level, the highest first, what waits, in the
 * order of the drawing.
 */
export function* deskNumbers({ levels, checking }: Desk): Generator<TableLine> {
  yield ['level', 'held', 'of', 'window', 'place', 'node', 'rank', 'score', 'weight', 'with_individual'];
  for (const { level, inWeight, size, window, items } of levels.toReversed()) {
    const row = [level, inWeight, size, Number.isFinite(window) ? window : null] as const;
    for (const { level: of, sender, weight, isIndividual } of checking)
      if (of === level) yield [...row, 'checked', sender, null, null, weight, isIndividual];
    for (const { place, sender, rank, score, weight, hasIndividual } of items)
      yield [...row, place, sender, rank, score, weight, hasIndividual];
  }
}
