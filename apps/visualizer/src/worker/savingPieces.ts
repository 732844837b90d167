import type { RecordedLines, RecordedWorld, Recording } from '@tutti/simulation';

type SavedColumn = Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

/** Part of one of a recording's columns, either of its lines or of its world. */
interface Piece {
  readonly of: 'lines' | 'world';
  readonly name: string;
  /** Number of entries of the whole column. */
  readonly length: number;
  readonly at: number;
  readonly part: SavedColumn;
}

/** Request to the worker that writes a recording: first the columns in pieces, then the rest. */
export type SaveRequest =
  | { readonly kind: 'piece'; readonly piece: Piece }
  | { readonly kind: 'end'; readonly rest: Partial<Recording> };

/** Size of a piece, bytes. A piece of this size is copied in 1 to 2 ms. */
const pieceBytes = 1 << 22;

/** Copies a recording's columns in pieces, for callers that must not block for a whole copy. */
export function* piecesOf(recording: Recording, maxBytes = pieceBytes): Generator<Piece> {
  for (const [of, from] of [
    ['lines', recording],
    ['world', recording.world],
  ] as const) {
    for (const [name, value] of Object.entries(from)) {
      if (!ArrayBuffer.isView(value)) continue;
      const column = value as SavedColumn;
      const entries = Math.max(1, Math.floor(maxBytes / column.BYTES_PER_ELEMENT));
      for (let at = 0; at === 0 || at < column.length; at += entries) {
        yield { of, name, length: column.length, at, part: column.slice(at, at + entries) };
      }
    }
  }
}

/** Returns the parts of a recording that are not columns. */
export function restOf(recording: Recording): Partial<Recording> {
  const plain = <T extends object>(value: T) =>
    Object.fromEntries(Object.entries(value).filter(([, part]) => !ArrayBuffer.isView(part))) as Partial<T>;
  return { ...plain(recording), world: plain(recording.world) as RecordedWorld };
}

/** Assembles a recording from its pieces. */
export class Assembly {
  readonly #columns: Record<Piece['of'], Record<string, SavedColumn>> = { lines: {}, world: {} };

  add({ of, name, length, at, part }: Piece): void {
    this.#columns[of][name] ??= new (part.constructor as new (length: number) => SavedColumn)(length);
    this.#columns[of][name].set(part, at);
  }

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
