import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToNumberBE, concatBytes, numberToBytesBE } from '@noble/curves/utils.js';
import { ownBytes } from './arguments.ts';
import type { PointFault } from './points.ts';
import { publicKeyBytes, publicKeyPointBytes, secretKeyBytes, signatureBytes, signaturePointBytes } from './suite.ts';

const { Fp, Fp2 } = bls12_381.fields;
/** An element of the field of G2, as noble-curves represents it. */
export type Fp2Element = ReturnType<typeof Fp2.create>;

/** Points of G1 in noble-curves. */
export const G1 = bls12_381.G1.Point;
/** Points of G2 in noble-curves. */
export const G2 = bls12_381.G2.Point;
/** A point of G1 in noble-curves. */
export type G1Point = WeierstrassPoint<bigint>;
/** A point of G2 in noble-curves. */
export type G2Point = WeierstrassPoint<Fp2Element>;

/** Length of a coordinate in Fp, bytes. */
const coordinateBytes = 48;
const compressedFlag = 0x80;
const infinityFlag = 0x40;
const signFlag = 0x20;
const coordinateMask = 0x1f;

/**
 * Returns the affine x and y of the curve's point with this x and sign, or a code. The library's decoder is not used,
 * because it reports every fault with the same error.
 */
function decompress<Field>(
  bytes: Uint8Array,
  length: number,
  readX: (coordinate: Uint8Array) => Field | undefined,
  liftX: (x: Field, larger: boolean) => { x: Field; y: Field } | undefined,
): { x: Field; y: Field } | 'zero' | PointFault {
  if (bytes.length !== length) return 'length';
  const flags = bytes[0]!;
  if ((flags & compressedFlag) === 0) return 'encoding';
  const coordinate = Uint8Array.from(bytes);
  coordinate[0] = flags & coordinateMask;
  if ((flags & infinityFlag) !== 0) {
    const bare = (flags & signFlag) === 0 && coordinate.every((byte) => byte === 0);
    return bare ? 'zero' : 'encoding';
  }
  const x = readX(coordinate);
  if (x === undefined) return 'encoding';
  return liftX(x, (flags & signFlag) !== 0) ?? 'not-on-curve';
}

function readFp(bytes: Uint8Array): bigint | undefined {
  const value = bytesToNumberBE(ownBytes(bytes));
  return value < Fp.ORDER ? value : undefined;
}

function readFp2(bytes: Uint8Array): Fp2Element | undefined {
  const c1 = readFp(bytes.subarray(0, coordinateBytes));
  const c0 = readFp(bytes.subarray(coordinateBytes, 2 * coordinateBytes));
  return c0 === undefined || c1 === undefined ? undefined : Fp2.create({ c0, c1 });
}

/** Returns whether y is the lexicographically larger of y and -y, which is the sign flag. */
const isLargerFp = (y: bigint): boolean => 2n * y > Fp.ORDER;
const isLargerFp2 = (y: Fp2Element): boolean => (y.c1 === 0n ? isLargerFp(y.c0) : isLargerFp(y.c1));

function squareRoot<Field>(field: { sqrt(value: Field): Field }, value: Field): Field | undefined {
  try {
    return field.sqrt(value);
  } catch {
    return undefined;
  }
}

function liftG1(x: bigint, larger: boolean) {
  const y = squareRoot(Fp, Fp.add(Fp.mul(Fp.sqr(x), x), G1.CURVE().b));
  if (y === undefined) return undefined;
  return { x, y: isLargerFp(y) === larger ? y : Fp.neg(y) };
}

function liftG2(x: Fp2Element, larger: boolean) {
  const y = squareRoot(Fp2, Fp2.add(Fp2.mul(Fp2.sqr(x), x), G2.CURVE().b));
  if (y === undefined) return undefined;
  return { x, y: isLargerFp2(y) === larger ? y : Fp2.neg(y) };
}

/**
 * Reads a point of G1 from 48 compressed bytes, infinity included. It checks the subgroup. Returns a code for an
 * invalid point.
 */
export function readG1(bytes: Uint8Array): G1Point | PointFault {
  const point = readTrustedG1(bytes);
  return typeof point === 'string' || point.isTorsionFree() ? point : 'not-in-subgroup';
}

/** Reads a trusted point of G1. It checks that the point is on the curve, but not its subgroup. */
export function readTrustedG1(bytes: Uint8Array): G1Point | PointFault {
  const affine = decompress(bytes, publicKeyBytes, readFp, liftG1);
  if (affine === 'zero') return G1.ZERO;
  return typeof affine === 'string' ? affine : G1.fromAffine(affine);
}

/**
 * Reads a point of G2 from 96 compressed bytes, infinity included. It checks the subgroup. Returns a code for an
 * invalid point.
 */
export function readG2(bytes: Uint8Array): G2Point | PointFault {
  const point = readTrustedG2(bytes);
  return typeof point === 'string' || point.isTorsionFree() ? point : 'not-in-subgroup';
}

/** Reads a trusted point of G2. It checks that the point is on the curve, but not its subgroup. */
export function readTrustedG2(bytes: Uint8Array): G2Point | PointFault {
  const affine = decompress(bytes, signatureBytes, readFp2, liftG2);
  if (affine === 'zero') return G2.ZERO;
  return typeof affine === 'string' ? affine : G2.fromAffine(affine);
}

/** Returns whether 96 or 192 uncompressed bytes are infinity: its flag and nothing else. */
function isUncompressedInfinity(bytes: Uint8Array): boolean {
  return bytes[0] === infinityFlag && bytes.subarray(1).every((byte) => byte === 0);
}

/**
 * Reads a point of G1 from 96 uncompressed bytes that are trusted to be in the subgroup. Returns undefined if it is not
 * on the curve.
 */
export function readUncompressedG1(bytes: Uint8Array): G1Point | undefined {
  const point = decodeUncompressedG1(bytes);
  return typeof point === 'string' ? undefined : point;
}

/**
 * Reads a point of G1 from 96 untrusted uncompressed bytes, infinity included. It checks the subgroup. Returns a code
 * for an invalid point.
 */
export function readStrangersG1(bytes: Uint8Array): G1Point | PointFault {
  const point = decodeUncompressedG1(bytes);
  return typeof point === 'string' || point.isTorsionFree() ? point : 'not-in-subgroup';
}

function decodeUncompressedG1(bytes: Uint8Array): G1Point | PointFault {
  if (bytes.length !== publicKeyPointBytes) return 'length';
  if (isUncompressedInfinity(bytes)) return G1.ZERO;
  const x = readFp(bytes.subarray(0, coordinateBytes));
  const y = readFp(bytes.subarray(coordinateBytes));
  if (x === undefined || y === undefined) return 'encoding';
  const onCurve = Fp.eql(Fp.sqr(y), Fp.add(Fp.mul(Fp.sqr(x), x), G1.CURVE().b));
  return onCurve ? G1.fromAffine({ x, y }) : 'not-on-curve';
}

/**
 * Reads a point of G2 from 192 uncompressed bytes that are trusted to be in the subgroup. Returns undefined if it is
 * not on the curve.
 */
export function readUncompressedG2(bytes: Uint8Array): G2Point | undefined {
  const point = decodeUncompressedG2(bytes);
  return typeof point === 'string' ? undefined : point;
}

/**
 * Reads a point of G2 from 192 untrusted uncompressed bytes, infinity included. It checks the subgroup. Returns a code
 * for an invalid point.
 */
export function readStrangersG2(bytes: Uint8Array): G2Point | PointFault {
  const point = decodeUncompressedG2(bytes);
  return typeof point === 'string' || point.isTorsionFree() ? point : 'not-in-subgroup';
}

function decodeUncompressedG2(bytes: Uint8Array): G2Point | PointFault {
  if (bytes.length !== signaturePointBytes) return 'length';
  if (isUncompressedInfinity(bytes)) return G2.ZERO;
  const x = readFp2(bytes.subarray(0, 2 * coordinateBytes));
  const y = readFp2(bytes.subarray(2 * coordinateBytes));
  if (x === undefined || y === undefined) return 'encoding';
  const onCurve = Fp2.eql(Fp2.sqr(y), Fp2.add(Fp2.mul(Fp2.sqr(x), x), G2.CURVE().b));
  return onCurve ? G2.fromAffine({ x, y }) : 'not-on-curve';
}

const fpBytes = (value: bigint): Uint8Array => numberToBytesBE(value, coordinateBytes);
const fp2Bytes = ({ c0, c1 }: Fp2Element): Uint8Array => concatBytes(fpBytes(c1), fpBytes(c0));

/** Returns the encoding of infinity with a given length and first byte. */
function infinityBytes(length: number, flags: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes[0] = flags;
  return bytes;
}

/** Returns an x coordinate with the flags of a compressed point. */
function withFlags(x: Uint8Array, larger: boolean): Uint8Array {
  x[0]! |= compressedFlag | (larger ? signFlag : 0);
  return x;
}

/**
 * Returns the 48 compressed bytes of a point of G1. This function and the next three do not use the library's toBytes,
 * which checks the subgroup at every call.
 */
export function compressG1(point: G1Point): Uint8Array {
  if (point.is0()) return infinityBytes(publicKeyBytes, compressedFlag | infinityFlag);
  const { x, y } = point.toAffine();
  return withFlags(fpBytes(x), isLargerFp(y));
}

/** Returns the 96 compressed bytes of a point of G2. */
export function compressG2(point: G2Point): Uint8Array {
  if (point.is0()) return infinityBytes(signatureBytes, compressedFlag | infinityFlag);
  const { x, y } = point.toAffine();
  return withFlags(fp2Bytes(x), isLargerFp2(y));
}

/** Returns the 96 uncompressed bytes of a point of G1. */
export function serializeG1(point: G1Point): Uint8Array {
  if (point.is0()) return infinityBytes(publicKeyPointBytes, infinityFlag);
  const { x, y } = point.toAffine();
  return concatBytes(fpBytes(x), fpBytes(y));
}

/** Returns the 192 uncompressed bytes of a point of G2. */
export function serializeG2(point: G2Point): Uint8Array {
  if (point.is0()) return infinityBytes(signaturePointBytes, infinityFlag);
  const { x, y } = point.toAffine();
  return concatBytes(fp2Bytes(x), fp2Bytes(y));
}

/** Returns the scalar of a secret key's 32 bytes, or undefined if it is not in 1..r-1. */
export function readScalar(bytes: Uint8Array): bigint | undefined {
  if (bytes.length !== secretKeyBytes) return undefined;
  const scalar = bytesToNumberBE(ownBytes(bytes));
  return scalar > 0n && scalar < bls12_381.fields.Fr.ORDER ? scalar : undefined;
}
