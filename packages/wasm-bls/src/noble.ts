import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js';
import { expand, extract } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import {
  misuse,
  requireBytes,
  requireBytesList,
  requireClaimedKeys,
  requireClaimList,
  requireDomain,
  requireForm,
  requireLength,
  requireRun,
  requireSome,
  shown,
} from './arguments.ts';
import { coefficientBytes, drawCoefficients } from './batchCoefficients.ts';
import type {
  Bls,
  BlsRound,
  ContributionClaim,
  Decoded,
  KeptSignature,
  PointFault,
  ReadClaims,
  SignatureForm,
} from './bls.ts';
import { claimedBits } from './claimedBits.ts';
import {
  compressG1,
  compressG2,
  G1,
  type G1Point,
  G2,
  type G2Point,
  readG1,
  readG2,
  readScalar,
  readStrangersG2,
  readUncompressedG1,
  readUncompressedG2,
  serializeG1,
  serializeG2,
} from './noblePoints.ts';
import { keptSignature, type PointOperations, pointStore } from './pointStore.ts';
import {
  minIkmBytes,
  possessionDst,
  publicKeyPointBytes,
  secretKeyBytes,
  signatureBytes,
  signatureDst,
  signaturePointBytes,
} from './suite.ts';
import { inThreadVerifier } from './verifier.ts';

const { Fp12, Fr } = bls12_381.fields;
/** L of KeyGen: ceil(3 * 255 / 16) bytes, so that reducing modulo r leaves a bias below 2^-128. */
const keygenOkmBytes = 48;
const utf8 = new TextEncoder();
const signatureDomain = utf8.encode(signatureDst);

export type Lines = ReturnType<typeof bls12_381.utils.calcPairingPrecomputes>;

const hash = (message: Uint8Array, dst: string | Uint8Array): G2Point =>
  bls12_381.G2.hashToCurve(message, { DST: dst });

/**
 * Lines of a point of G2 through the Miller loop: they depend on that point only, and are kept for a message met often.
 */
export const lines = (point: G2Point): Lines => bls12_381.utils.calcPairingPrecomputes(point);

/** Whether e(key, message) = e(generator, signature); `messageLines` are those of the hashed message. */
function pairingsAgree(key: G1Point, messageLines: Lines, signature: G2Point): boolean {
  if (key.is0() || signature.is0()) return false;
  const { x, y } = key.toAffine();
  const minusGenerator = G1.BASE.negate().toAffine();
  const product = bls12_381.millerLoopBatch([
    [messageLines, x, y],
    [lines(signature), minusGenerator.x, minusGenerator.y],
  ]);
  return Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE);
}

function scalarOf(secretKey: Uint8Array): bigint {
  requireLength('secretKey', secretKey, secretKeyBytes);
  const scalar = readScalar(secretKey);
  if (scalar === undefined) throw misuse(RangeError, 'secretKey', 'a scalar in 1..r-1', 'one out of range');
  return scalar;
}

export function keyOf(bytes: Uint8Array): G1Point | PointFault {
  const key = readG1(bytes);
  return typeof key !== 'string' && key.is0() ? 'infinity' : key;
}

export function decoded<Point>(point: Point | PointFault, serialize: (point: Point) => Uint8Array): Decoded {
  return typeof point === 'string'
    ? { ok: false, code: point as PointFault }
    : { ok: true, point: serialize(point as Point) };
}

function requireCurvePoint(label: string, bytes: Uint8Array): G2Point {
  requireLength(label, bytes, signaturePointBytes);
  const point = readUncompressedG2(bytes);
  if (point === undefined) throw misuse(RangeError, label, 'an uncompressed point of G2', 'none');
  return point;
}

const readForm = (bytes: Uint8Array, form: SignatureForm): G2Point | PointFault =>
  form === 'compressed' ? readG2(bytes) : readStrangersG2(bytes);

function verifyUnder(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  dst: string,
  form: SignatureForm = 'compressed',
): boolean {
  const key = keyOf(publicKey);
  if (typeof key === 'string') return false;
  const point = readForm(signature, form);
  if (typeof point === 'string') return false;
  return pairingsAgree(key, lines(hash(message, dst)), point);
}

/** A claim's sum of keys, and its signature. */
interface ReadClaim {
  readonly key: G1Point;
  readonly signature: G2Point;
}

/**
 * The sum of points, each times its coefficient, the doublings shared. The library's own sum goes through all 255 bits
 * of a scalar; coefficients have 64.
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

/** Points as they are: the garbage collector is what gives them back. */
const keptInMemory: PointOperations<G1Point, G2Point> = {
  readKey: keyOf,
  readSignature: readForm,
  encodeKey: compressG1,
  encodeSignature: (signature, form) => (form === 'compressed' ? compressG2(signature) : serializeG2(signature)),
  addSignatures: (a, b) => a.add(b),
  sumKeys: (keys) => keys.reduce((sum, key) => sum.add(key), G1.ZERO),
  sumSignatures: (signatures) => signatures.reduce((sum, signature) => sum.add(signature), G2.ZERO),
  verify: (key, message, signature) => pairingsAgree(key, lines(hash(message, signatureDst)), signature),
  verifyEach(claims, coefficients) {
    if (claims.some(({ key, signature }) => key.is0() || signature.is0())) return false;
    const pairs = claims.map(({ key, message }, i): Parameters<typeof bls12_381.millerLoopBatch>[0][number] => {
      const coefficient = coefficients.subarray(i * coefficientBytes, (i + 1) * coefficientBytes);
      const { x, y } = combine(G1, [key], coefficient).toAffine();
      return [lines(hash(message, signatureDst)), x, y];
    });
    const sum = combine(
      G2,
      claims.map(({ signature }) => signature),
      coefficients,
    );
    if (!sum.is0()) {
      const { x, y } = G1.BASE.negate().toAffine();
      pairs.push([lines(sum), x, y]);
    }
    return Fp12.eql(Fp12.finalExponentiate(bls12_381.millerLoopBatch(pairs)), Fp12.ONE);
  },
  releaseKey() {},
  releaseSignature() {},
};

/** The sum of the keys that a contribution claims; undefined if one is beyond the registry. */
export function claimedKeys(keys: readonly G1Point[], first: number, bits: Uint8Array): G1Point | undefined {
  const claimed = claimedBits(bits, first, keys.length);
  if (claimed === undefined) return undefined;
  let sum = G1.ZERO;
  for (const [i, byte] of claimed.entries())
    for (let rest = byte; rest !== 0; rest &= rest - 1)
      sum = sum.add(keys[first + i * 8 + (31 - Math.clz32(rest & -rest))]!);
  return sum;
}

class NobleClaims implements ReadClaims {
  #claims: readonly ReadClaim[] | undefined;
  readonly #messageLines: Lines;

  constructor(
    claims: readonly ReadClaim[],
    readonly places: readonly number[],
    messageLines: Lines,
  ) {
    this.#claims = claims;
    this.#messageLines = messageLines;
  }

  hold(from: number, to: number): boolean {
    requireRun(from, to, this.places.length);
    if (this.#claims === undefined) throw misuse(TypeError, 'claims', 'live claims', 'freed ones');
    const part = this.#claims.slice(from, to);
    const [only] = part;
    if (part.length === 1) return pairingsAgree(only!.key, this.#messageLines, only!.signature);
    const coefficients = drawCoefficients(part.length);
    const keys = part.map(({ key }) => key);
    const signatures = part.map(({ signature }) => signature);
    return pairingsAgree(combine(G1, keys, coefficients), this.#messageLines, combine(G2, signatures, coefficients));
  }

  free(): void {
    this.#claims = undefined;
  }
}

type OwnSignature = Uint8Array | KeptSignature;

class NobleRound implements BlsRound<OwnSignature> {
  readonly #keys: readonly G1Point[];
  #messageLines: Lines | undefined;

  constructor(keys: readonly G1Point[], message: Uint8Array) {
    this.#keys = keys;
    this.#messageLines = lines(hash(message, signatureDst));
  }

  verify(first: number, bits: Uint8Array, signature: OwnSignature): boolean {
    requireClaimedKeys({ first, bits, signature }, '');
    const messageLines = this.#live();
    const read = this.#read({ first, bits, signature }, '');
    return read !== undefined && pairingsAgree(read.key, messageLines, read.signature);
  }

  verifyBatch(claims: readonly ContributionClaim<OwnSignature>[]): boolean {
    const read = this.readClaims(claims);
    const all = read.places.length === claims.length;
    return all && (claims.length === 0 || read.hold(0, claims.length));
  }

  readClaims(claims: readonly ContributionClaim<OwnSignature>[]): ReadClaims {
    requireClaimList(claims);
    const messageLines = this.#live();
    const read: ReadClaim[] = [];
    const places: number[] = [];
    for (const [place, claim] of claims.entries()) {
      const label = `claims[${place}].`;
      requireClaimedKeys(claim, label);
      const one = this.#read(claim, label);
      if (one === undefined || one.key.is0() || one.signature.is0()) continue;
      read.push(one);
      places.push(place);
    }
    return new NobleClaims(read, places, messageLines);
  }

  free(): void {
    this.#messageLines = undefined;
  }

  #live(): Lines {
    if (this.#messageLines === undefined) throw misuse(TypeError, 'round', 'a live round', 'a freed one');
    return this.#messageLines;
  }

  /** The sum of the keys that a contribution claims, and its signature; undefined if either cannot be had. */
  #read({ first, bits, signature }: ContributionClaim<OwnSignature>, label: string): ReadClaim | undefined {
    const point = readOwn(signature, `${label}signature`);
    const key = claimedKeys(this.#keys, first, bits);
    if (key === undefined || point === undefined || typeof point === 'string') return undefined;
    return { key, signature: point };
  }
}

/** A claim's signature: an untrusted peer's 96 bytes, 192 checked ones, or a kept one. */
function readOwn(signature: OwnSignature, label: string): G2Point | PointFault | undefined {
  if (!(signature instanceof Uint8Array)) return keptSignature(keptInMemory, label, signature);
  return signature.length === signatureBytes ? readG2(signature) : readUncompressedG2(signature);
}

/**
 * BLS in plain JavaScript on noble-curves: for a machine that has no Rust toolchain, and as an independent judge of the
 * kernel's results. Four to ten times slower than the kernel (docs/records/bench-kernel.md).
 */
export const nobleBls: Bls = {
  name: 'noble-curves',

  keyGen(ikm) {
    requireBytes('ikm', ikm);
    if (ikm.length < minIkmBytes) throw misuse(RangeError, 'ikm', `${minIkmBytes} bytes or more`, shown(ikm));
    const material = new Uint8Array(ikm.length + 1);
    material.set(ikm);
    const info = Uint8Array.of(0, keygenOkmBytes);
    let salt: Uint8Array = utf8.encode('BLS-SIG-KEYGEN-SALT-');
    for (;;) {
      salt = sha256(salt);
      const okm = expand(sha256, extract(sha256, material, salt), info, keygenOkmBytes);
      const scalar = Fr.create(bytesToNumberBE(okm));
      if (scalar !== 0n) return numberToBytesBE(scalar, secretKeyBytes);
    }
  },

  publicKey(secretKey) {
    return compressG1(G1.BASE.multiply(scalarOf(secretKey)));
  },

  provePossession(secretKey) {
    const key = compressG1(G1.BASE.multiply(scalarOf(secretKey)));
    return compressG2(hash(key, possessionDst).multiply(scalarOf(secretKey)));
  },

  verifyPossession(publicKey, proof) {
    requireBytes('publicKey', publicKey);
    requireBytes('proof', proof);
    return verifyUnder(publicKey, publicKey, proof, possessionDst);
  },

  sign(secretKey, message) {
    requireBytes('message', message);
    return compressG2(hash(message, signatureDst).multiply(scalarOf(secretKey)));
  },

  verify(publicKey, message, signature, form = 'compressed') {
    requireBytes('publicKey', publicKey);
    requireBytes('message', message);
    requireBytes('signature', signature);
    requireForm(form);
    return verifyUnder(publicKey, message, signature, signatureDst, form);
  },

  fastAggregateVerify(publicKeys, message, signature) {
    requireBytesList('publicKeys', publicKeys);
    requireBytes('message', message);
    requireBytes('signature', signature);
    let sum = G1.ZERO;
    for (const bytes of publicKeys) {
      const key = keyOf(bytes);
      if (typeof key === 'string') return false;
      sum = sum.add(key);
    }
    if (sum.is0()) return false;
    const point = readG2(signature);
    if (typeof point === 'string') return false;
    return pairingsAgree(sum, lines(hash(message, signatureDst)), point);
  },

  aggregateSignatures(signatures) {
    requireBytesList('signatures', signatures);
    requireSome('signatures', signatures);
    let sum = G2.ZERO;
    for (const [i, bytes] of signatures.entries()) {
      const point = readG2(bytes);
      if (typeof point === 'string') throw misuse(RangeError, `signatures[${i}]`, 'a compressed point of G2', point);
      sum = sum.add(point);
    }
    return compressG2(sum);
  },

  aggregatePublicKeys(publicKeys) {
    requireBytesList('publicKeys', publicKeys);
    requireSome('publicKeys', publicKeys);
    let sum = G1.ZERO;
    for (const [i, bytes] of publicKeys.entries()) {
      const key = keyOf(bytes);
      if (typeof key === 'string') throw misuse(RangeError, `publicKeys[${i}]`, 'a valid public key', key);
      sum = sum.add(key);
    }
    return compressG1(sum);
  },

  decodePublicKey(bytes) {
    requireBytes('bytes', bytes);
    return decoded(readG1(bytes), serializeG1);
  },

  validatePublicKey(bytes) {
    requireBytes('bytes', bytes);
    return decoded(keyOf(bytes), serializeG1);
  },

  decodeSignature(bytes, form = 'compressed') {
    requireBytes('bytes', bytes);
    requireForm(form);
    return decoded(readForm(bytes, form), serializeG2);
  },

  encodeSignature(point) {
    return compressG2(requireCurvePoint('point', point));
  },

  addSignatures(a, b) {
    return serializeG2(requireCurvePoint('a', a).add(requireCurvePoint('b', b)));
  },

  hashToG2(message, domain = signatureDomain) {
    requireBytes('message', message);
    requireDomain(domain);
    return serializeG2(hash(message, domain));
  },

  round(publicKeys, message) {
    requireBytesList('publicKeys', publicKeys);
    requireSome('publicKeys', publicKeys);
    requireBytes('message', message);
    const keys = publicKeys.map((bytes, i) => {
      const key = bytes.length === publicKeyPointBytes ? (readUncompressedG1(bytes) ?? 'not-on-curve') : keyOf(bytes);
      if (typeof key === 'string') throw misuse(RangeError, `publicKeys[${i}]`, 'a valid public key', key);
      if (key.is0()) throw misuse(RangeError, `publicKeys[${i}]`, 'a valid public key', 'infinity');
      return key;
    });
    return new NobleRound(keys, message);
  },

  verifier(publicKeys, message) {
    return inThreadVerifier(nobleBls.round(publicKeys, message));
  },

  pointStore: (capacity) => pointStore(keptInMemory, capacity),
};
