/** Largest multiplicity of a validator in a merged aggregate: what four bits hold, 15. */
export const mostMultiplicity = 15;

export type ReadMultiplicities =
  | { readonly ok: true; readonly counts: Uint8Array }
  | { readonly ok: false; readonly code: 'wrong-length' | 'empty-set' | 'count-beyond-end' };

/**
 * Length of the code of a vector over `members` validators, bytes: half of one each (Horn: "Aggregation with four-bit
 * integer vectors").
 */
export function multiplicityCodeBytes(members: number): number {
  return (members + 1) >>> 1;
}

/** Two validators a byte, the first in the low half. @param counts one a validator, 0 to 15. */
export function writeMultiplicities(counts: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(multiplicityCodeBytes(counts.length));
  counts.forEach((count, member) => {
    bytes[member >>> 1]! |= count << (4 * (member & 1));
  });
  return bytes;
}

/** Reads what a peer says is a vector over `members` validators: anything wrong with it is a code, not an exception. */
export function readMultiplicities(bytes: Uint8Array, members: number): ReadMultiplicities {
  if (bytes.length !== multiplicityCodeBytes(members)) return { ok: false, code: 'wrong-length' };
  if (bytes.every((byte) => byte === 0)) return { ok: false, code: 'empty-set' };
  if (members % 2 === 1 && bytes.at(-1)! >>> 4 !== 0) return { ok: false, code: 'count-beyond-end' };
  return { ok: true, counts: Uint8Array.from({ length: members }, (_, member) => multiplicity(bytes, member)) };
}

function multiplicity(bytes: Uint8Array, member: number): number {
  return (bytes[member >>> 1]! >>> (4 * (member & 1))) & 0xf;
}
