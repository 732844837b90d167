import { ristretto255, ristretto255_hasher } from '@noble/curves/ed25519.js';
import { bytesToNumberLE, concatBytes, numberToBytesLE } from '@noble/curves/utils.js';
import { ownBytes } from '@tutti/wasm-bls/kernel';

/** The group ristretto255 (RFC 9496), which has prime order, one encoding per element, and no pairing. */
export const Point: typeof ristretto255.Point = ristretto255.Point;
export type Point = InstanceType<typeof Point>;
/** Scalars, modulo the group order l, which is slightly over 2^252. */
export const Fl = Point.Fn;

/** Length of an encoded element, and of a little-endian scalar, bytes. */
export const elementLength = 32;
export const scalarLength = 32;

/**
 * Window size of the table of a point that is multiplied about twenty times, bits. With this window size, computing the
 * table costs less than the table saves.
 */
const windowBits = 4;

/** Decodes an element, or returns the reason why the bytes do not encode an element. */
export function readElement(bytes: Uint8Array): Point | 'encoding' | 'identity' {
  let point: Point;
  try {
    point = Point.fromBytes(ownBytes(bytes));
  } catch {
    return 'encoding';
  }
  return point.is0() ? 'identity' : point;
}

/** Decodes a scalar from 32 bytes; undefined if the scalar is not below the group order. */
export function readScalar(bytes: Uint8Array): bigint | undefined {
  const scalar = bytesToNumberLE(ownBytes(bytes));
  return scalar < Fl.ORDER ? scalar : undefined;
}

/** Encodes a scalar in 32 bytes, little-endian. */
export const scalarBytes = (scalar: bigint): Uint8Array => numberToBytesLE(scalar, scalarLength);

/** Hashes parts to an element (RFC 9380, hash_to_ristretto255). */
export const hashToGroup = (domain: string, ...parts: readonly Uint8Array[]): Point =>
  ristretto255_hasher.hashToCurve(concatBytes(...parts.map(ownBytes)), { DST: domain });

/**
 * Hashes parts to a scalar, like HashToScalar in RFC 9497, section 4.1: 64 bytes of expand_message_xmd (SHA-512),
 * reduced modulo the group order.
 */
export const hashToScalar = (domain: string, ...parts: readonly Uint8Array[]): bigint =>
  ristretto255_hasher.hashToScalar(concatBytes(...parts.map(ownBytes)), { DST: domain });

/** Adds a table to a point that is multiplied repeatedly; the table is computed at the first multiplication. */
export function tabled(point: Point): Point {
  point.precompute(windowBits);
  return point;
}

/** Returns s g + c p, for public g and p; not in constant time. */
export const combine = (s: bigint, g: Point, c: bigint, p: Point): Point =>
  g.multiplyUnsafe(s).add(p.multiplyUnsafe(c));
