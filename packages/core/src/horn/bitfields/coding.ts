/**
 * A way to write a bitfield for the wire. A bitfield is one bit a validator, the first in bit 0 of the first byte,
 * padded with zeros to a whole number of bytes; its length is known to both sides.
 */
export interface BitfieldCoding {
  readonly name: string;
  encode(bitfield: Uint8Array, bits: number): Uint8Array;
  /** Reads what a peer sent; undefined when that is no code of a bitfield of this many bits. */
  decode(code: Uint8Array, bits: number): Uint8Array | undefined;
  /** No bitfield has a longer code, in bytes. */
  worstBytes(bits: number): number;
}

/** Returns the number of bytes of a bitfield without coding. */
export function bitfieldBytes(bits: number): number {
  return Math.ceil(bits / 8);
}

/** Returns a bit of a bitfield. */
export function bitAt(bitfield: Uint8Array, index: number): number {
  return (bitfield[index >>> 3]! >>> (index & 7)) & 1;
}

/** Sets a bit of a bitfield. */
export function setBit(bitfield: Uint8Array, index: number): void {
  bitfield[index >>> 3]! |= 1 << (index & 7);
}
