import { type BitfieldCoding, defaultHornParameters, runLengthCoding, sparseCoding } from '@tutti/core/horn';
import { type HornTable, hornTable, hornTableNames } from '@tutti/ethereum';
import { snappyCoding } from '../snappyCoding.ts';

/** Codings of a bitfield that Horn's tables compare. */
const codings: readonly BitfieldCoding[] = [snappyCoding, runLengthCoding, sparseCoding];

/**
 * Returns the tables of these names.
 *
 * @throws RangeError for parameters out of their ranges.
 */
export function hornTables(
  names: readonly string[] = hornTableNames,
  parameters = defaultHornParameters,
): (HornTable & { readonly name: string })[] {
  return names.map((name) => ({ name, ...hornTable(name, codings, parameters) }));
}
