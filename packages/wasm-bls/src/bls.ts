/**
 * Why some bytes are not a point: stable codes, for counters and traces.
 *
 * `length`: not the one length of the encoding. `encoding`: flags or coordinates that no encoder writes (a coordinate not under the
 * modulus, an infinity with other bits set, an uncompressed form). `not-on-curve` and `not-in-subgroup`: a well-formed coordinate of no
 * point of the prime-order group. `infinity`: the identity, where KeyValidate forbids it.
 */
export type PointFault = 'length' | 'encoding' | 'not-on-curve' | 'not-in-subgroup' | 'infinity';

/** A point that was read and checked, uncompressed (96 bytes in G1, 192 in G2), or the reason that there is none. */
export type Decoded =
  | { readonly ok: true; readonly point: Uint8Array }
  | { readonly ok: false; readonly code: PointFault };

/**
 * BLS multi-signatures over BLS12-381 (draft-irtf-cfrg-bls-signature, proof-of-possession scheme), so that whoever aggregates need not
 * know which curve library works underneath.
 *
 * Whose bytes: a peer's keys, proofs and signatures may be anything, and the answer is `false` or a code. A secret key, an argument
 * that is no Uint8Array, an empty list where one is summed are the caller's own: TypeError or RangeError with label, expected, got.
 *
 * Neither implementation promises constant time, nor wipes a secret from memory: JavaScript and WebAssembly give no such hold.
 */
export interface Bls {
  readonly name: 'blst-wasm' | 'noble-curves';

  /**
   * The secret key that some entropy stands for (draft, KeyGen, section 2.3), so that a test's or a node's key follows from a seed.
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
   * Proof that the holder of a public key knows its secret (draft, PopProve, section 3.3.2): what a registry asks before it lets a key
   * in, since a key made from the others' keys could otherwise sign for them.
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
   * @returns 96 bytes, compressed G2.
   * @throws RangeError as publicKey does.
   */
  sign(secretKey: Uint8Array, message: Uint8Array): Uint8Array;

  /**
   * Whether a signature is that key's on that message (draft, CoreVerify, section 2.7); the key is validated and the signature's
   * subgroup checked each time.
   *
   * @param publicKey - 48 bytes, compressed G1; anything from a peer.
   * @param message - any length, 0 included.
   * @param signature - 96 bytes, compressed G2; anything from a peer.
   */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;

  /**
   * Whether a signature is the sum of all these keys' signatures on one message (draft, FastAggregateVerify, section 3.3.4).
   * Sound only for keys whose proof of possession was verified.
   *
   * @param publicKeys - each 48 bytes, compressed G1; each validated. An empty list is `false`; a key given twice counts twice.
   * @param message - any length, 0 included.
   * @param signature - 96 bytes, compressed G2; anything from a peer.
   */
  fastAggregateVerify(publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array): boolean;

  /**
   * The sum of signatures (draft, Aggregate, section 2.8).
   *
   * @param signatures - at least one; each 96 bytes, compressed G2, which is decoded but, as in the draft, not verified.
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
   * Reads a point of G1's prime-order subgroup. Infinity decodes, as in the vectors of the Ethereum specification; whether it may be a
   * key is validatePublicKey's question.
   *
   * @param bytes - 48 bytes, compressed G1; anything from a peer.
   * @returns 96 bytes, uncompressed, or a code.
   */
  decodePublicKey(bytes: Uint8Array): Decoded;

  /**
   * Reads a public key (draft, KeyValidate, section 2.5): decodePublicKey that refuses infinity too, the key of every message's
   * infinity signature.
   *
   * @param bytes - 48 bytes, compressed G1; anything from a peer.
   * @returns 96 bytes, uncompressed, or a code.
   */
  validatePublicKey(bytes: Uint8Array): Decoded;

  /**
   * Reads a point of G2's prime-order subgroup, infinity included. What it gives may be added and verified any number of times
   * without another subgroup check, the dear part of reading a signature.
   *
   * @param bytes - 96 bytes, compressed G2; anything from a peer.
   * @returns 192 bytes, uncompressed, or a code.
   */
  decodeSignature(bytes: Uint8Array): Decoded;

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
   * @param a - 192 bytes, uncompressed G2, from decodeSignature or addSignatures; equal, inverse and infinity are all good.
   * @param b - likewise.
   * @returns 192 bytes, uncompressed G2.
   * @throws RangeError if either is no point of the curve.
   */
  addSignatures(a: Uint8Array, b: Uint8Array): Uint8Array;

  /**
   * The point of G2 that stands for a message (RFC 9380, hash_to_curve), for those who check the suite itself.
   *
   * @param message - any length, 0 included.
   * @param domain - domain separation tag, 1 to 255 bytes; the signature suite's if undefined.
   * @returns 192 bytes, uncompressed G2.
   * @throws TypeError if the domain is no bytes, RangeError if it is empty or longer.
   */
  hashToG2(message: Uint8Array, domain?: Uint8Array): Uint8Array;

  /**
   * The public data of one aggregation (Pub in Handel v1.03, section 2.1), kept ready: each contribution to the same message
   * over the same registry then costs a sum of keys and two pairings.
   *
   * @param publicKeys - the registry, in its order, at least one key: 48 bytes, compressed G1, validated here; or the 96 bytes that
   *   validatePublicKey gave, trusted to be in the subgroup. Proofs of possession are the registry's business.
   * @param message - any length, 0 included.
   * @returns a round that holds kernel memory until its free() is called.
   * @throws RangeError if the registry is empty or a key is not valid.
   */
  round(publicKeys: readonly Uint8Array[], message: Uint8Array): BlsRound;
}

/** What a contribution claims: that its signature is the sum of these signers' signatures on the round's message. */
export interface ContributionClaim {
  /** Registry index of the set's first bit: an integer of 0 or more, the caller's own. */
  readonly first: number;
  /** Bit b, that is `bits[b >> 3]`'s bit `b & 7`, claims key first + b; anything from a peer. */
  readonly bits: Uint8Array;
  /** 96 bytes, compressed G2, anything from a peer; or 192 bytes from decodeSignature or addSignatures. */
  readonly signature: Uint8Array;
}

/** One message and one registry, against which contributions are verified. */
export interface BlsRound {
  /**
   * Whether a signature is the sum of the claimed signers' signatures.
   *
   * @param first - registry index of the set's first bit: an integer of 0 or more, the caller's own.
   * @param bits - bit b, that is `bits[b >> 3]`'s bit `b & 7`, claims key first + b. An empty set, or one that claims a key beyond the
   *   registry, is `false`.
   * @param signature - 96 bytes, compressed G2, anything from a peer; or 192 bytes from decodeSignature or addSignatures, trusted to
   *   be in the subgroup. Infinity is `false`.
   * @throws RangeError if `first` is no such integer; TypeError after free().
   */
  verify(first: number, bits: Uint8Array, signature: Uint8Array): boolean;

  /**
   * Whether all of many claims hold, in one check of two pairings: each claim's equation is multiplied by a random coefficient, and
   * the sum of them all is checked (Bellare, Garay, Rabin: Fast Batch Verification for Modular Exponentiation and Digital Signatures,
   * EUROCRYPT 1998, small exponents test).
   *
   * Sound because every signature read from 96 bytes is checked, singly, to be in the group of prime order r: whatever the other
   * claims, at most one value modulo r of an invalid claim's coefficient makes the sum come out. So a batch with an invalid claim is
   * taken for valid with a probability of 2^-63 at most, also if its claims were made to cancel each other; a valid one is refused
   * with no greater probability (when the sum happens to be infinity).
   *
   * The coefficients are the round's own, drawn from the system's generator once all claims are there.
   *
   * @param claims - as verify takes them; the same one may come twice. None at all is `true`, one is verified by itself.
   * @returns `true` if verify is `true` of each; `false` if it is not of at least one, which roundVerdicts finds.
   * @throws RangeError if a `first` is no such integer; TypeError after free().
   */
  verifyBatch(claims: readonly ContributionClaim[]): boolean;

  /**
   * Reads claims once, for any number of checks of some of them: sums each one's keys and decodes its signature, which for a large
   * registry is the dear part.
   *
   * @param claims - as verify takes them; their bytes may be reused once this has returned.
   * @returns claims that hold kernel memory until their free() is called, also after the round's.
   * @throws as verifyBatch.
   */
  readClaims(claims: readonly ContributionClaim[]): ReadClaims;

  /** Gives the round's memory back; doing so twice is harmless. */
  free(): void;
}

/** Claims about one round that were read, and can be checked any number of times, in any runs. */
export interface ReadClaims {
  /**
   * The positions, ascending, of those that can be true at all. The others, of which verify is `false` without a pairing (nobody or a
   * key beyond the registry claimed, bytes that are no point, infinity), were left out.
   */
  readonly places: readonly number[];

  /**
   * Whether all claims of a run hold, in one check of two pairings, under coefficients drawn anew; soundness as of verifyBatch.
   *
   * @param from - index into `places` of the first.
   * @param to - index after the last; at least one more than `from`.
   * @throws RangeError if there is no such run; TypeError after free().
   */
  hold(from: number, to: number): boolean;

  /** Gives the memory back; doing so twice is harmless. */
  free(): void;
}
