import type { ListedEntry } from '@tutti/certificates';
import type { Engine } from '@tutti/wasm-bls';

/** Some entries of a registry, for a thread to check. */
export interface EntriesTask {
  /** Index of the first. */
  readonly first: number;
  readonly entries: readonly ListedEntry[];
  readonly kernel: Engine;
}

/** What the first entry that does not hold is refused with; undefined when all hold. */
export type EntriesAnswer = { readonly code: string; readonly line: string } | undefined;
