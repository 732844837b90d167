/** Of PNG's checksum, by byte. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** The bytes of a PNG's header: its signature, and the first chunk, which has 13 bytes and 12 around them. */
const headBytes = 8 + 25;

/** A PNG that says in itself where it is from: a text chunk after its head. */
export async function withText(png: Blob, text: string): Promise<Blob> {
  const data = new TextEncoder().encode(`iTXtDescription\0\0\0\0\0${text}`);
  const chunk = new Uint8Array(data.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length - 4);
  chunk.set(data, 4);
  let crc = 0xffffffff;
  for (const byte of data) crc = table[(crc ^ byte) & 255]! ^ (crc >>> 8);
  view.setUint32(data.length + 4, (crc ^ 0xffffffff) >>> 0);
  const bytes = new Uint8Array(await png.arrayBuffer());
  return new Blob([bytes.slice(0, headBytes), chunk, bytes.slice(headBytes)], { type: 'image/png' });
}
