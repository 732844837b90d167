/**
 * Returns the same bytes as a plain Uint8Array. A Node Buffer is also a Uint8Array, but its `slice` shares the bytes,
 * while that of a Uint8Array copies them. This package returns no Buffers, so that a caller's copy is really a copy.
 */
export function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}
