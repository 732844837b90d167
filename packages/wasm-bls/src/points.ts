/**
 * Reason why bytes are not a point. The codes are stable, for counters and traces.
 *
 * `length`: the number of bytes is not the length of the encoding. `encoding`: flags or coordinates that no encoder
 * writes (a coordinate that is not less than the modulus, an infinity with other bits set, the flags of the other
 * form). `not-on-curve` and `not-in-subgroup`: a well-formed coordinate, but not of a point of the prime-order group.
 * `infinity`: the identity, which KeyValidate forbids.
 */
export type PointFault = 'length' | 'encoding' | 'not-on-curve' | 'not-in-subgroup' | 'infinity';

/** Returns whether the result of a reader is a fault. No library represents a point as a string. */
export const isFault = (result: unknown): result is PointFault => typeof result === 'string';

const faultTexts: Readonly<Record<PointFault, string>> = {
  length: 'a point with a different length',
  encoding: 'a point with a different encoding',
  'not-on-curve': 'a point off the curve',
  'not-in-subgroup': 'a point outside the subgroup',
  infinity: 'the point at infinity',
};

/** Returns a description of a value that is not a point, for an error message. */
export function pointFaultText(fault: PointFault): string {
  return faultTexts[fault];
}

/** A checked point, uncompressed (96 bytes in G1, 192 in G2), or the reason why the bytes are not a point. */
export type Decoded =
  | { readonly ok: true; readonly point: Uint8Array }
  | { readonly ok: false; readonly code: PointFault };

/**
 * Form of a signature: compressed (x and a sign; 96 bytes with `min-pk`, 48 with `min-sig`) or uncompressed (x and y;
 * 192 or 96 bytes). Decoding the uncompressed form does not need a square root.
 */
export type SignatureForm = 'compressed' | 'uncompressed';

/**
 * A handle of a decoded point in a PointStore. Other code cannot create or copy a handle. A handle cannot be sent to
 * another thread, and reveals nothing about the point.
 */
export interface KeptPoint<Kind extends 'key' | 'signature'> {
  readonly kind: Kind;
}
/**
 * A stored point: a valid public key, or a sum of such keys. The point is in G1 with `min-pk`, in G2 with `min-sig`.
 */
export type KeptKey = KeptPoint<'key'>;
/**
 * A stored point: a signature that was decoded and checked, or a sum of such signatures. The point is in G2 with
 * `min-pk`, in G1 with `min-sig`.
 */
export type KeptSignature = KeptPoint<'signature'>;

/** A checked and stored point, or the reason why the bytes are not a point. */
export type ReadPoint<Kept> =
  | { readonly ok: true; readonly kept: Kept }
  | { readonly ok: false; readonly code: PointFault };
