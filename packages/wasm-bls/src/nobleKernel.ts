/**
 * Points, sums and contributions on noble-curves for other schemes on BLS12-381.
 *
 * @example
 * ```js
 * import { inG1 } from '@tutti/wasm-bls/kernel/noble';
 *
 * console.log(inG1.compress(inG1.Point.BASE).length);
 * ```
 *
 * ```text
 * 48
 * ```
 *
 * @packageDocumentation
 */
import { mulAddUnsafe, normalizeZ } from '@noble/curves/abstract/curve.js';
import type { WeierstrassPoint, WeierstrassPointCons } from '@noble/curves/abstract/weierstrass.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToNumberBE, concatBytes, numberToBytesBE } from '@noble/curves/utils.js';
import { joinBytes, misuse, ownBytes, requireDomain } from './arguments.ts';
import { type G1Group, slicePoints } from './group.ts';
import { claimedKeysOf } from './pointRound.ts';
import { type Decoded, isFault, type PointFault } from './points.ts';
import { coefficientBytes } from './round.ts';
import { publicKeyPointBytes } from './suite.ts';

const { Fp, Fp2 } = bls12_381.fields;
/** An element of the field of G2, as noble-curves represents it. */
export type Fp2Element = ReturnType<typeof Fp2.create>;
/** A point of G1 in noble-curves. */
export type G1Point = WeierstrassPoint<bigint>;
/** A point of G2 in noble-curves. */
export type G2Point = WeierstrassPoint<Fp2Element>;

/** Length of an element of Fp, bytes. */
const coordinateBytes = 48;
const compressedFlag = 0x80;
const infinityFlag = 0x40;
const signFlag = 0x20;
const coordinateMask = 0x1f;

/** Encoding of the elements of a field. The top three bits of an encoded element are 0. */
interface FieldEncoding<Field> {
  /** Length of an element, bytes. */
  readonly bytes: number;
  /** Returns the element, or undefined if a coordinate is not less than the modulus. */
  read(bytes: Uint8Array): Field | undefined;
  write(element: Field): Uint8Array;
  /** Returns the sign flag: whether y is the lexicographically larger of y and -y. */
  isLarger(y: Field): boolean;
}

const fpEncoding: FieldEncoding<bigint> = {
  bytes: coordinateBytes,
  read(bytes) {
    const value = bytesToNumberBE(ownBytes(bytes));
    return value < Fp.ORDER ? value : undefined;
  },
  write: (value) => numberToBytesBE(value, coordinateBytes),
  isLarger: (y) => 2n * y > Fp.ORDER,
};

const fp2Encoding: FieldEncoding<Fp2Element> = {
  bytes: 2 * coordinateBytes,
  read(bytes) {
    const c1 = fpEncoding.read(bytes.subarray(0, coordinateBytes));
    const c0 = fpEncoding.read(bytes.subarray(coordinateBytes));
    return c0 === undefined || c1 === undefined ? undefined : Fp2.create({ c0, c1 });
  },
  write: ({ c0, c1 }) => concatBytes(fpEncoding.write(c1), fpEncoding.write(c0)),
  isLarger: (y) => fpEncoding.isLarger(y.c1 === 0n ? y.c0 : y.c1),
};

/**
 * Operations on the points of one group. Readers accept infinity, and return an error code for bytes that are not a
 * point.
 */
export interface Points<Field> {
  readonly name: 'G1' | 'G2';
  readonly Point: WeierstrassPointCons<Field>;
  /** Reads a point from untrusted compressed bytes. Checks that the point is in the subgroup. */
  readCompressed(bytes: Uint8Array): WeierstrassPoint<Field> | PointFault;
  /**
   * Reads a point from trusted compressed bytes. Checks that the point is on the curve, but not that it is in the
   * subgroup.
   */
  readTrustedCompressed(bytes: Uint8Array): WeierstrassPoint<Field> | PointFault;
  /** Reads a point from untrusted uncompressed bytes. Checks that the point is in the subgroup. */
  readUncompressed(bytes: Uint8Array): WeierstrassPoint<Field> | PointFault;
  /**
   * Reads a point from uncompressed bytes that are trusted to encode a point of the subgroup. Returns undefined if the
   * bytes do not encode a point of the curve.
   */
  readTrustedUncompressed(bytes: Uint8Array): WeierstrassPoint<Field> | undefined;
  compress(point: WeierstrassPoint<Field>): Uint8Array;
  /** Returns the uncompressed bytes of a point. */
  serialize(point: WeierstrassPoint<Field>): Uint8Array;
  /** Returns the point to which a message is hashed under a domain separation tag (RFC 9380, hash_to_curve). */
  hash(message: Uint8Array, domain: string | Uint8Array): WeierstrassPoint<Field>;
}

/** Returns the encoding of infinity with a given length and first byte. */
function infinityBytes(length: number, flags: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes[0] = flags;
  return bytes;
}

/**
 * Returns the operations of a group. The operations use neither the library's decoder, which reports every fault with
 * the same error, nor its encoder, which checks the subgroup at every call.
 */
function pointsOf<Field>(
  name: 'G1' | 'G2',
  Point: WeierstrassPointCons<Field>,
  { bytes: elementBytes, read, write, isLarger }: FieldEncoding<Field>,
  hash: Points<Field>['hash'],
): Points<Field> {
  type OfGroup = WeierstrassPoint<Field>;
  const field = Point.Fp;
  const ySquared = (x: Field): Field => field.add(field.mul(field.sqr(x), x), Point.CURVE().b);
  const inSubgroup = (point: OfGroup | PointFault): OfGroup | PointFault =>
    isFault(point) || point.isTorsionFree() ? point : 'not-in-subgroup';

  /** Returns the point of the curve with this x and the larger or smaller y. */
  function lifted(x: Field, larger: boolean): OfGroup | PointFault {
    let y: Field;
    try {
      y = field.sqrt(ySquared(x));
    } catch {
      return 'not-on-curve';
    }
    return Point.fromAffine({ x, y: isLarger(y) === larger ? y : field.neg(y) });
  }

  function readTrustedCompressed(bytes: Uint8Array): OfGroup | PointFault {
    if (bytes.length !== elementBytes) return 'length';
    const flags = bytes[0]!;
    if ((flags & compressedFlag) === 0) return 'encoding';
    const coordinate = Uint8Array.from(bytes);
    coordinate[0] = flags & coordinateMask;
    if ((flags & infinityFlag) !== 0) {
      const bare = (flags & signFlag) === 0 && coordinate.every((byte) => byte === 0);
      return bare ? Point.ZERO : 'encoding';
    }
    const x = read(coordinate);
    return x === undefined ? 'encoding' : lifted(x, (flags & signFlag) !== 0);
  }

  function decodeUncompressed(bytes: Uint8Array): OfGroup | PointFault {
    if (bytes.length !== 2 * elementBytes) return 'length';
    if (bytes[0] === infinityFlag && bytes.subarray(1).every((byte) => byte === 0)) return Point.ZERO;
    const x = read(bytes.subarray(0, elementBytes));
    const y = read(bytes.subarray(elementBytes));
    if (x === undefined || y === undefined) return 'encoding';
    return field.eql(field.sqr(y), ySquared(x)) ? Point.fromAffine({ x, y }) : 'not-on-curve';
  }

  return {
    name,
    Point,
    readCompressed: (bytes) => inSubgroup(readTrustedCompressed(bytes)),
    readTrustedCompressed,
    readUncompressed: (bytes) => inSubgroup(decodeUncompressed(bytes)),
    readTrustedUncompressed(bytes) {
      const point = decodeUncompressed(bytes);
      return isFault(point) ? undefined : point;
    },
    compress(point) {
      if (point.is0()) return infinityBytes(elementBytes, compressedFlag | infinityFlag);
      const { x, y } = point.toAffine();
      const bytes = write(x);
      bytes[0]! |= compressedFlag | (isLarger(y) ? signFlag : 0);
      return bytes;
    },
    serialize(point) {
      if (point.is0()) return infinityBytes(2 * elementBytes, infinityFlag);
      const { x, y } = point.toAffine();
      return concatBytes(write(x), write(y));
    },
    hash,
  };
}

/** Operations on points of G1: 48 bytes compressed, 96 uncompressed. */
export const inG1 = pointsOf<bigint>('G1', bls12_381.G1.Point, fpEncoding, (message, DST) =>
  bls12_381.G1.hashToCurve(ownBytes(message), { DST: ownBytes(DST) }),
);

/** Operations on points of G2: 96 bytes compressed, 192 uncompressed. */
export const inG2 = pointsOf<Fp2Element>('G2', bls12_381.G2.Point, fp2Encoding, (message, DST) =>
  bls12_381.G2.hashToCurve(ownBytes(message), { DST: ownBytes(DST) }),
);

/** Precomputed lines of a point of G2, see {@link lines}. */
export type Lines = ReturnType<typeof bls12_381.utils.calcPairingPrecomputes>;

/**
 * Returns the lines of a point of G2 in the Miller loop. The lines depend only on the point, and are stored for a
 * repeated message.
 */
export const lines = (point: G2Point): Lines => bls12_381.utils.calcPairingPrecomputes(point);

/** Returns a point that is not infinity, or an error code. */
export function finite<Field>(point: WeierstrassPoint<Field> | PointFault): WeierstrassPoint<Field> | PointFault {
  return !isFault(point) && point.is0() ? 'infinity' : point;
}

/** Reads a public key from 48 untrusted compressed bytes. Returns an error code for an invalid key or infinity. */
export function keyOf(bytes: Uint8Array): G1Point | PointFault {
  return finite(inG1.readCompressed(bytes));
}

/** Returns a point's bytes, or the error code if it is invalid. */
export function decoded<Point>(point: Point | PointFault, serialize: (point: Point) => Uint8Array): Decoded {
  return isFault(point) ? { ok: false, code: point } : { ok: true, point: serialize(point) };
}

/**
 * Returns the sum of points, each multiplied by its coefficient, with shared doublings. The library's own sum processes
 * all 255 bits of a scalar, but coefficients have only 64.
 */
export function combine<Field>(
  { ZERO }: { readonly ZERO: WeierstrassPoint<Field> },
  points: readonly WeierstrassPoint<Field>[],
  coefficients: Uint8Array,
): WeierstrassPoint<Field> {
  let sum = ZERO;
  for (let bit = 8 * coefficientBytes - 1; bit >= 0; bit--) {
    sum = sum.double();
    for (const [i, point] of points.entries())
      if (((coefficients[i * coefficientBytes + (bit >> 3)]! >> (bit & 7)) & 1) === 1) sum = sum.add(point);
  }
  return sum;
}

/** Returns the sum of the keys that a contribution claims, or undefined if a claimed key is beyond the registry. */
export function claimedKeys(keys: readonly G1Point[], first: number, bits: Uint8Array): G1Point | undefined {
  return claimedKeysOf(keys, first, bits)?.reduce((sum, key) => sum.add(key), inG1.Point.ZERO);
}

function readPoints(points: Uint8Array): G1Point[] {
  return Array.from({ length: points.length / publicKeyPointBytes }, (_, i) => {
    const point = inG1.readTrustedUncompressed(slicePoints(points, i, i + 1));
    if (point === undefined) throw misuse(RangeError, `points[${i}]`, 'an uncompressed point of G1', 'none');
    return point;
  });
}

/**
 * Returns the window size of the bucket method, bits. A wider window needs fewer passes over the points, but has more
 * buckets to add.
 */
function windowBits(count: number): number {
  return Math.max(1, Math.floor(Math.log2(count)) - 2);
}

/** Maximum number of points with scalars of more than 64 bits for which shared doublings are faster than buckets. */
const maxForDoublings = 128;

/**
 * Returns the sum of the points, each multiplied by its scalar. The function uses the library's method (Strauss) for a
 * few points with long scalars, otherwise the bucket method (Pippenger). The library always processes all 255 bits of a
 * scalar, while the bucket method processes only the bits of the longest scalar.
 */
function combineScalars(points: readonly G1Point[], scalars: readonly bigint[]): G1Point {
  const G1 = inG1.Point;
  const longest = scalars.reduce((max, scalar) => (scalar > max ? scalar : max), 0n);
  if (longest === 0n) return G1.ZERO;
  const bits = longest.toString(2).length;
  if (bits > 64 && points.length <= maxForDoublings) return mulAddUnsafe(G1, [...points], [...scalars]);
  const window = Math.min(bits, windowBits(points.length));
  const mask = (1n << BigInt(window)) - 1n;
  let sum = G1.ZERO;
  for (let low = Math.floor((bits - 1) / window) * window; low >= 0; low -= window) {
    if (!sum.is0()) for (let i = 0; i < window; i++) sum = sum.double();
    const buckets: (G1Point | undefined)[] = new Array(2 ** window).fill(undefined);
    for (const [i, scalar] of scalars.entries()) {
      const digit = Number((scalar >> BigInt(low)) & mask);
      if (digit !== 0) buckets[digit] = buckets[digit]?.add(points[i]!) ?? points[i];
    }
    let running = G1.ZERO;
    for (let digit = buckets.length - 1; digit > 0; digit--) {
      const bucket = buckets[digit];
      if (bucket !== undefined) running = running.add(bucket);
      sum = sum.add(running);
    }
  }
  return sum;
}

/**
 * G1 in plain JavaScript on noble-curves. This implementation is an independent check of the kernel's G1, and works
 * without WebAssembly.
 */
export const nobleG1: G1Group = {
  name: 'noble-curves',

  decode(bytes) {
    const point = inG1.readCompressed(bytes);
    return isFault(point) ? undefined : inG1.serialize(point);
  },

  hash(message, domain) {
    requireDomain(domain);
    return inG1.serialize(inG1.hash(message, domain));
  },

  combine(points, scalars) {
    return inG1.serialize(combineScalars(readPoints(points), scalars));
  },

  fold(points, scalar) {
    const all = readPoints(points);
    const half = all.length / 2;
    const folded = all.slice(0, half).map((low, i) => {
      const high = all[half + i]!;
      return high.is0() ? low : low.add(high.multiplyUnsafe(scalar));
    });
    return joinBytes(normalizeZ(inG1.Point, folded).map(inG1.serialize));
  },
};
