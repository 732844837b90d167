import type { Ring } from './ring.ts';

/**
 * Why bytes are not a signature of a ring. `length`: not the one length for the ring's size. `scalar`: one that is not
 * under the group order. `element`: what encodes no element, or the identity. `equation`: well-formed, and not of this
 * ring, event and message.
 */
export type RingSignatureFault = 'length' | 'scalar' | 'element' | 'equation';

/** What of a verified signature says whose other signatures it goes with, and nothing about whose it is. */
export interface RingMark {
  /** 64 bytes: names the message. */
  readonly message: Uint8Array;
  /** 32 bytes each: the tag; or of the traceable scheme one for each member. */
  readonly tags: readonly Uint8Array[];
}

export type VerifiedRingSignature =
  | { readonly ok: true; readonly mark: RingMark }
  | { readonly ok: false; readonly code: RingSignatureFault };

/**
 * How two signatures of one ring and event go together. `independent`: of two members. `repeated`: of one member, twice
 * the same message. `double`: of one member, and two messages; the traceable scheme says of which.
 */
export type RingRelation =
  | { readonly kind: 'independent' }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'double'; readonly signer: number | undefined };

/**
 * Signatures that some member of a ring made, of which nobody can say whose they are, only that two are of the same
 * member.
 *
 * `event` names the occasion: within one, a member's signatures go together; those of two say nothing about each other.
 * A ring is a part of what an event is: whoever could choose among rings would have a tag in each.
 *
 * Bytes from a peer give a code, never a throw. A key that is not in the ring and arguments that are no bytes are the
 * caller's own: RangeError or TypeError. Not in constant time, and JavaScript's integers cannot be wiped.
 */
export interface RingScheme {
  readonly name: 'linkable' | 'traceable';

  /** Bytes of a signature of a ring of this many members. */
  signatureBytes(members: number): number;

  /** Multiplications in the group by which a signature is verified, a member of the ring. */
  readonly multiplicationsPerMember: number;

  /**
   * Signs as a member of the ring; the signature does not say as which.
   *
   * @param secretKey of a member, 32 bytes.
   * @param event any bytes that name the occasion.
   * @param message any length, 0 included.
   * @param entropy 32 fresh bytes or more. Mixed with the key and all that is signed: were it to repeat, or to be
   *   known, then the signature would still be safe, but a repeated one would be the same.
   * @returns `signatureBytes(ring.size)` bytes.
   * @throws RangeError when no key of the ring is of this secret, or the entropy is shorter.
   */
  sign(ring: Ring, secretKey: Uint8Array, event: Uint8Array, message: Uint8Array, entropy: Uint8Array): Uint8Array;

  /**
   * The mark of a signature that a member of the ring made for this event and message, or why there is none.
   *
   * @param signature anything from a peer.
   */
  verify(ring: Ring, event: Uint8Array, message: Uint8Array, signature: Uint8Array): VerifiedRingSignature;

  /**
   * The mark that a signature has if it holds, at a small part of what verifying it costs; undefined for bytes that are
   * none.
   *
   * @param signature anything from a peer.
   */
  claimed(ring: Ring, event: Uint8Array, message: Uint8Array, signature: Uint8Array): RingMark | undefined;

  /** How two signatures of one ring and one event go together, by their marks. */
  relate(a: RingMark, b: RingMark): RingRelation;
}
