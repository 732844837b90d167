import type { Kernel, Operation } from './figures.ts';

/** What the page asks a worker, which has one kernel. */
export type BenchRequest =
  | { readonly ask: 'measure'; readonly kernel: Kernel }
  | { readonly ask: 'beacon'; readonly text: string };

/** `has` is false where the browser cannot run that kernel. */
export type BenchAnswer = { readonly has: boolean } | { readonly valid: boolean; readonly words: string };

export interface BenchProgress {
  readonly operation: Operation;
  /** For one call. */
  readonly ms: number;
}
