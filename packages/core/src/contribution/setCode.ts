/**
 * Wire forms of a set. The first byte of the encoding is the form. In the form `listed`, one bit per id of the block
 * follows, with the lowest id in bit 0 of the first byte.
 */
const form = { whole: 0, listed: 1 } as const;

/**
 * Result of {@link readSet}: a rejection code, or the set's words (undefined for a full set) and the offset after it.
 */
export type ReadSet =
  | { readonly ok: true; readonly words: Int32Array | undefined; readonly end: number }
  | { readonly ok: false; readonly code: 'truncated' | 'empty-set' | 'bit-beyond-end' | 'unknown-set-form' };

/** Length of a full set's encoding, which consists of the form byte only, bytes. */
export const fullSetBytes = 1;

/**
 * Returns the length of the encoding of a set over `size` ids that is not full, bytes. In v1.03 section 6 the length is
 * 2^(level-1) bits.
 */
export function listedSetBytes(size: number): number {
  return 1 + ((size + 7) >>> 3);
}

/** Writes the encoding of a set. @param words undefined for a full set. @returns the offset after the encoding. */
export function writeSet(words: Int32Array | undefined, size: number, out: Uint8Array, offset: number): number {
  if (words === undefined) {
    out[offset] = form.whole;
    return offset + 1;
  }
  out[offset] = form.listed;
  return writeBits(words, out, offset + 1, (size + 7) >>> 3);
}

/** Writes the first `length` bytes of a set of words, as bits in ascending order. @returns the offset after them. */
export function writeBits(words: Int32Array, out: Uint8Array, offset: number, length: number): number {
  for (let byte = 0; byte < length; byte++) out[offset + byte] = words[byte >>> 2]! >>> ((byte & 3) * 8);
  return offset + length;
}

/**
 * Decodes a peer's bytes as a set over `size` ids (at least 1). Returns an error code for invalid bytes and does not
 * throw.
 */
export function readSet(size: number, bytes: Uint8Array, offset: number): ReadSet {
  if (offset >= bytes.length) return { ok: false, code: 'truncated' };
  if (bytes[offset] === form.whole) return { ok: true, words: undefined, end: offset + 1 };
  if (bytes[offset] !== form.listed) return { ok: false, code: 'unknown-set-form' };
  const length = (size + 7) >>> 3;
  const end = offset + 1 + length;
  if (end > bytes.length) return { ok: false, code: 'truncated' };
  const words = new Int32Array((size + 31) >>> 5);
  let any = 0;
  for (let byte = 0; byte < length; byte++) {
    const value = bytes[offset + 1 + byte]!;
    any |= value;
    words[byte >>> 2]! |= value << ((byte & 3) * 8);
  }
  if (any === 0) return { ok: false, code: 'empty-set' };
  if ((size & 7) !== 0 && bytes[end - 1]! >>> (size & 7) !== 0) return { ok: false, code: 'bit-beyond-end' };
  return { ok: true, words, end };
}
