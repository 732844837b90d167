import { concat } from '@tutti/core/input';

/*
 * Points in the form of Ethereum's EIP-2537 precompiles: uncompressed and without flags. Each coordinate has 64 bytes,
 * of which the first 16 are zero. A coordinate in G2 has the real part first; in compressed points the real part is
 * last.
 */

const coordinateBytes = 48;

function padded(point: Uint8Array, coordinate: number): Uint8Array {
  const at = coordinate * coordinateBytes;
  return concat(new Uint8Array(16), point.subarray(at, at + coordinateBytes));
}

/** Converts a point of G1. @param point 96 bytes, x and y, as `decodePublicKey` returns it. @returns 128 bytes. */
export function g1ForEip2537(point: Uint8Array): Uint8Array {
  if (point.length !== 2 * coordinateBytes) throw new RangeError(`point: expected 96 bytes, got ${point.length}`);
  return concat(padded(point, 0), padded(point, 1));
}

/**
 * Converts a point of G2. @param point 192 bytes, x and y with the imaginary part first, as `decodeSignature` returns
 * it. @returns 256 bytes.
 */
export function g2ForEip2537(point: Uint8Array): Uint8Array {
  if (point.length !== 4 * coordinateBytes) throw new RangeError(`point: expected 192 bytes, got ${point.length}`);
  return concat(padded(point, 1), padded(point, 0), padded(point, 3), padded(point, 2));
}

/** Converts an EIP-2537 point of either group back to x and y, or returns undefined for bytes of another form. */
export function pointOfEip2537(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length !== 128 && bytes.length !== 256) return undefined;
  const parts = Array.from({ length: bytes.length / 64 }, (_, part) => bytes.subarray(64 * part, 64 * part + 64));
  if (parts.some((part) => part.subarray(0, 16).some((byte) => byte !== 0))) return undefined;
  const order = parts.length === 2 ? [0, 1] : [1, 0, 3, 2];
  return concat(...order.map((part) => parts[part]!.subarray(16)));
}
