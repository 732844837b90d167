import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js';
import { expand, extract } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import {
  misuse,
  ownBytes,
  requireBytes,
  requireBytesList,
  requireDomain,
  requireEntropy,
  requireForm,
  requireLength,
  requireSome,
} from './arguments.ts';
import { coefficientBytes, drawCoefficients } from './batchCoefficients.ts';
import type { Bls } from './bls.ts';
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
  readStrangersG1,
  readStrangersG2,
  readUncompressedG1,
  readUncompressedG2,
  serializeG1,
  serializeG2,
} from './noblePoints.ts';
import { claimedKeysOf, openRound, type RoundOperations } from './pointRound.ts';
import { pointStore } from './pointStore.ts';
import { type Decoded, type PointFault, pointFaultText, type SignatureForm } from './points.ts';
import { type Suite, secretKeyBytes, suites, type Variant } from './suite.ts';
import { inThreadVerifier } from './verifier.ts';

const { Fp12, Fr } = bls12_381.fields;
/** Length L of KeyGen, bytes: ceil(3 * 255 / 16), so that reduction modulo r leaves a bias below 2^-128. */
const keygenOkmBytes = 48;
const utf8 = new TextEncoder();

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
interface Points<Field> {
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
interface Groups<Key, Signature> {
  readonly keys: Points<Key>;
  readonly signatures: Points<Signature>;
  partner(point: WeierstrassPoint<Signature>): Partner<Key>;
}
type Partner<Key> = (key: WeierstrassPoint<Key>) => Pair;

const minPk: Groups<bigint, Fp2> = {
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

const minSig: Groups<Fp2, bigint> = {
  keys: inG2,
  signatures: inG1,
  partner(point) {
    const { x, y } = point.toAffine();
    return (key) => [lines(key), x, y];
  },
};

const isOne = (pairs: Pair[]): boolean => Fp12.eql(Fp12.finalExponentiate(bls12_381.millerLoopBatch(pairs)), Fp12.ONE);

/** Returns whether e(key, message) = e(generator, signature). */
function pairingsAgree<Key, Signature>(
  { keys, partner }: Groups<Key, Signature>,
  key: WeierstrassPoint<Key>,
  message: Partner<Key>,
  signature: WeierstrassPoint<Signature>,
): boolean {
  if (key.is0() || signature.is0()) return false;
  return isOne([message(key), partner(signature)(keys.Point.BASE.negate())]);
}

/** Returns a public key's point, which must not be infinity. */
function finite<Field>(point: WeierstrassPoint<Field> | PointFault): WeierstrassPoint<Field> | PointFault {
  return typeof point !== 'string' && point.is0() ? 'infinity' : point;
}

function scalarOf(secretKey: Uint8Array): bigint {
  requireLength('secretKey', secretKey, secretKeyBytes);
  const scalar = readScalar(secretKey);
  if (scalar === undefined) throw misuse(RangeError, 'secretKey', 'a scalar in 1..r-1', 'a value out of range');
  return scalar;
}

/** Reads a public key from 48 untrusted compressed bytes. Returns a code for an invalid key or infinity. */
export function keyOf(bytes: Uint8Array): G1Point | PointFault {
  return finite(readG1(bytes));
}

/** Returns a point's bytes, or the code of its fault. */
export function decoded<Point>(point: Point | PointFault, serialize: (point: Point) => Uint8Array): Decoded {
  return typeof point === 'string'
    ? { ok: false, code: point as PointFault }
    : { ok: true, point: serialize(point as Point) };
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

/** Returns operations on points that are JavaScript objects. The garbage collector frees them. */
function keptInMemory<Key, Signature>(
  groups: Groups<Key, Signature>,
  { signatureDst }: Suite,
): RoundOperations<WeierstrassPoint<Key>, WeierstrassPoint<Signature>> {
  const { keys: ofKeys, signatures: ofSignatures, partner } = groups;
  const partnerOf = (message: Uint8Array): Partner<Key> => partner(ofSignatures.hash(message, signatureDst));
  return {
    readKey: (bytes) => finite(ofKeys.read(bytes)),
    readSignature: (bytes, form) =>
      form === 'compressed' ? ofSignatures.read(bytes) : ofSignatures.readStrangers(bytes),
    encodeKey: ofKeys.compress,
    encodeSignature: (signature, form) =>
      form === 'compressed' ? ofSignatures.compress(signature) : ofSignatures.serialize(signature),
    addSignatures: (a, b) => a.add(b),
    sumKeys: (keys) => keys.reduce((sum, key) => sum.add(key), ofKeys.Point.ZERO),
    sumSignatures: (signatures) => signatures.reduce((sum, one) => sum.add(one), ofSignatures.Point.ZERO),
    verify: (key, message, signature) => pairingsAgree(groups, key, partnerOf(message), signature),
    verifyEach(claims, coefficients) {
      if (claims.some(({ key, signature }) => key.is0() || signature.is0())) return false;
      const pairs = claims.map(({ key, message }, i) => {
        const coefficient = coefficients.subarray(i * coefficientBytes, (i + 1) * coefficientBytes);
        return partnerOf(message)(combine(ofKeys.Point, [key], coefficient));
      });
      const points = claims.map(({ signature }) => signature);
      const sum = combine(ofSignatures.Point, points, coefficients);
      if (!sum.is0()) pairs.push(partner(sum)(ofKeys.Point.BASE.negate()));
      return isOne(pairs);
    },
    releaseKey() {},
    releaseSignature() {},
    readTrustedKey: ofKeys.readUncompressed,
    readTrustedSignature: ofSignatures.readUncompressed,
    isInfinity: (point) => point.is0(),
    holding(message) {
      const ofMessage = partnerOf(message);
      return (claims) => {
        const coefficients = claims.length === 1 ? undefined : drawCoefficients(claims.length);
        const sum = <Field>({ Point }: Points<Field>, points: readonly WeierstrassPoint<Field>[]) =>
          coefficients === undefined ? points[0]! : combine(Point, points, coefficients);
        const key = sum(
          ofKeys,
          claims.map(({ key }) => key),
        );
        const signature = sum(
          ofSignatures,
          claims.map(({ signature }) => signature),
        );
        return pairingsAgree(groups, key, ofMessage, signature);
      };
    },
  };
}

/** Returns the sum of the keys that a contribution claims, or undefined if one is beyond the registry. */
export function claimedKeys(keys: readonly G1Point[], first: number, bits: Uint8Array): G1Point | undefined {
  return claimedKeysOf(keys, first, bits)?.reduce((sum, key) => sum.add(key), G1.ZERO);
}

/** A variant with the operations of its point store. */
interface Own<Key, Signature> {
  readonly groups: Groups<Key, Signature>;
  readonly suite: Suite;
  readonly kept: RoundOperations<WeierstrassPoint<Key>, WeierstrassPoint<Signature>>;
}

/** Returns the operations on single keys, signatures and proofs of possession. */
function signing<Key, Signature>({
  groups,
  suite,
  kept,
}: Own<Key, Signature>): Pick<
  Bls,
  'publicKey' | 'provePossession' | 'verifyPossession' | 'sign' | 'signPoint' | 'verify'
> {
  const { keys: ofKeys, signatures: ofSignatures } = groups;
  const { signatureDst, possessionDst, signatureGroup, signaturePointBytes } = suite;

  function verifyUnder(
    publicKey: Uint8Array,
    message: Uint8Array,
    signature: Uint8Array,
    domain: string | Uint8Array,
    form: SignatureForm = 'compressed',
  ): boolean {
    const key = kept.readKey(publicKey);
    if (typeof key === 'string') return false;
    const point = kept.readSignature(signature, form);
    if (typeof point === 'string') return false;
    return pairingsAgree(groups, key, groups.partner(ofSignatures.hash(message, domain)), point);
  }

  return {
    publicKey(secretKey) {
      return ofKeys.compress(ofKeys.Point.BASE.multiply(scalarOf(secretKey)));
    },

    provePossession(secretKey) {
      const key = ofKeys.compress(ofKeys.Point.BASE.multiply(scalarOf(secretKey)));
      return ofSignatures.compress(ofSignatures.hash(key, possessionDst).multiply(scalarOf(secretKey)));
    },

    verifyPossession(publicKey, proof) {
      requireBytes('publicKey', publicKey);
      requireBytes('proof', proof);
      return verifyUnder(publicKey, publicKey, proof, possessionDst);
    },

    sign(secretKey, message, domain) {
      requireBytes('message', message);
      if (domain !== undefined) requireDomain(domain);
      return ofSignatures.compress(ofSignatures.hash(message, domain ?? signatureDst).multiply(scalarOf(secretKey)));
    },

    signPoint(secretKey, point) {
      const scalar = scalarOf(secretKey);
      requireLength('point', point, signaturePointBytes);
      const hashed = finite(ofSignatures.readStrangers(point));
      if (typeof hashed === 'string')
        throw misuse(RangeError, 'point', `a point of ${signatureGroup}`, pointFaultText(hashed));
      return ofSignatures.compress(hashed.multiply(scalar));
    },

    verify(publicKey, message, signature, form = 'compressed', domain = undefined) {
      requireBytes('publicKey', publicKey);
      requireBytes('message', message);
      requireBytes('signature', signature);
      requireForm(form);
      if (domain !== undefined) requireDomain(domain);
      return verifyUnder(publicKey, message, signature, domain ?? signatureDst, form);
    },
  };
}

/** Returns the verifications of signatures of several keys, on one message or on several. */
function severalKeys<Key, Signature>({
  groups,
  suite,
  kept,
}: Own<Key, Signature>): Pick<Bls, 'fastAggregateVerify' | 'aggregateVerify' | 'verifyPoints'> {
  const { keys: ofKeys, signatures: ofSignatures, partner } = groups;

  /**
   * Returns whether the signature is the sum of the keys' signatures on the points. There are as many keys as points.
   */
  function signsAll(
    keys: readonly (WeierstrassPoint<Key> | PointFault)[],
    points: readonly (WeierstrassPoint<Signature> | PointFault)[],
    signature: WeierstrassPoint<Signature> | PointFault,
  ): boolean {
    if (typeof signature === 'string' || keys.length === 0 || keys.length !== points.length) return false;
    const pairs = [partner(signature)(ofKeys.Point.BASE.negate())];
    for (const [i, key] of keys.entries()) {
      const point = points[i]!;
      if (typeof key === 'string' || typeof point === 'string') return false;
      pairs.push(partner(point)(key));
    }
    return isOne(pairs);
  }

  return {
    fastAggregateVerify(publicKeys, message, signature) {
      requireBytesList('publicKeys', publicKeys);
      requireBytes('message', message);
      requireBytes('signature', signature);
      let sum = ofKeys.Point.ZERO;
      for (const bytes of publicKeys) {
        const key = kept.readKey(bytes);
        if (typeof key === 'string') return false;
        sum = sum.add(key);
      }
      if (sum.is0()) return false;
      const point = ofSignatures.read(signature);
      if (typeof point === 'string') return false;
      return kept.verify(sum, message, point);
    },

    aggregateVerify(publicKeys, messages, signature, domain) {
      requireBytesList('publicKeys', publicKeys);
      requireBytesList('messages', messages);
      requireBytes('signature', signature);
      if (domain !== undefined) requireDomain(domain);
      return signsAll(
        publicKeys.map((key) => finite(ofKeys.read(key))),
        messages.map((message) => ofSignatures.hash(message, domain ?? suite.signatureDst)),
        finite(ofSignatures.read(signature)),
      );
    },

    verifyPoints(publicKeys, points, signature) {
      requireBytesList('publicKeys', publicKeys);
      requireBytesList('points', points);
      requireBytes('signature', signature);
      const isCompressed = signature.length === suite.signatureBytes;
      return signsAll(
        publicKeys.map((key) => finite(ofKeys.readStrangers(key))),
        points.map((point) => finite(ofSignatures.readStrangers(point))),
        finite(isCompressed ? ofSignatures.read(signature) : ofSignatures.readStrangers(signature)),
      );
    },
  };
}

/** Returns the sums of encoded keys and signatures. */
function aggregation<Key, Signature>({
  groups,
  suite,
  kept,
}: Own<Key, Signature>): Pick<Bls, 'aggregateSignatures' | 'aggregatePublicKeys'> {
  const { keys: ofKeys, signatures: ofSignatures } = groups;

  return {
    aggregateSignatures(signatures) {
      requireBytesList('signatures', signatures);
      requireSome('signatures', signatures);
      let sum = ofSignatures.Point.ZERO;
      for (const [i, bytes] of signatures.entries()) {
        const point = ofSignatures.read(bytes);
        if (typeof point === 'string')
          throw misuse(
            RangeError,
            `signatures[${i}]`,
            `a compressed point of ${suite.signatureGroup}`,
            pointFaultText(point),
          );
        sum = sum.add(point);
      }
      return ofSignatures.compress(sum);
    },

    aggregatePublicKeys(publicKeys) {
      requireBytesList('publicKeys', publicKeys);
      requireSome('publicKeys', publicKeys);
      let sum = ofKeys.Point.ZERO;
      for (const [i, bytes] of publicKeys.entries()) {
        const key = kept.readKey(bytes);
        if (typeof key === 'string')
          throw misuse(RangeError, `publicKeys[${i}]`, 'a valid public key', pointFaultText(key));
        sum = sum.add(key);
      }
      return ofKeys.compress(sum);
    },
  };
}

/** Returns the conversions between points and encodings. */
function encoding<Key, Signature>({
  groups,
  suite,
  kept,
}: Own<Key, Signature>): Pick<
  Bls,
  'decodePublicKey' | 'validatePublicKey' | 'decodeSignature' | 'encodeSignature' | 'addSignatures' | 'hashToCurve'
> {
  const { keys: ofKeys, signatures: ofSignatures } = groups;
  const { signaturePointBytes, signatureGroup } = suite;
  const signatureDomain = utf8.encode(suite.signatureDst);

  function requireCurvePoint(label: string, bytes: Uint8Array): WeierstrassPoint<Signature> {
    requireLength(label, bytes, signaturePointBytes);
    const point = ofSignatures.readUncompressed(bytes);
    if (point === undefined)
      throw misuse(RangeError, label, `an uncompressed point of ${signatureGroup}`, 'an invalid point');
    return point;
  }

  return {
    decodePublicKey(bytes) {
      requireBytes('bytes', bytes);
      return decoded(ofKeys.read(bytes), ofKeys.serialize);
    },

    validatePublicKey(bytes) {
      requireBytes('bytes', bytes);
      return decoded(kept.readKey(bytes), ofKeys.serialize);
    },

    decodeSignature(bytes, form = 'compressed') {
      requireBytes('bytes', bytes);
      requireForm(form);
      return decoded(kept.readSignature(bytes, form), ofSignatures.serialize);
    },

    encodeSignature(point) {
      return ofSignatures.compress(requireCurvePoint('point', point));
    },

    addSignatures(a, b) {
      return ofSignatures.serialize(requireCurvePoint('a', a).add(requireCurvePoint('b', b)));
    },

    hashToCurve(message, domain = signatureDomain) {
      requireBytes('message', message);
      requireDomain(domain);
      return ofSignatures.serialize(ofSignatures.hash(message, domain));
    },
  };
}

/** Derives a secret key (KeyGen; draft, section 2.3). */
function keyGen(ikm: Uint8Array): Uint8Array {
  requireEntropy(ikm);
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
}

function blsOf<Key, Signature>(groups: Groups<Key, Signature>, suite: Suite): Bls {
  const kept = keptInMemory(groups, suite);
  const own = { groups, suite, kept };
  const bls: Bls = {
    name: 'noble-curves',
    variant: suite.variant,
    publicKeyBytes: suite.publicKeyBytes,
    signatureBytes: suite.signatureBytes,
    signaturePointBytes: suite.signaturePointBytes,
    keyGen,
    ...signing(own),
    ...severalKeys(own),
    ...aggregation(own),
    ...encoding(own),

    round: (publicKeys, message) => openRound(kept, suite, publicKeys, message),

    verifier(publicKeys, message) {
      return inThreadVerifier(bls.round(publicKeys, message));
    },

    pointStore: (capacity) => pointStore(kept, capacity),
  };
  return bls;
}

/**
 * BLS in plain JavaScript on noble-curves, for machines without WebAssembly, and as an independent check of the
 * kernel's results. It is 4 to 10 times slower than the kernel (docs/benchmarks/bls-kernel.md).
 */
export const nobleVariants: Readonly<Record<Variant, Bls>> = {
  'min-pk': blsOf(minPk, suites['min-pk']),
  'min-sig': blsOf(minSig, suites['min-sig']),
};
