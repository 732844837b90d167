import type { Decoded, KeptKey, KeptSignature, ReadPoint, SignatureForm } from './points.ts';
import type { BlsRound } from './round.ts';
import type { Variant } from './suite.ts';
import type { BlsVerifier } from './verifier.ts';

/** Claim of one signer that the signature is the key's signature on the message. */
export interface SignedMessage {
  readonly key: KeptKey;
  /** The message; any length, 0 included. */
  readonly message: Uint8Array;
  readonly signature: KeptSignature;
}

/**
 * A store of decoded keys and signatures inside the library. Points are read and checked once, then added and verified
 * by handle, without conversion to bytes. The store contains every point that it returns, sums included, until the
 * point is released or the store is freed.
 *
 * Lengths and groups below are those of `min-pk`. With `min-sig`, keys are in G2 and signatures in G1: a compressed key
 * has 96 bytes, a signature 48, or 96 uncompressed.
 *
 * Memory: `capacity` limits the points of both kinds together. The kernel uses 96 bytes for a key and 288 for a
 * signature (with `min-sig` 192 and 144), and reuses the memory of released points. Its memory does not shrink below
 * its maximum, because WebAssembly's memory cannot shrink. When neither a store nor any of its handles is referenced
 * any more, garbage collection frees its points.
 *
 * Every call throws RangeError for a handle that was released or belongs to another store or library, for a freed
 * store, and, if the call stores a point, for a full store. It throws TypeError for a value that is not a handle of the
 * required kind.
 */
export interface PointStore {
  /** Maximum number of points of both kinds together. */
  readonly capacity: number;
  /** Number of points in the store. */
  readonly size: number;

  /**
   * Reads a public key, as validatePublicKey does, and stores it.
   *
   * @param bytes - 48 bytes, compressed G1; untrusted peer input.
   */
  readKey(bytes: Uint8Array): ReadPoint<KeptKey>;

  /**
   * Reads a signature, as decodeSignature does, and stores it.
   *
   * @param bytes - 96 bytes, compressed G2, or 192 if the form is `uncompressed`; untrusted peer input.
   */
  readSignature(bytes: Uint8Array, form?: SignatureForm): ReadPoint<KeptSignature>;

  /** Returns the sum of two signatures, which may be equal, inverse or infinity. It releases neither. */
  addSignatures(a: KeptSignature, b: KeptSignature): KeptSignature;

  /**
   * Returns the sum of one or more signatures; a signature that occurs twice counts twice. It releases none of them.
   */
  sumSignatures(signatures: readonly KeptSignature[]): KeptSignature;

  /**
   * Returns the sum of one or more keys, under which their aggregate on one message verifies. If the keys cancel out,
   * it is infinity, under which nothing verifies.
   */
  sumKeys(keys: readonly KeptKey[]): KeptKey;

  /** Returns a key as 48 bytes, compressed G1. */
  encodeKey(key: KeptKey): Uint8Array;

  /** Returns a signature as 96 bytes, compressed G2, or 192 if the form is `uncompressed`. */
  encodeSignature(signature: KeptSignature, form?: SignatureForm): Uint8Array;

  /**
   * Returns whether a signature is the key's signature on a message of any length (draft, CoreVerify, section 2.7).
   * Infinity is `false`.
   */
  verify(key: KeptKey, message: Uint8Array, signature: KeptSignature): boolean;

  /**
   * Returns whether every signature is its key's signature on its message, in one check with one pairing per signature
   * plus one. The equations are added with random coefficients, as in BlsRound.verifyBatch, with the same soundness.
   * Messages may be equal.
   *
   * @param claims - an empty list is `true`.
   * @returns `true` if verify is `true` for each claim, or `false` if it is `false` for at least one.
   */
  verifyEach(claims: readonly SignedMessage[]): boolean;

  /** Releases a point. Its handle is invalid afterwards. */
  release(kept: KeptKey | KeptSignature): void;

  /** Releases all points. A second call has no effect. */
  free(): void;
}

/**
 * BLS multi-signatures over BLS12-381 (draft-irtf-cfrg-bls-signature, proof-of-possession scheme), independent of the
 * underlying curve library.
 *
 * Trust: keys, proofs and signatures may be arbitrary bytes from a peer; invalid ones result in `false` or a code. An
 * invalid secret key, an argument that is not a Uint8Array, or an empty list to sum is an error of the caller. It
 * throws a TypeError or RangeError with label, expected value and actual value.
 *
 * No implementation guarantees constant time or wipes secrets from memory, because JavaScript and WebAssembly give no
 * such guarantees.
 */
export interface Bls {
  readonly name: 'blst-wasm' | 'noble-curves' | 'blst-native';

  /**
   * Group of the keys. Lengths and groups below are those of `min-pk`. With `min-sig`, keys are in G2, of 96 bytes or
   * 192, and signatures and proofs of possession are in G1, of 48 bytes or 96.
   */
  readonly variant: Variant;
  /** Lengths of a compressed key, of a compressed signature, and of an uncompressed one, bytes; see `suites`. */
  readonly publicKeyBytes: number;
  readonly signatureBytes: number;
  readonly signaturePointBytes: number;

  /**
   * Derives a secret key from entropy (draft, KeyGen, section 2.3). The same entropy gives the same key.
   *
   * @param ikm - 32 bytes or more, secret, of full entropy.
   * @returns 32 bytes, big-endian, never zero.
   * @throws RangeError if `ikm` is shorter.
   */
  keyGen(ikm: Uint8Array): Uint8Array;

  /**
   * Returns the public key of a secret key (draft, SkToPk, section 2.4).
   *
   * @param secretKey - 32 bytes, big-endian, in 1..r-1.
   * @returns 48 bytes, compressed G1.
   * @throws RangeError if the secret key has another length, is zero, or is not less than the group order.
   */
  publicKey(secretKey: Uint8Array): Uint8Array;

  /**
   * Returns a proof that the holder of a public key knows its secret key (draft, PopProve, section 3.3.2). A registry
   * must verify it before it accepts a key. Otherwise a key that was computed from the other members' keys could sign
   * on their behalf.
   *
   * @param secretKey - 32 bytes, as for publicKey.
   * @returns 96 bytes, compressed G2.
   * @throws RangeError as publicKey does.
   */
  provePossession(secretKey: Uint8Array): Uint8Array;

  /**
   * Returns whether a proof of possession belongs to a public key (draft, PopVerify, section 3.3.3).
   *
   * @param publicKey - 48 bytes, compressed G1; untrusted peer input.
   * @param proof - 96 bytes, compressed G2; untrusted peer input.
   */
  verifyPossession(publicKey: Uint8Array, proof: Uint8Array): boolean;

  /**
   * Signs a message (draft, CoreSign, section 2.6).
   *
   * @param secretKey - 32 bytes, as for publicKey.
   * @param message - any length, 0 included.
   * @param domain - domain separation tag, 1 to 255 bytes; the suite's `signatureDst` if undefined.
   * @returns 96 bytes, compressed G2.
   * @throws RangeError as publicKey does, and for a domain of another length.
   */
  sign(secretKey: Uint8Array, message: Uint8Array, domain?: Uint8Array): Uint8Array;

  /**
   * Signs a message that was already hashed: multiplies its point by the secret key.
   *
   * @param secretKey - 32 bytes, as for publicKey.
   * @param point - 192 bytes, uncompressed G2, from hashToCurve. It is checked; infinity is rejected.
   * @returns 96 bytes, compressed G2.
   * @throws RangeError as publicKey does, and if these bytes are not such a point.
   */
  signPoint(secretKey: Uint8Array, point: Uint8Array): Uint8Array;

  /**
   * Returns whether a signature is this key's signature on this message (draft, CoreVerify, section 2.7). Each call
   * validates the key and checks the signature's subgroup.
   *
   * @param publicKey - 48 bytes, compressed G1; untrusted peer input.
   * @param message - any length, 0 included.
   * @param signature - 96 bytes, compressed G2, or 192 if the form is `uncompressed`; untrusted peer input.
   * @param form - `compressed` if undefined; bytes of the other form are `false`.
   * @param domain - domain separation tag, as for sign.
   */
  verify(
    publicKey: Uint8Array,
    message: Uint8Array,
    signature: Uint8Array,
    form?: SignatureForm,
    domain?: Uint8Array,
  ): boolean;

  /**
   * Returns whether a signature is the sum of each key's signature on its own message (draft, CoreAggregateVerify,
   * section 2.9). Messages may be equal: the caller, or {@link ciphersuite}, must enforce the scheme's requirements on
   * keys and messages.
   *
   * Intentional divergence: infinity, the sum of signatures that cancel out, is `false`.
   *
   * @param publicKeys - each 48 bytes, compressed G1; each validated. An empty list is `false`.
   * @param messages - the same number, of any length, 0 included; another number is `false`.
   * @param signature - 96 bytes, compressed G2; untrusted peer input.
   * @param domain - domain separation tag, as for sign.
   */
  aggregateVerify(
    publicKeys: readonly Uint8Array[],
    messages: readonly Uint8Array[],
    signature: Uint8Array,
    domain?: Uint8Array,
  ): boolean;

  /**
   * Works like aggregateVerify, for messages that were already hashed. Every point is checked, and infinity is
   * rejected.
   *
   * @param publicKeys - each 96 bytes, uncompressed G1; untrusted peer input.
   * @param points - the same number, each 192 bytes, uncompressed G2; untrusted peer input.
   * @param signature - 96 bytes, compressed G2, or 192, uncompressed; untrusted peer input.
   */
  verifyPoints(publicKeys: readonly Uint8Array[], points: readonly Uint8Array[], signature: Uint8Array): boolean;

  /**
   * Returns whether a signature is the sum of all these keys' signatures on one message (draft, FastAggregateVerify,
   * section 3.3.4). It is sound only for keys whose proof of possession was verified.
   *
   * @param publicKeys - each 48 bytes, compressed G1; each validated. An empty list is `false`; a key that occurs twice
   * counts twice.
   * @param message - any length, 0 included.
   * @param signature - 96 bytes, compressed G2; untrusted peer input.
   */
  fastAggregateVerify(publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array): boolean;

  /**
   * Returns the sum of signatures (draft, Aggregate, section 2.8).
   *
   * @param signatures - at least one; each 96 bytes, compressed G2, which is decoded but, as in the draft, not
   * verified.
   * @returns 96 bytes, compressed G2.
   * @throws RangeError if the list is empty or an item does not decode: decode a peer's bytes first.
   */
  aggregateSignatures(signatures: readonly Uint8Array[]): Uint8Array;

  /**
   * Returns the sum of public keys: the key under which their aggregate on one message verifies.
   *
   * @param publicKeys - at least one; each 48 bytes, compressed G1, and valid.
   * @returns 48 bytes, compressed G1: infinity if the keys cancel out, which no verification accepts.
   * @throws RangeError if the list is empty or a key is not valid.
   */
  aggregatePublicKeys(publicKeys: readonly Uint8Array[]): Uint8Array;

  /**
   * Reads a point of G1's prime-order subgroup. Infinity decodes, as in the vectors of the Ethereum specification;
   * validatePublicKey rejects it as a key.
   *
   * @param bytes - 48 bytes, compressed G1; untrusted peer input.
   * @returns 96 bytes, uncompressed, or a code.
   */
  decodePublicKey(bytes: Uint8Array): Decoded;

  /**
   * Reads a public key (draft, KeyValidate, section 2.5). Unlike decodePublicKey, it also rejects infinity, under which
   * infinity is a valid signature on every message.
   *
   * @param bytes - 48 bytes, compressed G1; untrusted peer input.
   * @returns 96 bytes, uncompressed, or a code.
   */
  validatePublicKey(bytes: Uint8Array): Decoded;

  /**
   * Reads a point of G2's prime-order subgroup, infinity included. The result can be added and verified any number of
   * times without another subgroup check, the expensive part of reading a signature.
   *
   * @param bytes - 96 bytes, compressed G2, or 192 if the form is `uncompressed`; untrusted peer input.
   * @param form - `compressed` if undefined; bytes of the other form have the wrong length.
   * @returns 192 bytes, uncompressed, or a code.
   */
  decodeSignature(bytes: Uint8Array, form?: SignatureForm): Decoded;

  /**
   * Returns the wire form of a decoded signature.
   *
   * @param point - 192 bytes, uncompressed G2, from decodeSignature or addSignatures.
   * @returns 96 bytes, compressed G2.
   * @throws RangeError if these bytes are not a point of the curve.
   */
  encodeSignature(point: Uint8Array): Uint8Array;

  /**
   * Returns the sum of two decoded signatures. Aggregation calls it repeatedly, so it does not check the subgroup.
   *
   * @param a - 192 bytes, uncompressed G2, from decodeSignature or addSignatures; `a` and `b` may be equal, inverse or
   * infinity.
   * @param b - as `a`.
   * @returns 192 bytes, uncompressed G2.
   * @throws RangeError if either is not a point of the curve.
   */
  addSignatures(a: Uint8Array, b: Uint8Array): Uint8Array;

  /**
   * Returns the point of a message (RFC 9380, hash_to_curve), for checks of the suite itself.
   *
   * @param message - any length, 0 included.
   * @param domain - domain separation tag, 1 to 255 bytes; the signature suite's if undefined.
   * @returns 192 bytes, uncompressed G2.
   * @throws TypeError if the domain is not a Uint8Array, RangeError if it is empty or exceeds the maximum length.
   */
  hashToCurve(message: Uint8Array, domain?: Uint8Array): Uint8Array;

  /**
   * Prepares the public data of one aggregation (Pub in Handel v1.03, section 2.1). The verification of a contribution
   * to the same message and registry then costs a sum of keys and two pairings.
   *
   * @param publicKeys - the registry, in its order, at least one key: 48 bytes, compressed G1, validated here; or the
   * 96 bytes from validatePublicKey, trusted to be in the subgroup. The registry must have verified the proofs of
   * possession.
   * @param message - any length, 0 included.
   * @returns a round that uses kernel memory until its free() is called.
   * @throws RangeError if the registry is empty or a key is not valid.
   */
  round(publicKeys: readonly Uint8Array[], message: Uint8Array): BlsRound<Uint8Array | KeptSignature>;

  /**
   * Creates a verifier of the contributions of such a round on this thread: an {@link inThreadVerifier} of `round`,
   * with the same arguments and errors.
   *
   * @returns a verifier that uses kernel memory until its close() is called.
   */
  verifier(publicKeys: readonly Uint8Array[], message: Uint8Array): BlsVerifier;

  /**
   * Creates a store of decoded keys and signatures.
   *
   * @param capacity - maximum number of points of both kinds together, 1 to 2^20.
   * @throws RangeError for an invalid capacity.
   */
  pointStore(capacity: number): PointStore;
}
