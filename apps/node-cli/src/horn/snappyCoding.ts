import type { BitfieldCoding } from '@tutti/core/horn';
import { compress, uncompress } from 'snappyjs';

/** Number of bytes that follow the tag of a copy, by the kind of copy; kind 0 is a literal. */
const copyOffsetBytes = [0, 1, 2, 4];

/** Snappy in the block format that Ethereum's gossip uses. */
export const snappyCoding: BitfieldCoding = {
  name: 'snappy',

  encode: (bitfield) => compress(bitfield),

  decode(code, bits) {
    const bytes = Math.ceil(bits / 8);
    if (hasVastLiteral(code)) return undefined;
    try {
      const bitfield = uncompress(code, bytes);
      return bitfield.length === bytes ? bitfield : undefined;
    } catch {
      // The library throws if a peer's bytes are not Snappy or claim an excessive length, and has no other way to
      // report these errors.
      return undefined;
    }
  },

  // The authors of the format state this upper bound.
  worstBytes(bits) {
    const bytes = Math.ceil(bits / 8);
    return 32 + bytes + Math.floor(bytes / 6);
  },
};

/**
 * Returns whether the length of some literal takes four bytes, which no bitfield needs. snappyjs 0.7.0 would read
 * lengths from 2^31 on as negative, step backwards and never end.
 */
function hasVastLiteral(code: Uint8Array): boolean {
  let at = 1 + code.findIndex((byte) => byte < 0x80);
  while (at < code.length) {
    const tag = code[at]!;
    const size = tag >>> 2;
    if ((tag & 3) !== 0) at += 1 + copyOffsetBytes[tag & 3]!;
    else if (size < 60) at += 2 + size;
    else {
      const lengthBytes = size - 59;
      if (lengthBytes === 4) return true;
      let length = 1;
      for (let byte = 0; byte < lengthBytes; byte++) length += code[at + 1 + byte]! << (8 * byte);
      at += 1 + lengthBytes + length;
    }
  }
  return false;
}
