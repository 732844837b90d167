import { publicKeyBytes, publicKeyPointBytes } from './suite.ts';

/**
 * Sums of points of G1's prime-order subgroup, as bytes, so that a scheme does not depend on the library that adds
 * them.
 *
 * A point has 96 bytes, uncompressed; several points are concatenated. Infinity is an ordinary point. Scalars are in
 * 0..r-1. Only `decode` takes untrusted bytes. All other points come from this group and are trusted to be in the
 * subgroup.
 */
export interface G1Group {
  readonly name: 'blst-wasm' | 'noble-curves';

  /**
   * Returns the point of 48 compressed bytes, infinity included, or undefined if they are not a point of the subgroup.
   */
  decode(bytes: Uint8Array): Uint8Array | undefined;

  /**
   * Returns the point of a message under a domain separation tag of 1 to 255 bytes (RFC 9380, hash_to_curve). Its
   * discrete logarithm is unknown.
   */
  hash(message: Uint8Array, domain: Uint8Array): Uint8Array;

  /**
   * Returns the sum of all points, each multiplied by its scalar, or infinity if there are no points. Smaller scalars
   * cost less.
   */
  combine(points: Uint8Array, scalars: readonly bigint[]): Uint8Array;

  /** Returns the first half of the points, each plus its counterpart in the second half multiplied by `scalar`. */
  fold(points: Uint8Array, scalar: bigint): Uint8Array;
}

/**
 * Half of p - 1 in hexadecimal, where p is the modulus of the coordinates. Of the two possible y of a point, the larger
 * one exceeds it.
 */
const halfModulusHex =
  '0d0088f51cbff34d258dd3db21a5d66bb23ba5c279c2895fb39869507b587b120f55ffff58a9ffffdcff7fffffffd555';
const halfModulus = Uint8Array.from(halfModulusHex.match(/../g)!, (byte) => Number.parseInt(byte, 16));

function isLarger(y: Uint8Array): boolean {
  const at = y.findIndex((byte, i) => byte !== halfModulus[i]);
  return at !== -1 && y[at]! > halfModulus[at]!;
}

/** Returns the 48 compressed bytes of a point of 96 bytes. It only rearranges bytes. */
export function compressed(point: Uint8Array): Uint8Array {
  const bytes = point.slice(0, publicKeyBytes);
  const isInfinity = (bytes[0]! & 0x40) !== 0;
  bytes[0]! |= !isInfinity && isLarger(point.subarray(publicKeyBytes)) ? 0xa0 : 0x80;
  return bytes;
}

/** Returns `count` points at infinity. They pad a list whose length is not a power of two. */
export function infinities(count: number): Uint8Array {
  const points = new Uint8Array(count * publicKeyPointBytes);
  for (let i = 0; i < count; i++) points[i * publicKeyPointBytes] = 0x40;
  return points;
}

/** Returns the points of a range, without a copy. */
export function slicePoints(points: Uint8Array, from: number, to?: number): Uint8Array {
  return points.subarray(from * publicKeyPointBytes, to === undefined ? undefined : to * publicKeyPointBytes);
}
