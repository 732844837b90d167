import {
  decodeRecording,
  maxRecordingBytes,
  type RecordedLines,
  type RecordedWorld,
  type Recording,
} from '@tutti/simulation';
import { bytesOf } from '../files.ts';
import type { Piece, SavedColumn } from './runTasks.ts';

/** Assembles a recording from its pieces. */
export class Assembly {
  readonly #columns: Record<Piece['of'], Record<string, SavedColumn>> = { lines: {}, world: {} };

  /** Adds a piece. The pieces of a column may come in any order. */
  add({ of, name, length, at, part }: Piece): void {
    this.#columns[of][name] ??= new (part.constructor as new (length: number) => SavedColumn)(length);
    this.#columns[of][name].set(part, at);
  }

  /** Returns the recording. @param rest the data that are not stored in columns. */
  whole(rest: Partial<Recording>): Recording {
    const world = { ...rest.world, ...this.#columns.world } as RecordedWorld;
    return {
      ...(rest as Recording),
      ...(this.#columns.lines as unknown as RecordedLines),
      world,
      length: rest.length!,
    };
  }
}

/**
 * Decompresses a gzipped recording. The output is limited to the maximum size of a recording whose compressed file has
 * this size.
 *
 * @throws RangeError if the file is too long, truncated, or not in gzip format.
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
        ? `it is compressed, and its content exceeds ${max} bytes, the maximum for a compressed recording of ${file.size} bytes`
        : 'it is compressed, and incomplete or damaged',
    );
  }
}

/**
 * Decodes the recording that a page of a single run contains: a gzipped file in base64.
 *
 * @throws RangeError if the file is not a recording.
 */
export async function recordingIn(text: string): Promise<Recording> {
  return decodeRecording(await decompressed(new Blob([bytesOf(text)])));
}
