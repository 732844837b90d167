import type { ListedEntry } from '@tutti/certificates';
import type { Engine } from '@tutti/wasm-bls';

/** Some entries of a registry, for a thread to check. */
export interface EntriesTask {
  /** Index of the first entry. */
  readonly first: number;
  readonly entries: readonly ListedEntry[];
  readonly kernel: Engine;
}

/** Error of the first invalid entry; undefined if all are valid. */
export type EntriesAnswer = { readonly code: string; readonly line: string } | undefined;
