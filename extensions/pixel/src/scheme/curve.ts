import type { BlsRound, Decoded } from '@tutti/wasm-bls/kernel';

/**
 * Functions of a curve library that Pixel needs, so that the scheme does not depend on the library.
 *
 * Scalars are 64 bytes, big-endian, reduced modulo the group order r. The two points of a signature are 144 compressed
 * bytes (48 in G1, 96 in G2) or, after a check, 288 uncompressed bytes. Only keys, proofs and signatures may come from
 * an untrusted peer.
 */
export interface PixelCurve {
  readonly name: 'blst-wasm' | 'noble-curves';

  /**
   * Returns the sum of two points of G2 in the subgroup, to which two elements of Fp2 are mapped (RFC 9380, section
   * 6.6.3): 192 bytes.
   */
  mapToG2(elements: Uint8Array): Uint8Array;
  /** Hashes a message to G2 (RFC 9380, hash_to_curve): 192 bytes. */
  hashToG2(message: Uint8Array, domain: string): Uint8Array;

  /** Returns the public key for a secret scalar: 48 bytes, compressed G1. */
  publicKey(secret: Uint8Array): Uint8Array;
  /** Returns the product of the secret scalar and a hashed point of 192 bytes: 96 bytes, compressed G2. */
  provePossession(secret: Uint8Array, hashed: Uint8Array): Uint8Array;
  /**
   * Returns whether a proof of 96 bytes was made with the secret of the key of 48 bytes, for a hashed point of 192
   * bytes.
   */
  verifyPossession(key: Uint8Array, proof: Uint8Array, hashed: Uint8Array): boolean;
  /** Decodes a public key from 48 bytes to 96 bytes. The point at infinity is rejected. */
  validateKey(bytes: Uint8Array): Decoded;
  /** Returns the sum of at least one key of 48 bytes. @throws RangeError if a key is not valid. */
  sumKeys(keys: readonly Uint8Array[]): Uint8Array;

  /** Decodes a signature from 144 bytes to 288 bytes. */
  decodeSignature(bytes: Uint8Array): Decoded;
  /** Encodes a signature of 288 bytes as 144 bytes. @throws RangeError if the bytes are not points. */
  encodeSignature(points: Uint8Array): Uint8Array;
  /** Returns the sum of two signatures. @throws RangeError if either is not a pair of points. */
  addSignatures(a: Uint8Array, b: Uint8Array): Uint8Array;

  /** Prepares the parameters h and h_0 to h_D, 192 bytes each. */
  open(points: Uint8Array): PixelGenerators;
}

/**
 * The prepared parameters of a suite. A path's bytes are its steps; a sub-key's bytes are g2r, hpoly and hvector,
 * compressed.
 */
export interface PixelGenerators {
  /** Returns the sub-key of the root. */
  firstSubkey(secret: Uint8Array, randomness: Uint8Array): Uint8Array;
  /**
   * Returns the sub-key of a descendant, whose path begins with the ancestor's path. If no randomness is given, the
   * sub-key has the ancestor's randomness.
   */
  delegate(subkey: Uint8Array, path: Uint8Array, randomness: Uint8Array | undefined): Uint8Array;
  /** Signs a message, and returns 144 bytes. */
  sign(subkey: Uint8Array, path: Uint8Array, message: Uint8Array, randomness: Uint8Array): Uint8Array;
  /**
   * Returns whether a signature is valid for this key at this node.
   *
   * @param key 48 bytes, which are checked here.
   * @param signature either 144 bytes, which are checked here, or 288 bytes that were already checked.
   */
  verify(key: Uint8Array, path: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
  /**
   * Returns whether a sub-key belongs to this public key at this node, and all points of the sub-key are in their
   * subgroups.
   *
   * @param coefficients 8 random bytes for each point of hvector.
   */
  verifySubkey(key: Uint8Array, path: Uint8Array, subkey: Uint8Array, coefficients: Uint8Array): boolean;
  /**
   * Prepares e(pk, h) for the sum of keys of 48 bytes. @throws RangeError if a key is not valid, or the keys cancel
   * out.
   */
  keep(keys: readonly Uint8Array[]): KeptPairing;
  /** Prepares an aggregation with keys of 96 checked bytes. @throws RangeError if a key is not valid. */
  round(keys: readonly Uint8Array[], path: Uint8Array, message: Uint8Array): BlsRound;
}

/** A stored value of e(pk, h). With the stored value, a verification takes two pairings instead of three. */
export interface KeptPairing {
  /**
   * Returns whether a signature is valid at this node for the sum of the keys.
   *
   * @param signature either 144 bytes, which are checked here, or 288 bytes that were already checked.
   */
  verify(path: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
  /** Releases the memory. A second call of `free` has no effect. */
  free(): void;
}

/** Lengths of keys, signatures and their parts, bytes. */
export const size = {
  suite: 1,
  time: 4,
  /** Compressed point of G1. */
  g1: 48,
  /** Compressed point of G2. */
  g2: 96,
  /** Uncompressed point of G1. */
  g1Point: 96,
  /** Uncompressed point of G2. */
  g2Point: 192,
  /** Suite and time of a signature. */
  header: 5,
  /** Compressed points of a signature. */
  body: 144,
  /** Uncompressed points of a signature. */
  points: 288,
} as const;
