import type { MultiplicityKernel } from '../src/contribution/multiplicities.ts';
import type { SignatureKernel } from '../src/contribution/multiSignatureScheme.ts';

/** A curve of numbers, not secure: a signature verifies under its own number. Byte 95 of 0xff is no point. */
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
