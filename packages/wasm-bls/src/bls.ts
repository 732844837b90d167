import type { Decoded, KeptKey, KeptSignature, ReadPoint, SignatureForm } from './points.ts';
import type { BlsRound } from './round.ts';
import type { Variant } from './suite.ts';
import type { BlsVerifier } from './verifier.ts';

/** Claim that the signature is one signer's signature on the message. */
export interface SignedMessage {
  readonly key: KeptKey;
  /** Message of any length, including 0. */
  readonly message: Uint8Array;
  readonly signature: KeptSignature;
}

/**
 * A store of decoded keys and signatures inside the library. Points are read and checked once, and then added and
 * verified by handle, without conversion to bytes. The store contains every point that it returns, including sums,
 * until the point is released or the store is freed.
 *
 * Lengths and groups in this interface are those of `min-pk`. With `min-sig`, keys are in G2 and signatures in G1: a
 * compressed key takes 96 bytes, a compressed signature 48 bytes, and an uncompressed signature 96 bytes.
 *
 * `capacity` limits the memory: it is the maximum number of points of both kinds together. The kernel uses 96 bytes per
 * key and 288 bytes per signature (with `min-sig`, 192 and 144 bytes), and reuses the memory of released points. The
 * kernel's memory never shrinks below its maximum size so far, because WebAssembly memory cannot shrink. Once neither a
 * store nor any of its handles is referenced, garbage collection frees the store's points.
 *
 * Every call throws a RangeError for a released handle, for a handle from another store or library, for a freed store,
 * and, if the call stores a point, for a full store. Every call throws a TypeError for a value that is not a handle of
 * the required kind.
 */
export interface PointStore {
  /** Maximum number of points of both kinds together. */
  readonly capacity: number;
  /** Number of points in the store. */
  readonly size: number;

  /**
   * Reads a public key as validatePublicKey does, and stores the key.
   *
   * @param bytes - 48 bytes, compressed G1; untrusted peer input.
   */
  readKey(bytes: Uint8Array): ReadPoint<KeptKey>;

  /**
   * Reads a signature as decodeSignature does, and stores the signature.
   *
   * @param bytes - 96 bytes, compressed G2, or 192 if the form is `uncompressed`; untrusted peer input.
   */
  readSignature(bytes: Uint8Array, form?: SignatureForm): ReadPoint<KeptSignature>;

  /**
   * Returns the sum of two signatures, which may be equal, inverse or infinity. Neither of the two signatures is
   * released.
   */
  addSignatures(a: KeptSignature, b: KeptSignature): KeptSignature;

  /**
   * Returns the sum of one or more signatures; a signature that occurs twice counts twice. None of the signatures is
   * released.
   */
  sumSignatures(signatures: readonly KeptSignature[]): KeptSignature;

  /**
   * Returns the sum of one or more keys, under which an aggregate of their signatures on one message verifies. If the
   * keys cancel out, the sum is infinity, under which no signature verifies.
   */
  sumKeys(keys: readonly KeptKey[]): KeptKey;

  /** Returns a key as 48 bytes, compressed G1. */
  encodeKey(key: KeptKey): Uint8Array;

  /** Returns a signature as 96 bytes, compressed G2, or 192 if the form is `uncompressed`. */
  encodeSignature(signature: KeptSignature, form?: SignatureForm): Uint8Array;

  /**
   * Returns whether a signature is the key's signature on a message of any length (draft, CoreVerify, section 2.7). For
   * infinity, the result is `false`.
   */
  verify(key: KeptKey, message: Uint8Array, signature: KeptSignature): boolean;

  /**
   * Returns whether every claim's signature is its key's signature on its message, in a single check with one pairing
   * per signature plus one. The equations are added with random coefficients, as in BlsRound.verifyBatch, with the same
   * soundness. Several claims may have the same message.
   *
   * @param claims - claims to verify; an empty list gives `true`.
   * @returns `true` if verify returns `true` for each claim, or `false` if it returns `false` for at least one claim.
   */
  verifyEach(claims: readonly SignedMessage[]): boolean;

  /** Releases a point. The point's handle is invalid afterwards. */
  release(kept: KeptKey | KeptSignature): void;

  /** Releases all points. A second call has no effect. */
  free(): void;
}

/**
 * BLS multi-signatures over BLS12-381 (draft-irtf-cfrg-bls-signature, proof-of-possession scheme), independent of the
 * underlying curve library.
 *
 * Trust: keys, proofs and signatures may be arbitrary bytes from a peer; invalid ones result in `false` or a code. An
 * invalid secret key, an argument that is not a Uint8Array, and an empty list to sum are errors of the caller. Such a
 * call throws a TypeError or RangeError that states the label, the expected value and the actual value.
 *
 * No implementation guarantees constant time or erases secrets from memory, because JavaScript and WebAssembly provide
 * no such guarantees.
 */
export interface Bls {
  readonly name: 'blst-wasm' | 'noble-curves' | 'blst-native';

  /**
   * Group of the keys. Lengths and groups in this interface are those of `min-pk`. With `min-sig`, keys are in G2, of
   * 96 bytes or 192, and signatures and proofs of possession are in G1, of 48 bytes or 96.
   */
  readonly variant: Variant;
  /** Lengths of a compressed key, a compressed signature, and an uncompressed signature, bytes; see `suites`. */
  readonly publicKeyBytes: number;
  readonly signatureBytes: number;
  readonly signaturePointBytes: number;

  /**
   * Derives a secret key from entropy (draft, KeyGen, section 2.3). The same entropy gives the same key.
   *
   * @param ikm - secret of at least 32 bytes, with full entropy.
   * @returns secret key, 32 bytes, big-endian, never zero.
   * @throws RangeError if `ikm` is shorter.
   */
  keyGen(ikm: Uint8Array): Uint8Array;

  /**
   * Returns the public key of a secret key (draft, SkToPk, section 2.4).
   *
   * @param secretKey - 32 bytes, big-endian, in the range 1..r-1.
   * @returns 48 bytes, compressed G1.
   * @throws RangeError if the secret key has another length, is zero, or is not less than the group order.
   */
  publicKey(secretKey: Uint8Array): Uint8Array;

  /**
   * Returns a proof that the owner of a public key knows the secret key (draft, PopProve, section 3.3.2). A registry
   * must verify this proof before it accepts the key. Otherwise, a key computed from the other members' keys could sign
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
   * @param message - message of any length, including 0.
   * @param domain - domain separation tag, 1 to 255 bytes; the suite's `signatureDst` if undefined.
   * @returns 96 bytes, compressed G2.
   * @throws RangeError as from publicKey, and for a domain of any other length.
   */
  sign(secretKey: Uint8Array, message: Uint8Array, domain?: Uint8Array): Uint8Array;

  /**
   * Signs an already hashed message: multiplies the message's point by the secret key.
   *
   * @param secretKey - 32 bytes, as for publicKey.
   * @param point - 192 bytes, uncompressed G2, from hashToCurve. The point is checked, and infinity is rejected.
   * @returns 96 bytes, compressed G2.
   * @throws RangeError as from publicKey, and if the bytes are not such a point.
   */
  signPoint(secretKey: Uint8Array, point: Uint8Array): Uint8Array;

  /**
   * Returns whether a signature is the given key's signature on the message (draft, CoreVerify, section 2.7). Each call
   * validates the key and checks the signature's subgroup.
   *
   * @param publicKey - 48 bytes, compressed G1; untrusted peer input.
   * @param message - message of any length, including 0.
   * @param signature - 96 bytes, compressed G2, or 192 if the form is `uncompressed`; untrusted peer input.
   * @param form - `compressed` if undefined; bytes in the other form give `false`.
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
   * Returns whether a signature is the sum of the keys' signatures, each on a separate message (draft,
   * CoreAggregateVerify, section 2.9). Equal messages are allowed: the caller, or {@link ciphersuite}, must enforce the
   * scheme's requirements on keys and messages.
   *
   * As an intentional divergence from the draft, infinity, the sum of signatures that cancel out, gives `false`.
   *
   * @param publicKeys - keys of 48 bytes each, compressed G1; each key is validated. An empty list gives `false`.
   * @param messages - as many messages as keys, each of any length, including 0; a different number gives `false`.
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
   * Works like aggregateVerify, but for already hashed messages. Every point is checked, and infinity is rejected.
   *
   * @param publicKeys - keys of 96 bytes each, uncompressed G1; untrusted peer input.
   * @param points - as many points as keys, each of 192 bytes, uncompressed G2; untrusted peer input.
   * @param signature - 96 bytes, compressed G2, or 192, uncompressed; untrusted peer input.
   */
  verifyPoints(publicKeys: readonly Uint8Array[], points: readonly Uint8Array[], signature: Uint8Array): boolean;

  /**
   * Returns whether a signature is the sum of all the keys' signatures on one message (draft, FastAggregateVerify,
   * section 3.3.4). The result is sound only for keys with a verified proof of possession.
   *
   * @param publicKeys - keys of 48 bytes each, compressed G1; each key is validated. An empty list gives `false`; a key
   * that occurs twice counts twice.
   * @param message - message of any length, including 0.
   * @param signature - 96 bytes, compressed G2; untrusted peer input.
   */
  fastAggregateVerify(publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array): boolean;

  /**
   * Returns the sum of signatures (draft, Aggregate, section 2.8).
   *
   * @param signatures - at least one signature; each takes 96 bytes, compressed G2, and is decoded but, as in the
   * draft, not verified.
   * @returns 96 bytes, compressed G2.
   * @throws RangeError if the list is empty or an item does not decode; callers should first decode bytes from a peer.
   */
  aggregateSignatures(signatures: readonly Uint8Array[]): Uint8Array;

  /**
   * Returns the sum of public keys, under which an aggregate of their signatures on one message verifies.
   *
   * @param publicKeys - at least one valid key; each takes 48 bytes, compressed G1.
   * @returns sum of the keys, 48 bytes, compressed G1; if the keys cancel out, infinity, which no verification accepts.
   * @throws RangeError if the list is empty or a key is invalid.
   */
  aggregatePublicKeys(publicKeys: readonly Uint8Array[]): Uint8Array;

  /**
   * Reads a point of G1's prime-order subgroup. Infinity is decoded, as in the vectors of the Ethereum specification;
   * validatePublicKey rejects infinity as a key.
   *
   * @param bytes - 48 bytes, compressed G1; untrusted peer input.
   * @returns point of 96 bytes, uncompressed, or an error code.
   */
  decodePublicKey(bytes: Uint8Array): Decoded;

  /**
   * Reads a public key (draft, KeyValidate, section 2.5). Unlike decodePublicKey, validatePublicKey also rejects
   * infinity, for which infinity is a valid signature on every message.
   *
   * @param bytes - 48 bytes, compressed G1; untrusted peer input.
   * @returns point of 96 bytes, uncompressed, or an error code.
   */
  validatePublicKey(bytes: Uint8Array): Decoded;

  /**
   * Reads a point in the prime-order subgroup of G2, including infinity. The result can be added and verified any
   * number of times without a further subgroup check, which is the expensive part of reading a signature.
   *
   * @param bytes - 96 bytes, compressed G2, or 192 if the form is `uncompressed`; untrusted peer input.
   * @param form - `compressed` if undefined; bytes in the other form have the wrong length.
   * @returns point of 192 bytes, uncompressed, or an error code.
   */
  decodeSignature(bytes: Uint8Array, form?: SignatureForm): Decoded;

  /**
   * Returns a decoded signature in wire form.
   *
   * @param point - 192 bytes, uncompressed G2, from decodeSignature or addSignatures.
   * @returns 96 bytes, compressed G2.
   * @throws RangeError if the bytes are not a point on the curve.
   */
  encodeSignature(point: Uint8Array): Uint8Array;

  /**
   * Returns the sum of two decoded signatures. Aggregation calls this function repeatedly, so the subgroup is not
   * checked.
   *
   * @param a - 192 bytes, uncompressed G2, from decodeSignature or addSignatures; `a` and `b` may be equal, inverse or
   * infinity.
   * @param b - second signature, in the same form as `a`.
   * @returns 192 bytes, uncompressed G2.
   * @throws RangeError if `a` or `b` is not a point on the curve.
   */
  addSignatures(a: Uint8Array, b: Uint8Array): Uint8Array;

  /**
   * Returns the point of a message (RFC 9380, hash_to_curve), for checks of the suite itself.
   *
   * @param message - message of any length, including 0.
   * @param domain - domain separation tag, 1 to 255 bytes; the signature suite's if undefined.
   * @returns 192 bytes, uncompressed G2.
   * @throws TypeError if the domain is not a Uint8Array; RangeError if the domain is empty or too long.
   */
  hashToCurve(message: Uint8Array, domain?: Uint8Array): Uint8Array;

  /**
   * Prepares the public data of one aggregation (Pub in Handel v1.03, section 2.1). Each verification of a contribution
   * for the same message and registry then costs one sum of keys and two pairings.
   *
   * @param publicKeys - registry with at least one key, in registry order: keys of 48 bytes, compressed G1, which are
   * validated; or points of 96 bytes from validatePublicKey, which are trusted to be in the subgroup. The registry must
   * already have verified the proofs of possession.
   * @param message - message of any length, including 0.
   * @returns a round that occupies kernel memory until its free() is called.
   * @throws RangeError if the registry is empty or a key is invalid.
   */
  round(publicKeys: readonly Uint8Array[], message: Uint8Array): BlsRound<Uint8Array | KeptSignature>;

  /**
   * Creates a verifier of a round's contributions on this thread: an {@link inThreadVerifier} of `round`, with the same
   * arguments and errors.
   *
   * @returns a verifier that occupies kernel memory until its close() is called.
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
