/** The buffers of all typed arrays within a plain value, to be handed over to another thread instead of copied. */
export function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) buffersOf(part, found);
  return [...found];
}
