import type { Arithmetic } from '@tutti/wasm-bls/kernel';

export type Library = Arithmetic | 'noble' | 'herumi' | 'native';
export const libraries: readonly Library[];
/** Each operation with its description. */
export const operations: Readonly<Record<string, string>>;
export interface BenchRow {
  readonly operation: string;
  /** CPU time of one call, ms; null if the library lacks the operation. */
  readonly ms: Readonly<Record<Library, number | null>>;
  /** Ratio to the scalar kernel; over 1 if the scalar kernel is faster. */
  readonly ratio: Readonly<Record<Library, number | null>>;
}
export function moduleSizes(): Readonly<Record<string, { readonly bytes: number; readonly gzipBytes: number }>>;
export function measure(options: {
  rounds: number;
  only?: readonly string[] | undefined;
  onOperation?: ((operation: string) => void | Promise<void>) | undefined;
}): Promise<BenchRow[]>;
