import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js';
import { expand, extract } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { misuse, ownBytes } from './arguments.ts';
import type { Bls } from './bls.ts';
import { type BlsEngine, checkedBls } from './checkedBls.ts';
import { decoded, finite } from './nobleKernel.ts';
import {
  type Groups,
  isOne,
  minPk,
  minSig,
  type NobleVariant,
  nobleOperations,
  pairingsAgree,
} from './nobleOperations.ts';
import { openRound } from './pointRound.ts';
import { pointStore } from './pointStore.ts';
import { isFault, type PointFault, pointFaultText, type SignatureForm } from './points.ts';
import { type Suite, secretKeyBytes, suites, type Variant } from './suite.ts';

const { Fr } = bls12_381.fields;
/** Length L of KeyGen, bytes: ceil(3 * 255 / 16), so that reduction modulo r leaves a bias below 2^-128. */
const keygenOkmBytes = 48;

/** Derives a secret key (KeyGen; draft, section 2.3). */
function keyGen(ikm: Uint8Array): Uint8Array {
  const material = new Uint8Array(ikm.length + 1);
  material.set(ikm);
  const info = Uint8Array.of(0, keygenOkmBytes);
  let salt: Uint8Array = new TextEncoder().encode('BLS-SIG-KEYGEN-SALT-');
  for (;;) {
    salt = sha256(salt);
    const okm = expand(sha256, extract(sha256, material, salt), info, keygenOkmBytes);
    const scalar = Fr.create(bytesToNumberBE(okm));
    if (scalar !== 0n) return numberToBytesBE(scalar, secretKeyBytes);
  }
}

function scalarOf(secretKey: Uint8Array): bigint {
  const scalar = bytesToNumberBE(ownBytes(secretKey));
  if (scalar > 0n && scalar < Fr.ORDER) return scalar;
  throw misuse(RangeError, 'secretKey', 'a scalar in 1..r-1', 'a value out of range');
}

/** Returns the operations on single keys, signatures and proofs of possession. */
function signing<Key, Signature>({ groups, suite, operations }: NobleVariant<Key, Signature>) {
  const { keys: ofKeys, signatures: ofSignatures } = groups;
  const { signatureDst, possessionDst, signatureGroup } = suite;

  const publicKey = (secretKey: Uint8Array): Uint8Array =>
    ofKeys.compress(ofKeys.Point.BASE.multiply(scalarOf(secretKey)));

  function verifyUnder(
    publicKey: Uint8Array,
    message: Uint8Array,
    signature: Uint8Array,
    domain: string | Uint8Array,
    form: SignatureForm = 'compressed',
  ): boolean {
    const [key, point] = [operations.readKey(publicKey), operations.readSignature(signature, form)];
    if (isFault(key) || isFault(point)) return false;
    return pairingsAgree(groups, key, groups.partner(ofSignatures.hash(message, domain)), point);
  }

  return {
    publicKey,

    provePossession(secretKey) {
      const hashed = ofSignatures.hash(publicKey(secretKey), possessionDst);
      return ofSignatures.compress(hashed.multiply(scalarOf(secretKey)));
    },

    verifyPossession: (publicKey, proof) => verifyUnder(publicKey, publicKey, proof, possessionDst),
    sign: (secretKey, message, domain) =>
      ofSignatures.compress(ofSignatures.hash(message, domain ?? signatureDst).multiply(scalarOf(secretKey))),

    signPoint(secretKey, point) {
      const scalar = scalarOf(secretKey);
      const hashed = finite(ofSignatures.readUncompressed(point));
      if (isFault(hashed)) throw misuse(RangeError, 'point', `a point of ${signatureGroup}`, pointFaultText(hashed));
      return ofSignatures.compress(hashed.multiply(scalar));
    },

    verify: (publicKey, message, signature, form, domain) =>
      verifyUnder(publicKey, message, signature, domain ?? signatureDst, form),
  } satisfies Partial<BlsEngine>;
}

/** Returns the operations that verify the signatures of several keys, on one message or on several. */
function aggregateVerification<Key, Signature>({ groups, suite, operations }: NobleVariant<Key, Signature>) {
  const { keys: ofKeys, signatures: ofSignatures, partner } = groups;

  /**
   * Returns whether the signature is the sum of the keys' signatures on the points. The result is `false` if there are
   * no keys, the numbers of keys and points differ, or an argument is a fault.
   */
  function signsAll(
    keys: readonly (WeierstrassPoint<Key> | PointFault)[],
    points: readonly (WeierstrassPoint<Signature> | PointFault)[],
    signature: WeierstrassPoint<Signature> | PointFault,
  ): boolean {
    if (isFault(signature) || keys.length === 0 || keys.length !== points.length) return false;
    const pairs = [partner(signature)(ofKeys.Point.BASE.negate())];
    for (const [i, key] of keys.entries()) {
      const point = points[i]!;
      if (isFault(key) || isFault(point)) return false;
      pairs.push(partner(point)(key));
    }
    return isOne(pairs);
  }

  return {
    fastAggregateVerify(publicKeys, message, signature) {
      let sum = ofKeys.Point.ZERO;
      for (const bytes of publicKeys) {
        const key = operations.readKey(bytes);
        if (isFault(key)) return false;
        sum = sum.add(key);
      }
      const point = ofSignatures.readCompressed(signature);
      return !isFault(point) && operations.verify(sum, message, point);
    },

    aggregateVerify: (publicKeys, messages, signature, domain) =>
      signsAll(
        publicKeys.map((key) => finite(ofKeys.readCompressed(key))),
        messages.map((message) => ofSignatures.hash(message, domain ?? suite.signatureDst)),
        finite(ofSignatures.readCompressed(signature)),
      ),

    verifyPoints(publicKeys, points, signature) {
      const isCompressed = signature.length === suite.signatureBytes;
      return signsAll(
        publicKeys.map((key) => finite(ofKeys.readUncompressed(key))),
        points.map((point) => finite(ofSignatures.readUncompressed(point))),
        finite(isCompressed ? ofSignatures.readCompressed(signature) : ofSignatures.readUncompressed(signature)),
      );
    },
  } satisfies Partial<BlsEngine>;
}

/** Returns the sum of points, or throws the error that names the first item that is not a point. */
function sumOf<Field>(
  label: string,
  expected: string,
  points: readonly (WeierstrassPoint<Field> | PointFault)[],
  zero: WeierstrassPoint<Field>,
): WeierstrassPoint<Field> {
  let sum = zero;
  for (const [i, point] of points.entries()) {
    if (isFault(point)) throw misuse(RangeError, `${label}[${i}]`, expected, pointFaultText(point));
    sum = sum.add(point);
  }
  return sum;
}

/** Returns the sums of encoded keys and signatures. */
function aggregation<Key, Signature>({ groups, suite, operations }: NobleVariant<Key, Signature>) {
  const { keys: ofKeys, signatures: ofSignatures } = groups;
  const expectedSignature = `a compressed point of ${suite.signatureGroup}`;
  return {
    aggregateSignatures: (signatures) =>
      ofSignatures.compress(
        sumOf('signatures', expectedSignature, signatures.map(ofSignatures.readCompressed), ofSignatures.Point.ZERO),
      ),
    aggregatePublicKeys: (publicKeys) =>
      ofKeys.compress(sumOf('publicKeys', 'a valid public key', publicKeys.map(operations.readKey), ofKeys.Point.ZERO)),
  } satisfies Partial<BlsEngine>;
}

/** Returns the conversions between points and encodings. */
function encoding<Key, Signature>({ groups, suite, operations }: NobleVariant<Key, Signature>) {
  const { keys: ofKeys, signatures: ofSignatures } = groups;

  function requireCurvePoint(label: string, bytes: Uint8Array): WeierstrassPoint<Signature> {
    const point = ofSignatures.readTrustedUncompressed(bytes);
    if (point !== undefined) return point;
    throw misuse(RangeError, label, `an uncompressed point of ${suite.signatureGroup}`, 'an invalid point');
  }

  return {
    decodePublicKey: (bytes) => decoded(ofKeys.readCompressed(bytes), ofKeys.serialize),
    validatePublicKey: (bytes) => decoded(operations.readKey(bytes), ofKeys.serialize),
    decodeSignature: (bytes, form) => decoded(operations.readSignature(bytes, form), ofSignatures.serialize),
    encodeSignature: (point) => ofSignatures.compress(requireCurvePoint('point', point)),
    addSignatures: (a, b) => ofSignatures.serialize(requireCurvePoint('a', a).add(requireCurvePoint('b', b))),
    hashToCurve: (message, domain) => ofSignatures.serialize(ofSignatures.hash(message, domain)),
  } satisfies Partial<BlsEngine>;
}

/** Returns the library of a variant: all its operations in one object. */
function blsOf<Key, Signature>(groups: Groups<Key, Signature>, suite: Suite): Bls {
  const operations = nobleOperations(groups, suite);
  const all = { groups, suite, operations };
  const engine: BlsEngine = {
    name: 'noble-curves',
    keyGen,
    ...signing(all),
    ...aggregateVerification(all),
    ...aggregation(all),
    ...encoding(all),
    round: (publicKeys, message) => openRound(operations, suite, publicKeys, message),
    pointStore: (capacity) => pointStore(operations, capacity),
  };
  return checkedBls(engine, suite);
}

/**
 * BLS in plain JavaScript on noble-curves, for machines without WebAssembly, and as an independent check of the
 * kernel's results. This implementation is 4 to 10 times slower than the kernel (docs/benchmarks/bls-kernel.md).
 */
export const nobleVariants: Readonly<Record<Variant, Bls>> = {
  'min-pk': blsOf(minPk, suites['min-pk']),
  'min-sig': blsOf(minSig, suites['min-sig']),
};
