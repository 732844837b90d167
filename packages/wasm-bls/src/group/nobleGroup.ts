import { mulAddUnsafe, normalizeZ } from '@noble/curves/abstract/curve.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { misuse, requireDomain } from '../arguments.ts';
import { G1, type G1Point, readG1, readUncompressedG1, serializeG1 } from '../noblePoints.ts';
import { publicKeyPointBytes } from '../suite.ts';
import { type G1Group, joinBytes, slicePoints } from './group.ts';

function readPoints(points: Uint8Array): G1Point[] {
  return Array.from({ length: points.length / publicKeyPointBytes }, (_, i) => {
    const point = readUncompressedG1(slicePoints(points, i, i + 1));
    if (point === undefined) throw misuse(RangeError, `points[${i}]`, 'an uncompressed point of G1', 'none');
    return point;
  });
}

/**
 * Returns the window size of the bucket method, bits. A wider window takes fewer passes over the points, and has more
 * buckets to add.
 */
function windowBits(count: number): number {
  return Math.max(1, Math.floor(Math.log2(count)) - 2);
}

/** Maximum number of points with long scalars for which shared doublings are faster than buckets. */
const maxForDoublings = 128;

/**
 * Returns the sum of the points, each multiplied by its scalar. It uses the library's method (Strauss) for a few points
 * with long scalars, otherwise the bucket method (Pippenger). The library always processes all 255 bits of a scalar.
 * Multiplicities, which statements and a proof's first round use, have only a few bits.
 */
function combine(points: readonly G1Point[], scalars: readonly bigint[]): G1Point {
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
 * G1 in plain JavaScript on noble-curves. It is an independent check of the kernel's G1, and works without WebAssembly.
 */
export const nobleG1: G1Group = {
  name: 'noble-curves',

  decode(bytes) {
    const point = readG1(bytes);
    return typeof point === 'string' ? undefined : serializeG1(point);
  },

  hash(message, domain) {
    requireDomain(domain);
    return serializeG1(bls12_381.G1.hashToCurve(message, { DST: domain }));
  },

  combine(points, scalars) {
    return serializeG1(combine(readPoints(points), scalars));
  },

  fold(points, scalar) {
    const all = readPoints(points);
    const half = all.length / 2;
    const folded = all.slice(0, half).map((low, i) => {
      const high = all[half + i]!;
      return high.is0() ? low : low.add(high.multiplyUnsafe(scalar));
    });
    return joinBytes(normalizeZ(G1, folded).map(serializeG1));
  },
};
