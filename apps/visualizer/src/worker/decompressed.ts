import { maxRecordingBytes } from '@tutti/simulation';

/**
 * Decompresses a gzipped recording. The output is limited to the maximum size of a recording.
 *
 * @throws RangeError for a file that is too long or incomplete.
 */
export async function decompressed(file: Blob): Promise<Uint8Array> {
  const max = maxRecordingBytes(file.size);
  let length = 0;
  let isTooLong = false;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.length;
      isTooLong = length > max;
      if (isTooLong) controller.error(new RangeError('too long'));
      else controller.enqueue(chunk);
    },
  });
  try {
    const plain = file.stream().pipeThrough(new DecompressionStream('gzip')).pipeThrough(counting);
    return new Uint8Array(await new Response(plain).arrayBuffer());
  } catch {
    throw new RangeError(
      isTooLong
        ? `it is compressed, and would take more than ${max} bytes, as no recording of ${file.size} does`
        : 'it is compressed, and not whole',
    );
  }
}
