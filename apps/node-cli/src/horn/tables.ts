import { type BitfieldCoding, defaultHornParameters, runLengthCoding, sparseCoding } from '@tutti/core/horn';
import { type HornTable, hornTable, hornTableNames } from '@tutti/ethereum';
import { snappyCoding } from './snappyCoding.ts';

/** Bitfield encodings that the tables of Horn and the griefing study compare. */
export const codings: readonly BitfieldCoding[] = [snappyCoding, runLengthCoding, sparseCoding];

/**
 * Returns the tables with the given names.
 *
 * @throws RangeError for a parameter out of its range.
 */
export function hornTables(
  names: readonly string[] = hornTableNames,
  parameters = defaultHornParameters,
): (HornTable & { readonly name: string })[] {
  return names.map((name) => ({ name, ...hornTable(name, codings, parameters) }));
}
