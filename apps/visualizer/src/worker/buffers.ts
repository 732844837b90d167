import type { Recording } from '@tutti/core';

/** The recording's arrays, to be handed over to the page instead of copied. */
export function buffersOf(recording: Recording): ArrayBuffer[] {
  const arrays = [...Object.values(recording), ...Object.values(recording.world)].filter((value) =>
    ArrayBuffer.isView(value),
  );
  return [...new Set(arrays.map((array) => array.buffer as ArrayBuffer))];
}
