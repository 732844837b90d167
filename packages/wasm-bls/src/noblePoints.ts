import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToNumberBE, concatBytes, numberToBytesBE } from '@noble/curves/utils.js';
import { ownBytes } from './arguments.ts';
import type { PointFault } from './points.ts';
import { publicKeyBytes, publicKeyPointBytes, secretKeyBytes, signatureBytes, signaturePointBytes } from './suite.ts';

const { Fp, Fp2 } = bls12_381.fields;
/** An element of the field of G2, as noble-curves represents it. */
export type Fp2Element = ReturnType<typeof Fp2.create>;

export const G1 = bls12_381.G1.Point;
export const G2 = bls12_381.G2.Point;
export type G1Point = WeierstrassPoint<bigint>;
export type G2Point = WeierstrassPoint<Fp2Element>;

/** Bytes of a coordinate in Fp. */
const coordinateBytes = 48;
const compressedFlag = 0x80;
const infinityFlag = 0x40;
const signFlag = 0x20;
const coordinateMask = 0x1f;

/**
 * The affine x and y of the curve's point with this x and sign, or a code. Written here rather than asked of the
 * library's decoder, which answers every fault with one kind of error.
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

/** Whether y is the lexicographically larger of y and -y, which is what the sign flag says. */
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

/** A point of G1 from 48 compressed bytes, subgroup checked, infinity included; or a code. */
export function readG1(bytes: Uint8Array): G1Point | PointFault {
  const point = readTrustedG1(bytes);
  return typeof point === 'string' || point.isTorsionFree() ? point : 'not-in-subgroup';
}

/** As readG1, for bytes of one's own: the point is on the curve, and trusted to be in the subgroup. */
export function readTrustedG1(bytes: Uint8Array): G1Point | PointFault {
  const affine = decompress(bytes, publicKeyBytes, readFp, liftG1);
  if (affine === 'zero') return G1.ZERO;
  return typeof affine === 'string' ? affine : G1.fromAffine(affine);
}

/** A point of G2 from 96 compressed bytes, subgroup checked, infinity included; or a code. */
export function readG2(bytes: Uint8Array): G2Point | PointFault {
  const point = readTrustedG2(bytes);
  return typeof point === 'string' || point.isTorsionFree() ? point : 'not-in-subgroup';
}

/** As readG2, for bytes of one's own: the point is on the curve, and trusted to be in the subgroup. */
export function readTrustedG2(bytes: Uint8Array): G2Point | PointFault {
  const affine = decompress(bytes, signatureBytes, readFp2, liftG2);
  if (affine === 'zero') return G2.ZERO;
  return typeof affine === 'string' ? affine : G2.fromAffine(affine);
}

/** Whether 96 or 192 uncompressed bytes are infinity: its flag and nothing else. */
function isUncompressedInfinity(bytes: Uint8Array): boolean {
  return bytes[0] === infinityFlag && bytes.subarray(1).every((byte) => byte === 0);
}

/** A point of the curve of G1 from 96 uncompressed bytes, trusted to be in the subgroup; undefined if off the curve. */
export function readUncompressedG1(bytes: Uint8Array): G1Point | undefined {
  const point = decodeUncompressedG1(bytes);
  return typeof point === 'string' ? undefined : point;
}

/** A point of G1 from 96 untrusted uncompressed bytes, subgroup checked, infinity included; or a code. */
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
 * A point of the curve of G2 from 192 uncompressed bytes, trusted to be in the subgroup; undefined if off the curve.
 */
export function readUncompressedG2(bytes: Uint8Array): G2Point | undefined {
  const point = decodeUncompressedG2(bytes);
  return typeof point === 'string' ? undefined : point;
}

/** A point of G2 from 192 untrusted uncompressed bytes, subgroup checked, infinity included; or a code. */
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

/** Infinity's encoding, of a given length, with a given first byte. */
function infinityBytes(length: number, flags: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes[0] = flags;
  return bytes;
}

/** An x coordinate with the flags of a compressed point. */
function withFlags(x: Uint8Array, larger: boolean): Uint8Array {
  x[0]! |= compressedFlag | (larger ? signFlag : 0);
  return x;
}

/** 48 bytes. This and its three siblings are not the library's toBytes, which checks the subgroup at every call. */
export function compressG1(point: G1Point): Uint8Array {
  if (point.is0()) return infinityBytes(publicKeyBytes, compressedFlag | infinityFlag);
  const { x, y } = point.toAffine();
  return withFlags(fpBytes(x), isLargerFp(y));
}

/** 96 bytes. */
export function compressG2(point: G2Point): Uint8Array {
  if (point.is0()) return infinityBytes(signatureBytes, compressedFlag | infinityFlag);
  const { x, y } = point.toAffine();
  return withFlags(fp2Bytes(x), isLargerFp2(y));
}

/** 96 bytes. */
export function serializeG1(point: G1Point): Uint8Array {
  if (point.is0()) return infinityBytes(publicKeyPointBytes, infinityFlag);
  const { x, y } = point.toAffine();
  return concatBytes(fpBytes(x), fpBytes(y));
}

/** 192 bytes. */
export function serializeG2(point: G2Point): Uint8Array {
  if (point.is0()) return infinityBytes(signaturePointBytes, infinityFlag);
  const { x, y } = point.toAffine();
  return concatBytes(fp2Bytes(x), fp2Bytes(y));
}

/** The scalar of a secret key's 32 bytes; undefined unless it is in 1..r-1. */
export function readScalar(bytes: Uint8Array): bigint | undefined {
  if (bytes.length !== secretKeyBytes) return undefined;
  const scalar = bytesToNumberBE(ownBytes(bytes));
  return scalar > 0n && scalar < bls12_381.fields.Fr.ORDER ? scalar : undefined;
}
