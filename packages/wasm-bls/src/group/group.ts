import { publicKeyBytes, publicKeyPointBytes } from '../suite.ts';

/**
 * Sums of points of G1's prime-order subgroup, as bytes, so that a scheme does not depend on the library that adds them.
 *
 * Points are 96 bytes each, uncompressed, several one after the other; infinity is a point like any other. Scalars are
 * in 0..r-1. Only `decode` is given an untrusted peer's bytes: all other points come from this group and are trusted to
 * be in the subgroup.
 */
export interface G1Group {
  readonly name: 'blst-wasm' | 'noble-curves';

  /** The point of 48 compressed bytes, its subgroup checked, infinity included; undefined if there is none. */
  decode(bytes: Uint8Array): Uint8Array | undefined;

  /**
   * The point that stands for a message under a domain separation tag of 1 to 255 bytes (RFC 9380, hash_to_curve),
   * whose logarithm no one knows.
   */
  hash(message: Uint8Array, domain: Uint8Array): Uint8Array;

  /**
   * The sum of all points, each multiplied by its scalar; infinity if there are none. The smaller the scalars, the
   * cheaper.
   */
  combine(points: Uint8Array, scalars: readonly bigint[]): Uint8Array;

  /**
   * The first half of the points, to each of which is added its counterpart of the second half multiplied by `scalar`.
   */
  fold(points: Uint8Array, scalar: bigint): Uint8Array;
}

/** Half of p - 1, p the modulus of the coordinates, in hexadecimal: a larger y is the larger of a point's two. */
const halfModulusHex =
  '0d0088f51cbff34d258dd3db21a5d66bb23ba5c279c2895fb39869507b587b120f55ffff58a9ffffdcff7fffffffd555';
const halfModulus = Uint8Array.from(halfModulusHex.match(/../g)!, (byte) => Number.parseInt(byte, 16));

function isLarger(y: Uint8Array): boolean {
  const at = y.findIndex((byte, i) => byte !== halfModulus[i]);
  return at !== -1 && y[at]! > halfModulus[at]!;
}

/** 48 compressed bytes of one point of 96: a matter of bytes alone. */
export function compressed(point: Uint8Array): Uint8Array {
  const bytes = point.slice(0, publicKeyBytes);
  const isInfinity = (bytes[0]! & 0x40) !== 0;
  bytes[0]! |= !isInfinity && isLarger(point.subarray(publicKeyBytes)) ? 0xa0 : 0x80;
  return bytes;
}

/** As many points as asked for, all infinity: what pads a list whose length is no power of two. */
export function infinities(count: number): Uint8Array {
  const points = new Uint8Array(count * publicKeyPointBytes);
  for (let i = 0; i < count; i++) points[i * publicKeyPointBytes] = 0x40;
  return points;
}

/** The points from one index to another, without a copy. */
export function slicePoints(points: Uint8Array, from: number, to?: number): Uint8Array {
  return points.subarray(from * publicKeyPointBytes, to === undefined ? undefined : to * publicKeyPointBytes);
}

/** Bytes one after the other: lists of points, or single ones, as one list. */
export function joinBytes(lists: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}
