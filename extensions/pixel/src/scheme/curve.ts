import type { BlsRound, Decoded } from '@tutti/wasm-bls/kernel';

/**
 * What Pixel asks of a curve library, so that the scheme does not know which one works underneath.
 *
 * Scalars are 64 bytes, big-endian, taken modulo the group order r. A signature's two points are 144 compressed bytes
 * (48 in G1, 96 in G2) or, once they were checked, 288 uncompressed ones. Only keys, proofs and signatures may be an
 * untrusted peer's.
 */
export interface PixelCurve {
  readonly name: 'blst-wasm' | 'noble-curves';

  /**
   * The sum of the points of G2 that two elements of Fp2 are mapped to (RFC 9380, section 6.6.3), in the subgroup: 192
   * bytes.
   */
  mapToG2(elements: Uint8Array): Uint8Array;
  /** RFC 9380, hash_to_curve: 192 bytes. */
  hashToG2(message: Uint8Array, domain: string): Uint8Array;

  /** 48 bytes, compressed G1. */
  publicKey(secret: Uint8Array): Uint8Array;
  /** 96 bytes, compressed G2: the secret times a hashed point of 192 bytes. */
  provePossession(secret: Uint8Array, hashed: Uint8Array): Uint8Array;
  verifyPossession(key: Uint8Array, proof: Uint8Array, hashed: Uint8Array): boolean;
  /** 48 bytes to 96; infinity is refused. */
  validateKey(bytes: Uint8Array): Decoded;
  /** The sum of at least one key of 48 bytes. @throws RangeError if one is not valid. */
  sumKeys(keys: readonly Uint8Array[]): Uint8Array;

  /** 144 bytes to 288. */
  decodeSignature(bytes: Uint8Array): Decoded;
  /** 288 bytes to 144. @throws RangeError if these are no points. */
  encodeSignature(points: Uint8Array): Uint8Array;
  /** @throws RangeError if either is no pair of points. */
  addSignatures(a: Uint8Array, b: Uint8Array): Uint8Array;

  /** Keeps parameters ready: h, then h_0 to h_D, 192 bytes each. */
  open(points: Uint8Array): PixelGenerators;
}

/**
 * A suite's parameters, kept ready. A path's bytes are its steps; a sub-key's are g2r, hpoly and hvector, compressed.
 */
export interface PixelGenerators {
  /** The root's sub-key. */
  firstSubkey(secret: Uint8Array, randomness: Uint8Array): Uint8Array;
  /** The sub-key of a descendant, whose path begins with the ancestor's; without randomness it keeps the ancestor's. */
  delegate(subkey: Uint8Array, path: Uint8Array, randomness: Uint8Array | undefined): Uint8Array;
  /** 144 bytes. */
  sign(subkey: Uint8Array, path: Uint8Array, message: Uint8Array, randomness: Uint8Array): Uint8Array;
  /** Whether 288 checked bytes are a signature of this key at this node. */
  verify(key: Uint8Array, path: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
  /**
   * Whether a sub-key is this public key's at this node, and all of its points are in their subgroups.
   *
   * @param coefficients 8 random bytes for each point of hvector.
   */
  verifySubkey(key: Uint8Array, path: Uint8Array, subkey: Uint8Array, coefficients: Uint8Array): boolean;
  /** Keeps e(pk, h) of the sum of keys of 48 bytes. @throws RangeError if one is not valid, or they cancel out. */
  keep(keys: readonly Uint8Array[]): KeptPairing;
  /** What one aggregation is verified against: keys of 96 checked bytes. @throws RangeError if one is not valid. */
  round(keys: readonly Uint8Array[], path: Uint8Array, message: Uint8Array): BlsRound;
}

/** e(pk, h), kept: a verification takes two pairings, not three. */
export interface KeptPairing {
  verify(path: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
  free(): void;
}

/** Bytes of what is in a key or a signature. */
export const size = {
  suite: 1,
  time: 4,
  g1: 48,
  g2: 96,
  g1Point: 96,
  g2Point: 192,
  header: 5,
  body: 144,
  points: 288,
} as const;
