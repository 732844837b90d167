/**
 * Signatures of `@noble/curves/bls12-381.js`, `longSignatures` and `shortSignatures`, that run on the kernel: only the
 * import changes. Points are noble's own objects. Exports unrelated to signatures (`G1`, `fields`, `pairing`) are
 * noble's own.
 *
 * Importing this module loads the kernel and waits until it is ready. docs/guides/bls-compatibility.md lists the
 * differences.
 *
 * @example
 * ```js
 * import { bls12_381 } from '@tutti/wasm-bls/noble';
 *
 * const { shortSignatures: bls } = bls12_381;
 * const { secretKey, publicKey } = bls.keygen();
 * const message = bls.hash(new TextEncoder().encode('tutti'));
 * const signature = bls.sign(message, secretKey);
 * console.log(bls.verify(signature, message, publicKey));
 * ```
 *
 * ```text
 * true
 * ```
 *
 * @packageDocumentation
 */
import type { BlsSigs } from '@noble/curves/abstract/bls.js';
import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js';
import { bls12_381 as noble } from '@noble/curves/bls12-381.js';
import { isBytes, maxDomainBytes, ownBytes } from '../arguments.ts';
import type { Bls } from '../bls.ts';
import { loadBls } from '../load.ts';
import { type Fp2Element, inG1, inG2, type Points } from '../nobleKernel.ts';
import { type Decoded, pointFaultText } from '../points.ts';

function pointOf<Field>({ readTrustedUncompressed, name }: Points<Field>, decoded: Decoded): WeierstrassPoint<Field> {
  const point = decoded.ok ? readTrustedUncompressed(decoded.point) : undefined;
  if (point !== undefined) return point;
  throw new Error(`invalid ${name} point: ${decoded.ok ? 'the kernel gave none' : pointFaultText(decoded.code)}`);
}

/**
 * Returns a secret key's scalar as noble reads it. If 32 bytes exceed the group order, noble reduces them modulo the
 * order, while the kernel rejects them.
 */
const scalarOf = (secretKey: Uint8Array): Uint8Array =>
  inG1.Point.Fn.toBytes(inG1.Point.Fn.fromBytes(ownBytes(secretKey)));

/** Returns the given list if it is not empty. Throws noble's error for an empty list. */
function someOf<T>(list: T[]): T[] {
  if (!Array.isArray(list) || list.length === 0) throw new Error('expected non-empty array');
  return list;
}

/** Throws noble's error for an unexpected argument. */
function noMore(name: string, expected: number, unused: unknown): void {
  if (unused != null) throw new Error(`${name}() expects ${expected} arguments`);
}

/** A variant, in noble and in the kernel. */
interface NobleAndKernel<Key, Signature> {
  readonly bls: Bls;
  readonly noble: BlsSigs<Key, Signature>;
  readonly keys: Points<Key>;
  readonly signatures: Points<Signature>;
}

/** Functions that read arguments, which may be points or bytes. */
interface Reader<Key, Signature> {
  keyOf(key: WeierstrassPoint<Key> | Uint8Array): WeierstrassPoint<Key>;
  signatureOf(signature: WeierstrassPoint<Signature> | Uint8Array): WeierstrassPoint<Signature>;
  messageOf(message: unknown): WeierstrassPoint<Signature>;
  readonly coder: BlsSigs<Key, Signature>['Signature'];
}

function isPoint<Field>({ Point }: Points<Field>, value: unknown): value is WeierstrassPoint<Field> {
  return value instanceof Point;
}

function readerOf<Key, Signature>({
  bls,
  noble: own,
  keys,
  signatures,
}: NobleAndKernel<Key, Signature>): Reader<Key, Signature> {
  const { Signature: nobleCoder } = own;
  const coder: typeof nobleCoder = Object.freeze({
    ...nobleCoder,
    fromBytes: (bytes: Uint8Array) => {
      const isKernels = isBytes(bytes) && bytes.length === own.lengths.signature;
      const point = isKernels ? pointOf(signatures, bls.decodeSignature(bytes)) : undefined;
      // Noble handles infinity and other lengths.
      return point === undefined || point.is0() ? nobleCoder.fromBytes(ownBytes(bytes)) : point;
    },
  });
  return {
    coder,
    keyOf(key) {
      if (isPoint(keys, key)) return key;
      if (!isBytes(key)) throw new TypeError('expected a Uint8Array or a public-key point');
      return key.length === own.lengths.publicKey
        ? pointOf(keys, bls.decodePublicKey(key))
        : keys.Point.fromBytes(ownBytes(key));
    },
    signatureOf: (signature) => (isPoint(signatures, signature) ? signature : coder.fromBytes(signature)),
    messageOf(message) {
      if (isPoint(signatures, message)) return message;
      throw new Error(`expected valid message hashed to ${signatures.name} curve`);
    },
  };
}

/** Returns the functions that create keys and signatures. */
function signing<Key, Signature>(
  { bls, noble: own, keys, signatures }: NobleAndKernel<Key, Signature>,
  { messageOf }: Reader<Key, Signature>,
): Pick<BlsSigs<Key, Signature>, 'keygen' | 'getPublicKey' | 'sign' | 'hash'> {
  const defaultDomain = `BLS_SIG_BLS12381${signatures.name}_XMD:SHA-256_SSWU_RO_NUL_`;
  function getPublicKey(secretKey: Uint8Array): WeierstrassPoint<Key> {
    let compressed: Uint8Array;
    try {
      compressed = bls.publicKey(scalarOf(secretKey));
    } catch (error) {
      throw new Error(`invalid private key: ${typeof secretKey}`, { cause: error });
    }
    return pointOf(keys, bls.validatePublicKey(compressed));
  }
  return {
    keygen(seed?: Uint8Array) {
      const secretKey = noble.utils.randomSecretKey(ownBytes(seed));
      return { secretKey, publicKey: getPublicKey(secretKey) };
    },
    getPublicKey,
    sign(message: WeierstrassPoint<Signature>, secretKey: Uint8Array, unused?: unknown) {
      noMore('sign', 2, unused);
      const point = messageOf(message);
      if (point.is0()) return own.sign(point, secretKey);
      const signature = bls.signPoint(scalarOf(secretKey), signatures.serialize(point));
      return pointOf(signatures, bls.decodeSignature(signature));
    },
    hash(message: Uint8Array, domain: string | Uint8Array = defaultDomain) {
      const tag = typeof domain === 'string' ? new TextEncoder().encode(domain) : domain;
      const isKernels = isBytes(message) && isBytes(tag);
      // Noble first hashes a longer tag (RFC 9380, section 5.3.3), and rejects an empty tag.
      if (!isKernels || tag.length === 0 || tag.length > maxDomainBytes)
        return own.hash(ownBytes(message), ownBytes(domain));
      return pointOf(signatures, { ok: true, point: bls.hashToCurve(message, tag) });
    },
  };
}

/** Returns the functions that verify and sum keys and signatures. */
function verifying<Key, Signature>(
  { bls, noble: own, keys, signatures }: NobleAndKernel<Key, Signature>,
  { keyOf, signatureOf, messageOf }: Reader<Key, Signature>,
): Pick<BlsSigs<Key, Signature>, 'verify' | 'verifyBatch' | 'aggregatePublicKeys' | 'aggregateSignatures'> {
  type KeyPoint = WeierstrassPoint<Key>;
  type SignaturePoint = WeierstrassPoint<Signature>;
  return {
    verify(
      signature: SignaturePoint | Uint8Array,
      message: SignaturePoint,
      publicKey: KeyPoint | Uint8Array,
      unused?: unknown,
    ) {
      noMore('verify', 3, unused);
      const [s, key, point] = [signatureOf(signature), keyOf(publicKey), messageOf(message)];
      return bls.verifyPoints([keys.serialize(key)], [signatures.serialize(point)], signatures.serialize(s));
    },
    verifyBatch(
      signature: SignaturePoint | Uint8Array,
      items: { message: SignaturePoint; publicKey: KeyPoint | Uint8Array }[],
    ) {
      const s = signatureOf(signature);
      const sums = new Map<SignaturePoint, KeyPoint>();
      for (const { message, publicKey } of someOf(items)) {
        const [point, key] = [messageOf(message), keyOf(publicKey)];
        const sum = sums.get(point);
        sums.set(point, sum === undefined ? key : sum.add(key));
      }
      return bls.verifyPoints(
        Array.from(sums.values(), keys.serialize),
        Array.from(sums.keys(), signatures.serialize),
        signatures.serialize(s),
      );
    },
    aggregatePublicKeys: (publicKeys: (KeyPoint | Uint8Array)[]) =>
      own.aggregatePublicKeys(someOf(publicKeys).map(keyOf)),
    aggregateSignatures: (list: (SignaturePoint | Uint8Array)[]) =>
      own.aggregateSignatures(someOf(list).map(signatureOf)),
  };
}

/** Returns noble's signatures for one variant, computed by the kernel. */
function signaturesBy<Key, Signature>(variant: NobleAndKernel<Key, Signature>): BlsSigs<Key, Signature> {
  const reader = readerOf(variant);
  return Object.freeze({
    lengths: variant.noble.lengths,
    ...signing(variant, reader),
    ...verifying(variant, reader),
    Signature: reader.coder,
  });
}

/** Signatures with keys in G1 and signatures in G2. */
export const longSignatures: BlsSigs<bigint, Fp2Element> = signaturesBy({
  bls: await loadBls(),
  noble: noble.longSignatures,
  keys: inG1,
  signatures: inG2,
});

/** Signatures with keys in G2 and signatures in G1. */
export const shortSignatures: BlsSigs<Fp2Element, bigint> = signaturesBy({
  bls: await loadBls({ variant: 'min-sig' }),
  noble: noble.shortSignatures,
  keys: inG2,
  signatures: inG1,
});

/** Noble's curve, with signatures computed by the kernel. */
const curve: typeof noble = Object.freeze({ ...noble, longSignatures, shortSignatures });

export { curve as bls12_381 };
