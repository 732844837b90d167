import { compressedX, infinity, modulus, offCurveX, outsideG1X, outsideG2X } from './fixtures.ts';

/** Returns the x of a point outside the subgroup, in the group whose compressed points have this length. */
export const outsideX = (length: number): bigint => (length === 48 ? outsideG1X : outsideG2X);

/** Returns invalid encodings of points of this length: a name, the bytes, and the code of the fault. */
export function hostileEncodings(length: number): [name: string, bytes: Uint8Array, code: string][] {
  const flagged = (first: number, last = 0): Uint8Array => {
    const bytes = new Uint8Array(length);
    bytes[0] = first;
    bytes[length - 1]! |= last;
    return bytes;
  };
  return [
    ['no bytes', new Uint8Array(), 'length'],
    ['one byte too few', infinity(length).subarray(1), 'length'],
    ['one byte too many', new Uint8Array(length + 1), 'length'],
    ['an uncompressed encoding', new Uint8Array(2 * length), 'length'],
    ['zeroes', flagged(0), 'encoding'],
    ['no compression flag', flagged(0x20, 4), 'encoding'],
    ['infinity without the compression flag', flagged(0x40), 'encoding'],
    ['infinity with the sign flag', flagged(0xe0), 'encoding'],
    ['infinity with a coordinate', flagged(0xc0, 1), 'encoding'],
    ['a coordinate that is the modulus', compressedX(length, modulus), 'encoding'],
    ['a coordinate beyond the modulus', compressedX(length, modulus + 1n), 'encoding'],
    ['all bits', new Uint8Array(length).fill(0xff), 'encoding'],
    ['no point of the curve', compressedX(length, offCurveX), 'not-on-curve'],
    ['a point outside the subgroup', compressedX(length, outsideX(length)), 'not-in-subgroup'],
  ];
}
