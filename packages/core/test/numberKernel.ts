import type { MultiplicityKernel } from '../src/contribution/multiplicities.ts';
import type { SignatureKernel } from '../src/contribution/multiSignatureScheme.ts';

/**
 * A curve library that uses numbers as keys, signatures and points. A signature verifies under the key with the same
 * number. A signature takes 96 bytes and a point takes 192 bytes, as on the curve, with the number in the first four
 * bytes. Bytes in which byte 95 is 0xff encode no point. The library is not secure.
 */
export const numberKernel: SignatureKernel & MultiplicityKernel<number> = {
  decodeSignature: (bytes) => (bytes[95] === 0xff ? { ok: false } : { ok: true, point: pointOf(numberIn(bytes)) }),
  encodeSignature: (point) => signatureOf(numberIn(point)),
  addSignatures: (a, b) => pointOf(numberIn(a) + numberIn(b)),
  addKeys: (a, b) => a + b,
  negateKey: (key) => -key,
  verify: (key, signature) => numberIn(signature) === key,
};

/** Returns the signature that stands for a number. */
export const signatureOf = (value: number): Uint8Array => bytesOf(value, 96);

/** Returns the point that stands for a number. */
export const pointOf = (value: number): Uint8Array => bytesOf(value, 192);

/** Returns the number that a signature or a point stands for. */
export function numberIn(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
}

function bytesOf(value: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
