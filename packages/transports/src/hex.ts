export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}

/** Bytes from exactly `byteLength` bytes of hexadecimal digits; undefined for anything else. */
export function fromHex(text: unknown, byteLength: number): Uint8Array | undefined {
  if (typeof text !== 'string' || text.length !== 2 * byteLength || !/^[0-9a-fA-F]*$/.test(text)) return undefined;
  return new Uint8Array(Buffer.from(text, 'hex'));
}
