import type { BitfieldCoding } from '@tutti/core';
import { compress, uncompress } from 'snappyjs';

/** Snappy, the block format that Ethereum's gossip uses. */
export const snappyCoding: BitfieldCoding = {
  name: 'snappy',

  encode: (bitfield) => compress(bitfield),

  decode(code, bits) {
    const bytes = Math.ceil(bits / 8);
    try {
      const bitfield = uncompress(code, bytes);
      return bitfield.length === bytes ? bitfield : undefined;
    } catch {
      // The library knows no other way to say that a peer's bytes are no Snappy, or claim to be longer than they may.
      return undefined;
    }
  },

  // The bound that the format's authors give.
  worstBytes(bits) {
    const bytes = Math.ceil(bits / 8);
    return 32 + bytes + Math.floor(bytes / 6);
  },
};
