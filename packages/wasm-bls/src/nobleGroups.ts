import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { ownBytes } from './arguments.ts';
import { coefficientBytes } from './batchCoefficients.ts';
import {
  compressG1,
  compressG2,
  G1,
  type G1Point,
  G2,
  type G2Point,
  readG1,
  readG2,
  readStrangersG1,
  readStrangersG2,
  readUncompressedG1,
  readUncompressedG2,
  serializeG1,
  serializeG2,
} from './noblePoints.ts';
import { claimedKeysOf } from './pointRound.ts';
import type { PointFault } from './points.ts';

const { Fp12 } = bls12_381.fields;

type Fp2 = G2Point extends WeierstrassPoint<infer Field> ? Field : never;

/** Precomputed lines of a point of G2, see {@link lines}. */
export type Lines = ReturnType<typeof bls12_381.utils.calcPairingPrecomputes>;

/**
 * Returns the lines of a point of G2 in the Miller loop. They depend only on the point, and are stored for a repeated
 * message.
 */
export const lines = (point: G2Point): Lines => bls12_381.utils.calcPairingPrecomputes(point);

type Pair = Parameters<typeof bls12_381.millerLoopBatch>[0][number];

/** Operations on the points of one group. */
export interface Points<Field> {
  readonly Point: { readonly ZERO: WeierstrassPoint<Field>; readonly BASE: WeierstrassPoint<Field> };
  read(bytes: Uint8Array): WeierstrassPoint<Field> | PointFault;
  readStrangers(bytes: Uint8Array): WeierstrassPoint<Field> | PointFault;
  readUncompressed(bytes: Uint8Array): WeierstrassPoint<Field> | undefined;
  compress(point: WeierstrassPoint<Field>): Uint8Array;
  serialize(point: WeierstrassPoint<Field>): Uint8Array;
  hash(message: Uint8Array, domain: string | Uint8Array): WeierstrassPoint<Field>;
}

const inG1: Points<bigint> = {
  Point: G1,
  read: readG1,
  readStrangers: readStrangersG1,
  readUncompressed: readUncompressedG1,
  compress: compressG1,
  serialize: serializeG1,
  hash: (message, DST) => bls12_381.G1.hashToCurve(ownBytes(message), { DST: ownBytes(DST) }),
};

const inG2: Points<Fp2> = {
  Point: G2,
  read: readG2,
  readStrangers: readStrangersG2,
  readUncompressed: readUncompressedG2,
  compress: compressG2,
  serialize: serializeG2,
  hash: (message, DST) => bls12_381.G2.hashToCurve(ownBytes(message), { DST: ownBytes(DST) }),
};

/**
 * A variant: the groups of keys and of signatures. `partner` turns a message or a signature into the form that pairs
 * with a key, so that the expensive part is computed once for a repeated message.
 */
export interface Groups<Key, Signature> {
  readonly keys: Points<Key>;
  readonly signatures: Points<Signature>;
  partner(point: WeierstrassPoint<Signature>): Partner<Key>;
}
export type Partner<Key> = (key: WeierstrassPoint<Key>) => Pair;

export const minPk: Groups<bigint, Fp2> = {
  keys: inG1,
  signatures: inG2,
  partner(point) {
    const own = lines(point);
    return (key) => {
      const { x, y } = key.toAffine();
      return [own, x, y];
    };
  },
};

export const minSig: Groups<Fp2, bigint> = {
  keys: inG2,
  signatures: inG1,
  partner(point) {
    const { x, y } = point.toAffine();
    return (key) => [lines(key), x, y];
  },
};

export const isOne = (pairs: Pair[]): boolean =>
  Fp12.eql(Fp12.finalExponentiate(bls12_381.millerLoopBatch(pairs)), Fp12.ONE);

/** Returns whether e(key, message) = e(generator, signature). */
export function pairingsAgree<Key, Signature>(
  { keys, partner }: Groups<Key, Signature>,
  key: WeierstrassPoint<Key>,
  message: Partner<Key>,
  signature: WeierstrassPoint<Signature>,
): boolean {
  if (key.is0() || signature.is0()) return false;
  return isOne([message(key), partner(signature)(keys.Point.BASE.negate())]);
}

/** Returns a public key's point, which must not be infinity. */
export function finite<Field>(point: WeierstrassPoint<Field> | PointFault): WeierstrassPoint<Field> | PointFault {
  return typeof point !== 'string' && point.is0() ? 'infinity' : point;
}

/** Reads a public key from 48 untrusted compressed bytes. Returns a code for an invalid key or infinity. */
export function keyOf(bytes: Uint8Array): G1Point | PointFault {
  return finite(readG1(bytes));
}

/**
 * Returns the sum of points, each multiplied by its coefficient, with shared doublings. The library's own sum processes
 * all 255 bits of a scalar, but coefficients have only 64.
 */
export function combine<Field>(
  { ZERO }: { ZERO: WeierstrassPoint<Field> },
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

/** Returns the sum of the keys that a contribution claims, or undefined if one is beyond the registry. */
export function claimedKeys(keys: readonly G1Point[], first: number, bits: Uint8Array): G1Point | undefined {
  return claimedKeysOf(keys, first, bits)?.reduce((sum, key) => sum.add(key), G1.ZERO);
}
