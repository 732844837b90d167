/**
 * The same bytes as a plain Uint8Array. Node's Buffer is one too, but its `slice` shares the bytes where that of a
 * Uint8Array copies them: nothing that leaves this package is a Buffer, or a reader's copy would be no copy.
 */
export function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}
