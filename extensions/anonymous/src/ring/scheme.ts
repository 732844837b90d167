import type { Ring } from './ring.ts';

/**
 * Reason why bytes are not a valid signature for a ring. `length`: the length differs from the length that the ring's
 * size requires. `scalar`: a scalar that is not below the group order. `element`: bytes that encode no element, or the
 * identity. `equation`: the signature is well-formed, but not valid for this ring, event and message.
 */
export type RingSignatureFault = 'length' | 'scalar' | 'element' | 'equation';

/**
 * Part of a verified signature that links it with other signatures by the same member, and reveals nothing about the
 * member.
 */
export interface RingMark {
  /** SHA-512 of the message, 64 bytes. */
  readonly message: Uint8Array;
  /** Tags, 32 bytes each: a single tag, or in the traceable scheme one tag per member. */
  readonly tags: readonly Uint8Array[];
}

/** Result of a verification: a mark, or the reason why the signature is invalid. */
export type VerifiedRingSignature =
  | { readonly ok: true; readonly mark: RingMark }
  | { readonly ok: false; readonly code: RingSignatureFault };

/**
 * Relation of two signatures of one ring and event. `independent`: the signatures are by two members. `repeated`: the
 * signatures are by one member, on the same message. `double`: the signatures are by one member, on two different
 * messages; the traceable scheme identifies the member.
 */
export type RingRelation =
  | { readonly kind: 'independent' }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'double'; readonly signer: number | undefined };

/**
 * Scheme of ring signatures, which are made by some member of a ring. Signatures do not reveal the member, only whether
 * two are by the same member.
 *
 * The argument `event` identifies the occasion of a signature. Within one event, a member's signatures are linked;
 * signatures for two different events are unrelated. The ring is part of the event: a member that could choose among
 * several rings would have one tag in each ring.
 *
 * Invalid bytes from a peer result in a code, never in an exception. A key that is not in the ring, and arguments that
 * are not bytes, are errors of the caller: RangeError or TypeError. The functions do not run in constant time, and
 * JavaScript's integers cannot be wiped from memory.
 */
export interface RingScheme {
  readonly name: 'linkable' | 'traceable';

  /** Returns the length of a signature for a ring with the given number of members, bytes. */
  signatureBytes(members: number): number;

  /** Number of group multiplications of a verification, per member of the ring. */
  readonly multiplicationsPerMember: number;

  /**
   * Signs as a member of the ring. The signature does not reveal which member signed.
   *
   * @param secretKey secret key of a member, 32 bytes.
   * @param event any bytes that identify the occasion.
   * @param message message of any length, including 0.
   * @param entropy at least 32 fresh bytes, mixed with the key and all signed data. If the entropy is repeated or
   * known, signatures remain secure, but equal inputs give equal signatures.
   * @returns `signatureBytes(ring.size)` bytes.
   * @throws RangeError if the secret key belongs to no key of the ring, or the entropy is too short.
   */
  sign(ring: Ring, secretKey: Uint8Array, event: Uint8Array, message: Uint8Array, entropy: Uint8Array): Uint8Array;

  /**
   * Verifies that a member of the ring made a signature for this event and message. Returns the signature's mark, or
   * the reason why the signature is invalid.
   *
   * @param signature arbitrary data from a peer.
   */
  verify(ring: Ring, event: Uint8Array, message: Uint8Array, signature: Uint8Array): VerifiedRingSignature;

  /**
   * Returns the mark that a signature would have if it were valid, at a small fraction of the cost of verification;
   * undefined for malformed bytes.
   *
   * @param signature arbitrary data from a peer.
   */
  claimed(ring: Ring, event: Uint8Array, message: Uint8Array, signature: Uint8Array): RingMark | undefined;

  /**
   * Compares the marks of two signatures for one ring and one event, and returns the relation between the signatures.
   */
  relate(a: RingMark, b: RingMark): RingRelation;
}
