import { misuse, type PointFault, requireBytes, shown } from '@tutti/wasm-bls/kernel';
import { size } from './curve.ts';

/** Length, in bytes, of a public key: suite and compressed G1. */
export const pixelPublicKeyBytes = size.suite + size.g1;
/** Length, in bytes, of a proof of possession: suite and compressed G2. */
export const pixelPossessionBytes = size.suite + size.g2;
/** Length, in bytes, of a signature: suite, time, and one compressed point each of G1 and G2. */
export const pixelSignatureBytes = size.header + size.body;
/** Length, in bytes, of a decoded signature: suite, time, and one uncompressed point each of G1 and G2. */
export const pixelSignaturePointBytes = size.header + size.points;

/**
 * Reason why bytes are not a key or signature of this suite: a {@link PointFault}, or an error found before the points
 * are checked.
 */
export type PixelFault = PointFault | 'wrong-suite' | 'time-out-of-range';

/** Decoded bytes, or the reason why decoding failed. */
export type PixelDecoded =
  | { readonly ok: true; readonly point: Uint8Array }
  | { readonly ok: false; readonly code: PixelFault };

/** A new key pair: the public parts, and the secret key of time 1. */
export interface PixelKeyPair {
  /** Public key, 49 bytes. */
  readonly publicKey: Uint8Array;
  /**
   * Proof of possession, 97 bytes. Without the proof, a key derived from the other members' keys could sign for them.
   */
  readonly proofOfPossession: Uint8Array;
  /** Secret key, 3,287 bytes at time 1. */
  readonly secretKey: Uint8Array;
}

/**
 * Returns the time in a signature's bytes, 0 to 2^32 - 1, even if the bytes are not a valid signature.
 *
 * @param bytes signature, at least 5 bytes, arbitrary data from a peer.
 * @throws RangeError for fewer than 5 bytes.
 */
export function signatureTime(bytes: Uint8Array): number {
  requireBytes('bytes', bytes);
  if (bytes.length < size.header) throw misuse(RangeError, 'bytes', `${size.header} bytes or more`, shown(bytes));
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(size.suite);
}
