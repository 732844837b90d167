import type { Recording } from '@tutti/core/simulation';

export type Column = Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

/** A part of one of a recording's columns: of its lines, or of its world. */
export interface Piece {
  readonly of: 'lines' | 'world';
  readonly name: string;
  /** Of the whole column. */
  readonly length: number;
  readonly at: number;
  readonly part: Column;
}

/** What is handed to the worker that writes a recording: its columns piece by piece, then all else. */
export type SaveRequest =
  | { readonly kind: 'piece'; readonly piece: Piece }
  | { readonly kind: 'end'; readonly rest: Partial<Recording> };

export type SaveReport =
  | { readonly kind: 'more' }
  | { readonly kind: 'file'; readonly file: Blob }
  | { readonly kind: 'failed'; readonly message: string };
