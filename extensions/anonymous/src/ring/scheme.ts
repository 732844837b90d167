import type { Ring } from './ring.ts';

/**
 * Reason why bytes are not a signature of a ring. `length`: not the length that the ring's size requires. `scalar`: a
 * scalar that is not below the group order. `element`: bytes that encode no element, or the identity. `equation`:
 * well-formed, but not for this ring, event and message.
 */
export type RingSignatureFault = 'length' | 'scalar' | 'element' | 'equation';

/**
 * The part of a verified signature that links it with others of the same member, and reveals nothing about the member.
 */
export interface RingMark {
  /** Identifier of the message, 64 bytes. */
  readonly message: Uint8Array;
  /** Tags, 32 bytes each: one, or in the traceable scheme one per member. */
  readonly tags: readonly Uint8Array[];
}

/** Result of a verification: a mark, or a fault. */
export type VerifiedRingSignature =
  | { readonly ok: true; readonly mark: RingMark }
  | { readonly ok: false; readonly code: RingSignatureFault };

/**
 * Relation of two signatures of one ring and event. `independent`: by two members. `repeated`: by one member, twice on
 * the same message. `double`: by one member, on two messages; the traceable scheme identifies the member.
 */
export type RingRelation =
  | { readonly kind: 'independent' }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'double'; readonly signer: number | undefined };

/**
 * A scheme of signatures by some member of a ring. Signatures do not reveal the member, only whether two are by the
 * same member.
 *
 * `event` identifies an occasion. Within one event, a member's signatures are linked; those of two events are
 * unrelated. The ring is part of the event: a member that could choose among rings would have one tag in each.
 *
 * Invalid bytes from a peer give a code, never an exception. A key that is not in the ring, and arguments that are not
 * bytes, are errors of the caller: RangeError or TypeError. The functions are not constant-time, and JavaScript's
 * integers cannot be wiped.
 */
export interface RingScheme {
  readonly name: 'linkable' | 'traceable';

  /** Returns the length of a signature of a ring of this number of members, bytes. */
  signatureBytes(members: number): number;

  /** Number of group multiplications of a verification, per member of the ring. */
  readonly multiplicationsPerMember: number;

  /**
   * Signs as a member of the ring. The signature does not reveal which one.
   *
   * @param secretKey secret key of a member, 32 bytes.
   * @param event any bytes that identify the occasion.
   * @param message message of any length, including 0.
   * @param entropy at least 32 fresh bytes, mixed with the key and all signed data. The signature remains secure if
   * they are repeated or known, but equal inputs then give equal signatures.
   * @returns `signatureBytes(ring.size)` bytes.
   * @throws RangeError if no key of the ring belongs to this secret, or the entropy is too short.
   */
  sign(ring: Ring, secretKey: Uint8Array, event: Uint8Array, message: Uint8Array, entropy: Uint8Array): Uint8Array;

  /**
   * Verifies that a member of the ring made a signature for this event and message. Returns its mark, or the reason why
   * it is invalid.
   *
   * @param signature arbitrary data from a peer.
   */
  verify(ring: Ring, event: Uint8Array, message: Uint8Array, signature: Uint8Array): VerifiedRingSignature;

  /**
   * Returns the mark that a signature has if it is valid, at a small part of the cost of its verification; undefined
   * for malformed bytes.
   *
   * @param signature arbitrary data from a peer.
   */
  claimed(ring: Ring, event: Uint8Array, message: Uint8Array, signature: Uint8Array): RingMark | undefined;

  /** Returns the relation of two signatures of one ring and one event, by their marks. */
  relate(a: RingMark, b: RingMark): RingRelation;
}
