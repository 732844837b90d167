/**
 * Why some bytes are not a point: stable codes, for counters and traces.
 *
 * `length`: not the one length of the encoding. `encoding`: flags or coordinates that no encoder writes (a coordinate
 * not under the modulus, an infinity with other bits set, an uncompressed form). `not-on-curve` and `not-in-subgroup`:
 * a well-formed coordinate of no point of the prime-order group. `infinity`: the identity, where KeyValidate forbids
 * it.
 */
export type PointFault = 'length' | 'encoding' | 'not-on-curve' | 'not-in-subgroup' | 'infinity';

/** A point that was read and checked, uncompressed (96 bytes in G1, 192 in G2), or the reason that there is none. */
export type Decoded =
  | { readonly ok: true; readonly point: Uint8Array }
  | { readonly ok: false; readonly code: PointFault };

/** Whether a signature's bytes are 96 (x and a sign) or 192 (x and y): the latter need no square root to be read. */
export type SignatureForm = 'compressed' | 'uncompressed';

/**
 * A handle on a decoded point that a PointStore keeps. It cannot be made or copied by anybody else, does not cross to
 * another thread, and says nothing of the point.
 */
export interface KeptPoint<Kind extends 'key' | 'signature'> {
  readonly kind: Kind;
}
/** A kept point of G1: a valid public key, or a sum of such. */
export type KeptKey = KeptPoint<'key'>;
/** A kept point of G2: a signature that was decoded and checked, or a sum of such. */
export type KeptSignature = KeptPoint<'signature'>;

/** A point that was read, checked and kept, or the reason that there is none. */
export type ReadPoint<Kept> =
  | { readonly ok: true; readonly kept: Kept }
  | { readonly ok: false; readonly code: PointFault };
