import type { Decoded, KeptKey, KeptSignature, ReadPoint, SignatureForm } from './points.ts';
import type { BlsRound } from './round.ts';
import type { Variant } from './suite.ts';
import type { BlsVerifier } from './verifier.ts';

/** What one signer claims: that the signature is the key's on the message. */
export interface SignedMessage {
  readonly key: KeptKey;
  /** Any length, 0 included. */
  readonly message: Uint8Array;
  readonly signature: KeptSignature;
}

/**
 * Decoded keys and signatures that stay where the library works: read and checked once, then added and verified by
 * handle, with no bytes in between. Every point that a store gives out, a sum too, is kept until it is released or the
 * store freed.
 *
 * Memory: `capacity` bounds the points of both kinds together. The kernel takes 96 bytes for a key and 288 for a
 * signature, uses what was released again, and, as WebAssembly's memory does not shrink, keeps its high-water mark.
 * When neither a store nor any of its handles is referenced any more, garbage collection frees its points.
 *
 * Every call throws RangeError for a handle that was released or belongs to another store or library, for a freed
 * store, and, if the call keeps a point, for a full store; TypeError for what is not a handle of the required kind.
 */
export interface PointStore {
  /** Most points of both kinds at a time. */
  readonly capacity: number;
  /** Points kept now. */
  readonly size: number;

  /**
   * Reads a public key, as validatePublicKey does, and keeps it.
   *
   * @param bytes - 48 bytes, compressed G1; anything from a peer.
   */
  readKey(bytes: Uint8Array): ReadPoint<KeptKey>;

  /**
   * Reads a signature, as decodeSignature does, and keeps it.
   *
   * @param bytes - 96 bytes, compressed G2, or 192 if the form is `uncompressed`; anything from a peer.
   */
  readSignature(bytes: Uint8Array, form?: SignatureForm): ReadPoint<KeptSignature>;

  /** The sum of two signatures: equal, inverse and infinity are all good. Neither is released. */
  addSignatures(a: KeptSignature, b: KeptSignature): KeptSignature;

  /** The sum of at least one signature; a signature given twice counts twice. None is released. */
  sumSignatures(signatures: readonly KeptSignature[]): KeptSignature;

  /**
   * The sum of at least one key, under which their aggregate on one message verifies; infinity, which verifies nothing,
   * if they cancel out.
   */
  sumKeys(keys: readonly KeptKey[]): KeptKey;

  /** 48 bytes, compressed G1. */
  encodeKey(key: KeptKey): Uint8Array;

  /** 96 bytes, compressed G2, or 192 if the form is `uncompressed`. */
  encodeSignature(signature: KeptSignature, form?: SignatureForm): Uint8Array;

  /**
   * Whether a signature is the key's on a message of any length (draft, CoreVerify, section 2.7); infinity is `false`.
   */
  verify(key: KeptKey, message: Uint8Array, signature: KeptSignature): boolean;

  /**
   * Whether every signature is its key's on its message, in one check of a pairing each and one more: the equations are
   * added up under random coefficients, as in BlsRound.verifyBatch and as sound. Messages may be equal, and need not
   * be.
   *
   * @param claims - none at all is `true`.
   * @returns `true` if verify is `true` of each; `false` if it is not of at least one.
   */
  verifyEach(claims: readonly SignedMessage[]): boolean;

  /** Gives a point back; its handle is good for nothing then. */
  release(kept: KeptKey | KeptSignature): void;

  /** Gives all points back; doing so twice is harmless. */
  free(): void;
}

/**
 * BLS multi-signatures over BLS12-381 (draft-irtf-cfrg-bls-signature, proof-of-possession scheme), so that whoever
 * aggregates need not know which curve library works underneath.
 *
 * Whose bytes: a peer's keys, proofs and signatures may be anything, and the answer is `false` or a code. A secret key,
 * an argument that is no Uint8Array, an empty list where one is summed are the caller's own: TypeError or RangeError
 * with label, expected, got.
 *
 * No implementation promises constant time, nor wipes a secret from memory: JavaScript and WebAssembly give no
 * such hold.
 */
export interface Bls {
  readonly name: 'blst-wasm' | 'noble-curves' | 'blst-native';

  /**
   * Which group keys are in. Lengths and groups below are those of `min-pk`; under `min-sig` keys are in G2, of 96 bytes
   * or 192, and signatures and proofs of possession in G1, of 48 bytes or 96.
   */
  readonly variant: Variant;
  /** Bytes of a compressed key, of a compressed signature, and of an uncompressed one, as `suites` has them. */
  readonly publicKeyBytes: number;
  readonly signatureBytes: number;
  readonly signaturePointBytes: number;

  /**
   * The secret key that some entropy stands for (draft, KeyGen, section 2.3), so that a test's or a node's key follows
   * from a seed.
   *
   * @param ikm - 32 bytes or more, secret, of full entropy.
   * @returns 32 bytes, big-endian, never zero.
   * @throws RangeError if `ikm` is shorter.
   */
  keyGen(ikm: Uint8Array): Uint8Array;

  /**
   * The public key of a secret key (draft, SkToPk, section 2.4).
   *
   * @param secretKey - 32 bytes, big-endian, in 1..r-1.
   * @returns 48 bytes, compressed G1.
   * @throws RangeError if the secret key has another length, is zero, or is not under the group order.
   */
  publicKey(secretKey: Uint8Array): Uint8Array;

  /**
   * Proof that the holder of a public key knows its secret (draft, PopProve, section 3.3.2): what a registry asks
   * before it lets a key in, since a key made from the others' keys could otherwise sign for them.
   *
   * @param secretKey - 32 bytes, as for publicKey.
   * @returns 96 bytes, compressed G2.
   * @throws RangeError as publicKey does.
   */
  provePossession(secretKey: Uint8Array): Uint8Array;

  /**
   * Whether a proof of possession belongs to a public key (draft, PopVerify, section 3.3.3).
   *
   * @param publicKey - 48 bytes, compressed G1; anything from a peer.
   * @param proof - 96 bytes, compressed G2; anything from a peer.
   */
  verifyPossession(publicKey: Uint8Array, proof: Uint8Array): boolean;

  /**
   * A signature of a message (draft, CoreSign, section 2.6).
   *
   * @param secretKey - 32 bytes, as for publicKey.
   * @param message - any length, 0 included.
   * @param domain - domain separation tag, 1 to 255 bytes; the suite's `signatureDst` if undefined.
   * @returns 96 bytes, compressed G2.
   * @throws RangeError as publicKey does, and for a domain of another length.
   */
  sign(secretKey: Uint8Array, message: Uint8Array, domain?: Uint8Array): Uint8Array;

  /**
   * A signature on a message that was hashed before: the secret key times its point.
   *
   * @param secretKey - 32 bytes, as for publicKey.
   * @param point - 192 bytes, uncompressed G2, from hashToCurve; it is checked, infinity is refused.
   * @returns 96 bytes, compressed G2.
   * @throws RangeError as publicKey does, and if these bytes are no such point.
   */
  signPoint(secretKey: Uint8Array, point: Uint8Array): Uint8Array;

  /**
   * Whether a signature is that key's on that message (draft, CoreVerify, section 2.7); the key is validated and the
   * signature's subgroup checked each time.
   *
   * @param publicKey - 48 bytes, compressed G1; anything from a peer.
   * @param message - any length, 0 included.
   * @param signature - 96 bytes, compressed G2, or 192 if the form is `uncompressed`; anything from a peer.
   * @param form - `compressed` if undefined; bytes of the other form are `false`.
   * @param domain - domain separation tag, as of sign.
   */
  verify(
    publicKey: Uint8Array,
    message: Uint8Array,
    signature: Uint8Array,
    form?: SignatureForm,
    domain?: Uint8Array,
  ): boolean;

  /**
   * Whether a signature is the sum of each key's signature on its own message (draft, CoreAggregateVerify, section
   * 2.9). Messages may be equal: what the schemes demand of keys and messages is the caller's business, or that of
   * {@link ciphersuite}.
   *
   * Intentional divergence: infinity, the sum of signatures that cancel out, is `false`.
   *
   * @param publicKeys - each 48 bytes, compressed G1; each validated. An empty list is `false`.
   * @param messages - as many, of any length, 0 included; another number is `false`.
   * @param signature - 96 bytes, compressed G2; anything from a peer.
   * @param domain - domain separation tag, as of sign.
   */
  aggregateVerify(
    publicKeys: readonly Uint8Array[],
    messages: readonly Uint8Array[],
    signature: Uint8Array,
    domain?: Uint8Array,
  ): boolean;

  /**
   * As aggregateVerify, of messages that were hashed before. Every point is checked, and none may be infinity.
   *
   * @param publicKeys - each 96 bytes, uncompressed G1; anything from a peer.
   * @param points - as many, each 192 bytes, uncompressed G2; anything from a peer.
   * @param signature - 96 bytes, compressed G2, or 192, uncompressed; anything from a peer.
   */
  verifyPoints(publicKeys: readonly Uint8Array[], points: readonly Uint8Array[], signature: Uint8Array): boolean;

  /**
   * Whether a signature is the sum of all these keys' signatures on one message (draft, FastAggregateVerify, section
   * 3.3.4). Sound only for keys whose proof of possession was verified.
   *
   * @param publicKeys - each 48 bytes, compressed G1; each validated. An empty list is `false`; a key given twice
   *   counts twice.
   * @param message - any length, 0 included.
   * @param signature - 96 bytes, compressed G2; anything from a peer.
   */
  fastAggregateVerify(publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array): boolean;

  /**
   * The sum of signatures (draft, Aggregate, section 2.8).
   *
   * @param signatures - at least one; each 96 bytes, compressed G2, which is decoded but, as in the draft, not
   *   verified.
   * @returns 96 bytes, compressed G2.
   * @throws RangeError if the list is empty or an item does not decode: decode a peer's bytes first.
   */
  aggregateSignatures(signatures: readonly Uint8Array[]): Uint8Array;

  /**
   * The sum of public keys: the key under which their aggregate on one message verifies.
   *
   * @param publicKeys - at least one; each 48 bytes, compressed G1, and valid.
   * @returns 48 bytes, compressed G1: infinity when the keys cancel out, which no verification accepts.
   * @throws RangeError if the list is empty or a key is not valid.
   */
  aggregatePublicKeys(publicKeys: readonly Uint8Array[]): Uint8Array;

  /**
   * Reads a point of G1's prime-order subgroup. Infinity decodes, as in the vectors of the Ethereum specification;
   * whether it may be a key is validatePublicKey's question.
   *
   * @param bytes - 48 bytes, compressed G1; anything from a peer.
   * @returns 96 bytes, uncompressed, or a code.
   */
  decodePublicKey(bytes: Uint8Array): Decoded;

  /**
   * Reads a public key (draft, KeyValidate, section 2.5): decodePublicKey that refuses infinity too, the key of every
   * message's infinity signature.
   *
   * @param bytes - 48 bytes, compressed G1; anything from a peer.
   * @returns 96 bytes, uncompressed, or a code.
   */
  validatePublicKey(bytes: Uint8Array): Decoded;

  /**
   * Reads a point of G2's prime-order subgroup, infinity included. What it gives may be added and verified any number
   * of times without another subgroup check, the costly part of reading a signature.
   *
   * @param bytes - 96 bytes, compressed G2, or 192 if the form is `uncompressed`; anything from a peer.
   * @param form - `compressed` if undefined; bytes of the other form have the wrong length.
   * @returns 192 bytes, uncompressed, or a code.
   */
  decodeSignature(bytes: Uint8Array, form?: SignatureForm): Decoded;

  /**
   * The wire form of a decoded signature.
   *
   * @param point - 192 bytes, uncompressed G2, from decodeSignature or addSignatures.
   * @returns 96 bytes, compressed G2.
   * @throws RangeError if these bytes are no point of the curve.
   */
  encodeSignature(point: Uint8Array): Uint8Array;

  /**
   * The sum of two decoded signatures: the step that aggregation takes again and again, so there is no subgroup check.
   *
   * @param a - 192 bytes, uncompressed G2, from decodeSignature or addSignatures; equal, inverse and infinity are all
   *   good.
   * @param b - likewise.
   * @returns 192 bytes, uncompressed G2.
   * @throws RangeError if either is no point of the curve.
   */
  addSignatures(a: Uint8Array, b: Uint8Array): Uint8Array;

  /**
   * The point that stands for a message in a signature (RFC 9380, hash_to_curve), for those who check the suite itself.
   *
   * @param message - any length, 0 included.
   * @param domain - domain separation tag, 1 to 255 bytes; the signature suite's if undefined.
   * @returns 192 bytes, uncompressed G2.
   * @throws TypeError if the domain is no bytes, RangeError if it is empty or longer.
   */
  hashToCurve(message: Uint8Array, domain?: Uint8Array): Uint8Array;

  /**
   * The public data of one aggregation (Pub in Handel v1.03, section 2.1), kept ready: each contribution to the same
   * message over the same registry then costs a sum of keys and two pairings.
   *
   * @param publicKeys - the registry, in its order, at least one key: 48 bytes, compressed G1, validated here; or the
   *   96 bytes that validatePublicKey gave, trusted to be in the subgroup. Proofs of possession are the registry's
   *   business.
   * @param message - any length, 0 included.
   * @returns a round that holds kernel memory until its free() is called.
   * @throws RangeError if the registry is empty or a key is not valid.
   */
  round(publicKeys: readonly Uint8Array[], message: Uint8Array): BlsRound<Uint8Array | KeptSignature>;

  /**
   * What verifies the contributions of such a round on this thread: an {@link inThreadVerifier} of `round`, with the
   * same arguments and errors.
   *
   * @returns a verifier that holds kernel memory until its close() is called.
   */
  verifier(publicKeys: readonly Uint8Array[], message: Uint8Array): BlsVerifier;

  /**
   * A place for decoded keys and signatures.
   *
   * @param capacity - most points of both kinds at a time, 1 to 2^20.
   * @throws RangeError for an invalid capacity.
   */
  pointStore(capacity: number): PointStore;
}
