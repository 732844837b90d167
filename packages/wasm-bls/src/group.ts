import { bytesOfHex } from './arguments.ts';
import { publicKeyBytes, publicKeyPointBytes } from './suite.ts';

/**
 * Sums of points in the prime-order subgroup of G1, in byte form, so that a scheme does not depend on the library that
 * adds the points.
 *
 * A point takes 96 bytes, uncompressed; several points are concatenated. Infinity is an ordinary point. Scalars are in
 * 0..r-1. Only `decode` accepts untrusted bytes. All other points are results of this group, and are trusted to be in
 * the subgroup.
 */
export interface G1Group {
  readonly name: 'blst-wasm' | 'noble-curves';

  /**
   * Returns the point encoded in 48 compressed bytes, including infinity, or undefined if the bytes are not a point in
   * the subgroup.
   */
  decode(bytes: Uint8Array): Uint8Array | undefined;

  /**
   * Returns the point of a message under a domain separation tag of 1 to 255 bytes (RFC 9380, hash_to_curve). The
   * discrete logarithm of this point is unknown.
   */
  hash(message: Uint8Array, domain: Uint8Array): Uint8Array;

  /**
   * Returns the sum of all points, each multiplied by its scalar; without points, the sum is infinity. Smaller scalars
   * are faster to multiply.
   */
  combine(points: Uint8Array, scalars: readonly bigint[]): Uint8Array;

  /** Returns the points of the first half, each plus its counterpart in the second half multiplied by `scalar`. */
  fold(points: Uint8Array, scalar: bigint): Uint8Array;
}

/**
 * Half of p - 1, where p is the modulus of the point coordinates. Of the two possible y coordinates of a
 * point, only the larger one exceeds this value.
 */
const halfModulus = bytesOfHex(
  '0d0088f51cbff34d258dd3db21a5d66bb23ba5c279c2895fb39869507b587b120f55ffff58a9ffffdcff7fffffffd555',
);

function isLarger(y: Uint8Array): boolean {
  const at = y.findIndex((byte, i) => byte !== halfModulus[i]);
  return at !== -1 && y[at]! > halfModulus[at]!;
}

/** Returns the 48 compressed bytes of a point of 96 bytes. The function only rearranges bytes. */
export function compressed(point: Uint8Array): Uint8Array {
  const bytes = point.slice(0, publicKeyBytes);
  const isInfinity = (bytes[0]! & 0x40) !== 0;
  bytes[0]! |= !isInfinity && isLarger(point.subarray(publicKeyBytes)) ? 0xa0 : 0x80;
  return bytes;
}

/** Returns `count` points at infinity, for example to pad a list whose length is not a power of two. */
export function infinities(count: number): Uint8Array {
  const points = new Uint8Array(count * publicKeyPointBytes);
  for (let i = 0; i < count; i++) points[i * publicKeyPointBytes] = 0x40;
  return points;
}

/** Returns the points of a range, without a copy. */
export function slicePoints(points: Uint8Array, from: number, to?: number): Uint8Array {
  return points.subarray(from * publicKeyPointBytes, to === undefined ? undefined : to * publicKeyPointBytes);
}
