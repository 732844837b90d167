import type { RecordedLines, RecordedWorld, Recording } from '@tutti/core/simulation';
import type { Column, Piece } from './savingMessages.ts';

/** So much is copied in a millisecond or two. */
const pieceBytes = 1 << 22;

/** A copy of a recording's columns, piece by piece, for callers that cannot spare the time to copy them at once. */
export function* piecesOf(recording: Recording, mostBytes = pieceBytes): Generator<Piece> {
  for (const [of, from] of [
    ['lines', recording],
    ['world', recording.world],
  ] as const) {
    for (const [name, value] of Object.entries(from)) {
      if (!ArrayBuffer.isView(value)) continue;
      const column = value as Column;
      const entries = Math.max(1, Math.floor(mostBytes / column.BYTES_PER_ELEMENT));
      for (let at = 0; at === 0 || at < column.length; at += entries) {
        yield { of, name, length: column.length, at, part: column.slice(at, at + entries) };
      }
    }
  }
}

/** All of a recording that is no column. */
export function restOf(recording: Recording): Partial<Recording> {
  const plain = <T extends object>(value: T) =>
    Object.fromEntries(Object.entries(value).filter(([, part]) => !ArrayBuffer.isView(part)));
  return { ...plain(recording), world: plain(recording.world) as unknown as RecordedWorld };
}

/** Puts a recording together again. */
export class Assembly {
  readonly #columns: Record<Piece['of'], Record<string, Column>> = { lines: {}, world: {} };

  add({ of, name, length, at, part }: Piece): void {
    this.#columns[of][name] ??= new (part.constructor as new (length: number) => Column)(length);
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
