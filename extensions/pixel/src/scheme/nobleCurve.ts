import { normalizeZ } from '@noble/curves/abstract/curve.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToNumberBE } from '@noble/curves/utils.js';
import {
  type BlsRound,
  type ContributionClaim,
  drawCoefficients,
  joinBytes,
  misuse,
  type PointFault,
  type ReadClaims,
  requireClaim,
  requireClaims,
  requireRange,
} from '@tutti/wasm-bls/kernel';
import {
  claimedKeys,
  combine,
  decoded,
  type G1Point,
  type G2Point,
  inG1,
  inG2,
  keyOf,
  type Lines,
  lines,
} from '@tutti/wasm-bls/kernel/noble';
import { type KeptPairing, type PixelCurve, type PixelGenerators, size } from './curve.ts';

const { Fp12, Fr } = bls12_381.fields;
const { Point: G1, compress: compressG1, serialize: serializeG1 } = inG1;
const { Point: G2, compress: compressG2, serialize: serializeG2 } = inG2;

const coordinateBytes = 48;
/**
 * Window size of the tables for multiplications of the generators, bits. Creating a table takes as long as one
 * multiplication without a table, and makes multiplications eight times faster.
 */
const tableBits = 4;

const scalar = (bytes: Uint8Array): bigint => Fr.create(bytesToNumberBE(bytes));

/** The library's multiplications reject zero; a random scalar is zero with a probability of 2^-255. */
const timesG1 = (factor: bigint): G1Point => (factor === 0n ? G1.ZERO : G1.BASE.multiply(factor));
const times = (point: G2Point, factor: bigint): G2Point =>
  factor === 0n || point.is0() ? G2.ZERO : point.multiply(factor);

interface Signature {
  readonly g1: G1Point;
  readonly g2: G2Point;
}

/** Reads a signature from 144 untrusted compressed bytes, or from 288 checked bytes. */
function readSignature(bytes: Uint8Array): Signature | PointFault {
  if (bytes.length === size.points) {
    const g1 = inG1.readTrustedUncompressed(bytes.subarray(0, size.g1Point));
    const g2 = inG2.readTrustedUncompressed(bytes.subarray(size.g1Point));
    return g1 === undefined || g2 === undefined ? 'not-on-curve' : { g1, g2 };
  }
  if (bytes.length !== size.body) return 'length';
  const g1 = inG1.readCompressed(bytes.subarray(0, size.g1));
  if (typeof g1 === 'string') return g1;
  const g2 = inG2.readCompressed(bytes.subarray(size.g1));
  return typeof g2 === 'string' ? g2 : { g1, g2 };
}

function requireSignature(label: string, bytes: Uint8Array): Signature {
  const read = readSignature(bytes);
  if (typeof read === 'string') throw misuse(RangeError, label, 'points that were checked', read);
  return read;
}

const signaturePoints = ({ g1, g2 }: Signature): Uint8Array => joinBytes([serializeG1(g1), serializeG2(g2)]);

/** Returns the product of the Miller loops of some pairings. A pairing with the point at infinity is 1. */
function millerLoops(pairs: readonly (readonly [G1Point, G2Point | Lines])[]) {
  return bls12_381.millerLoopBatch(
    pairs
      .filter(([g1, g2]) => !g1.is0() && !('is0' in g2 && g2.is0()))
      .map(([g1, g2]) => {
        const { x, y } = g1.toAffine();
        return ['is0' in g2 ? lines(g2) : g2, x, y] as [Lines, bigint, bigint];
      }),
  );
}

const isOne = (product: ReturnType<typeof millerLoops>): boolean => Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE);

const minusGenerator = (): G1Point => G1.BASE.negate();

/**
 * Encodes points of G2 in the format of a sub-key. The points are converted to affine form together, so that they share
 * one inversion.
 */
const allCompressed = (points: readonly G2Point[]): Uint8Array =>
  joinBytes(normalizeZ(G2, [...points]).map((point) => compressG2(point)));

/** Reads a point of the caller's own key. @throws RangeError for an invalid point. */
function own<Point>(read: (bytes: Uint8Array) => Point | PointFault, bytes: Uint8Array): Point {
  const point = read(bytes);
  if (typeof point === 'string') throw misuse(RangeError, 'secretKey', 'points that were checked', point);
  return point as Point;
}

class NobleGenerators implements PixelGenerators {
  readonly #h: G2Point;
  readonly #hLines: Lines;
  readonly #bases: readonly G2Point[];

  constructor(points: readonly G2Point[]) {
    const [h, ...bases] = points;
    this.#h = h!;
    this.#hLines = lines(h!);
    // These points are multiplied repeatedly, so the library stores a table for each point from its first use on.
    this.#bases = bases.map((base) => base.precompute(tableBits));
  }

  firstSubkey(secret: Uint8Array, randomness: Uint8Array): Uint8Array {
    const r = scalar(randomness);
    const [first, ...rest] = this.#bases.map((base) => times(base, r));
    return joinBytes([compressG1(timesG1(r)), allCompressed([times(this.#h, scalar(secret)).add(first!), ...rest])]);
  }

  delegate(subkey: Uint8Array, path: Uint8Array, randomness: Uint8Array | undefined): Uint8Array {
    const elements = (subkey.length - size.body) / size.g2;
    const ancestor = this.#bases.length - 1 - elements;
    const element = (i: number): G2Point =>
      own(inG2.readTrustedCompressed, subkey.subarray(size.body + i * size.g2, size.body + (i + 1) * size.g2));
    let hpoly = own(inG2.readTrustedCompressed, subkey.subarray(size.g1, size.body));
    const steps = path.subarray(ancestor);
    for (const [i, step] of steps.entries()) hpoly = hpoly.add(element(i).multiply(BigInt(step)));
    const g2r = subkey.subarray(0, size.g1);
    if (randomness === undefined)
      return joinBytes([g2r, compressG2(hpoly), subkey.subarray(size.body + steps.length * size.g2)]);
    const r = scalar(randomness);
    const points = [hpoly.add(times(this.#node(path), r))];
    for (let i = steps.length; i < elements; i++) points.push(element(i).add(times(this.#bases[ancestor + 1 + i]!, r)));
    return joinBytes([compressG1(own(inG1.readTrustedCompressed, g2r).add(timesG1(r))), allCompressed(points)]);
  }

  sign(subkey: Uint8Array, path: Uint8Array, message: Uint8Array, randomness: Uint8Array): Uint8Array {
    const [m, r] = [scalar(message), scalar(randomness)];
    const g1 = own(inG1.readTrustedCompressed, subkey.subarray(0, size.g1)).add(timesG1(r));
    const g2 = own(inG2.readTrustedCompressed, subkey.subarray(size.g1, size.body))
      .add(times(own(inG2.readTrustedCompressed, subkey.subarray(-size.g2)), m))
      .add(times(this.#image(path, m), r));
    return joinBytes([compressG1(g1), compressG2(g2)]);
  }

  verify(key: Uint8Array, path: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
    const point = keyOf(key);
    const read = readSignature(signature);
    if (typeof point === 'string' || typeof read === 'string') return false;
    return this.holds(point, this.#image(path, scalar(message)), read);
  }

  verifySubkey(key: Uint8Array, path: Uint8Array, subkey: Uint8Array, coefficients: Uint8Array): boolean {
    const publicKey = keyOf(key);
    const g2r = inG1.readCompressed(subkey.subarray(0, size.g1));
    if (typeof publicKey === 'string' || typeof g2r === 'string') return false;
    const points: G2Point[] = [];
    for (let at = size.g1; at < subkey.length; at += size.g2) {
      const point = inG2.readCompressed(subkey.subarray(at, at + size.g2));
      if (typeof point === 'string') return false;
      points.push(point);
    }
    const [hpoly, ...hvector] = points;
    const left = hpoly!.add(combine(G2, hvector, coefficients));
    const right = this.#node(path).add(combine(G2, this.#bases.slice(path.length + 1), coefficients));
    return isOne(
      millerLoops([
        [publicKey, this.#hLines],
        [g2r, right],
        [minusGenerator(), left],
      ]),
    );
  }

  keep(keys: readonly Uint8Array[]): KeptPairing {
    const sum = sumOfKeys(keys);
    if (sum.is0()) throw misuse(RangeError, 'publicKeys', 'valid keys that do not cancel out', 'others');
    let kept: ReturnType<typeof millerLoops> | undefined = millerLoops([[sum, this.#hLines]]);
    return {
      verify: (path, message, signature) => {
        if (kept === undefined) throw misuse(TypeError, 'committee', 'a live one', 'a freed one');
        const read = readSignature(signature);
        if (typeof read === 'string' || read.g1.is0() || read.g2.is0()) return false;
        const others = millerLoops([
          [read.g1, this.#image(path, scalar(message))],
          [minusGenerator(), read.g2],
        ]);
        return isOne(Fp12.mul(others, kept));
      },
      free: () => {
        kept = undefined;
      },
    };
  }

  round(keys: readonly Uint8Array[], path: Uint8Array, message: Uint8Array): BlsRound {
    const points = keys.map((bytes, i) => {
      const point = inG1.readTrustedUncompressed(bytes);
      if (point === undefined || point.is0())
        throw misuse(RangeError, `publicKeys[${i}]`, 'a valid public key', 'an invalid point');
      return point;
    });
    return new NobleRound(this, points, lines(this.#image(path, scalar(message))));
  }

  /**
   * Returns whether e(-g2, sigma2) e(sigma1, F) e(pk, h) = 1. The function rejects the point at infinity, which no
   * signer creates.
   */
  holds(key: G1Point, image: G2Point | Lines, { g1, g2 }: Signature): boolean {
    if (key.is0() || g1.is0() || g2.is0()) return false;
    return isOne(
      millerLoops([
        [key, this.#hLines],
        [g1, image],
        [minusGenerator(), g2],
      ]),
    );
  }

  /** Returns h_0 + sum t_i h_i. */
  #node(path: Uint8Array): G2Point {
    return path.reduce((sum, step, i) => sum.add(this.#bases[i + 1]!.multiply(BigInt(step))), this.#bases[0]!);
  }

  #image(path: Uint8Array, message: bigint): G2Point {
    return this.#node(path).add(times(this.#bases.at(-1)!, message));
  }
}

interface ReadClaim extends Signature {
  readonly key: G1Point;
}

class NobleClaims implements ReadClaims {
  readonly #generators: NobleGenerators;
  readonly #image: Lines;
  #claims: readonly ReadClaim[] | undefined;

  constructor(
    generators: NobleGenerators,
    claims: readonly ReadClaim[],
    readonly places: readonly number[],
    image: Lines,
  ) {
    this.#generators = generators;
    this.#claims = claims;
    this.#image = image;
  }

  hold(from: number, to: number): boolean {
    requireRange(from, to, this.places.length);
    if (this.#claims === undefined) throw misuse(TypeError, 'claims', 'live claims', 'freed ones');
    const part = this.#claims.slice(from, to);
    const coefficients = drawCoefficients(part.length);
    const keys = part.map(({ key }) => key);
    const firsts = part.map(({ g1 }) => g1);
    const seconds = part.map(({ g2 }) => g2);
    return this.#generators.holds(combine(G1, keys, coefficients), this.#image, {
      g1: combine(G1, firsts, coefficients),
      g2: combine(G2, seconds, coefficients),
    });
  }

  free(): void {
    this.#claims = undefined;
  }
}

class NobleRound implements BlsRound {
  readonly #generators: NobleGenerators;
  readonly #keys: readonly G1Point[];
  #image: Lines | undefined;

  constructor(generators: NobleGenerators, keys: readonly G1Point[], image: Lines) {
    this.#generators = generators;
    this.#keys = keys;
    this.#image = image;
  }

  verify(first: number, bits: Uint8Array, signature: Uint8Array): boolean {
    const claim = { first, bits, signature };
    requireClaim(claim);
    const image = this.#live();
    const read = this.#read(claim);
    return read !== undefined && this.#generators.holds(read.key, image, read);
  }

  verifyBatch(claims: readonly ContributionClaim[]): boolean {
    const read = this.readClaims(claims);
    return read.places.length === claims.length && (claims.length === 0 || read.hold(0, claims.length));
  }

  readClaims(claims: readonly ContributionClaim[]): ReadClaims {
    requireClaims(claims);
    const image = this.#live();
    const read: ReadClaim[] = [];
    const places: number[] = [];
    for (const [place, claim] of claims.entries()) {
      const one = this.#read(claim);
      if (one === undefined) continue;
      read.push(one);
      places.push(place);
    }
    return new NobleClaims(this.#generators, read, places, image);
  }

  free(): void {
    this.#image = undefined;
  }

  #live(): Lines {
    if (this.#image === undefined) throw misuse(TypeError, 'round', 'a live round', 'a freed one');
    return this.#image;
  }

  /**
   * Reads a contribution's claim; undefined if the claim is invalid, or if one of its points is the point at infinity.
   */
  #read({ first, bits, signature }: ContributionClaim): ReadClaim | undefined {
    const key = claimedKeys(this.#keys, first, bits);
    const read = readSignature(signature);
    if (key === undefined || typeof read === 'string') return undefined;
    return key.is0() || read.g1.is0() || read.g2.is0() ? undefined : { ...read, key };
  }
}

function sumOfKeys(keys: readonly Uint8Array[]): G1Point {
  return keys.reduce((sum, bytes, i) => {
    const key = keyOf(bytes);
    if (typeof key === 'string') throw misuse(RangeError, `publicKeys[${i}]`, 'a valid public key', key);
    return sum.add(key);
  }, G1.ZERO);
}

/** Pixel's curve in JavaScript on noble-curves: an independent check of the kernel. */
export const nobleCurve: PixelCurve = {
  name: 'noble-curves',

  mapToG2(elements) {
    const [a, b, c, d] = Array.from({ length: 4 }, (_, i) =>
      bytesToNumberBE(elements.subarray(i * coordinateBytes, (i + 1) * coordinateBytes)),
    );
    // The result is a point, although the library's type only states that it has affine coordinates.
    const map = (real: bigint, imaginary: bigint) => bls12_381.G2.mapToCurve([real, imaginary]) as unknown as G2Point;
    return serializeG2(map(a!, b!).add(map(c!, d!)));
  },

  hashToG2: (message, domain) => serializeG2(bls12_381.G2.hashToCurve(message, { DST: domain })),

  publicKey: (secret) => compressG1(timesG1(scalar(secret))),

  provePossession: (secret, hashed) => compressG2(times(inG2.readTrustedUncompressed(hashed)!, scalar(secret))),

  verifyPossession(key, proof, hashed) {
    const publicKey = keyOf(key);
    const point = inG2.readCompressed(proof);
    if (typeof publicKey === 'string' || typeof point === 'string' || point.is0()) return false;
    return isOne(
      millerLoops([
        [publicKey, inG2.readTrustedUncompressed(hashed)!],
        [minusGenerator(), point],
      ]),
    );
  },

  validateKey: (bytes) => decoded(keyOf(bytes), serializeG1),

  sumKeys: (keys) => compressG1(sumOfKeys(keys)),

  decodeSignature: (bytes) => decoded(readSignature(bytes), signaturePoints),

  encodeSignature(points) {
    const { g1, g2 } = requireSignature('point', points);
    return joinBytes([compressG1(g1), compressG2(g2)]);
  },

  addSignatures(a, b) {
    const [left, right] = [requireSignature('a', a), requireSignature('b', b)];
    return signaturePoints({ g1: left.g1.add(right.g1), g2: left.g2.add(right.g2) });
  },

  open(points) {
    return new NobleGenerators(
      Array.from({ length: points.length / size.g2Point }, (_, i) => {
        const point = inG2.readTrustedUncompressed(points.subarray(i * size.g2Point, (i + 1) * size.g2Point));
        if (point === undefined) throw misuse(RangeError, 'parameters', 'points of G2', 'an invalid point');
        return point;
      }),
    );
  },
};
