import type { Bls } from './bls.ts';
import { BlsLoadError } from './load-error.ts';

/** The two implementations: blst compiled to WebAssembly, and noble-curves in plain JavaScript. */
export type KernelName = 'wasm' | 'noble';

export interface LoadOptions {
  /** Which implementation; undefined is the WASM kernel. Nothing is ever chosen in its stead. */
  readonly kernel?: KernelName | undefined;
}

/**
 * Loads one implementation of Bls; the other is not downloaded.
 *
 * @returns the one shared instance of that implementation, ready to be called synchronously.
 * @throws BlsLoadError if it cannot be had: whoever starts a program decides what serves then, and says so.
 */
export async function loadBls(options: LoadOptions = {}): Promise<Bls> {
  const kernel = options.kernel ?? 'wasm';
  switch (kernel) {
    case 'noble':
      return (await import('./noble.ts').catch(missing)).nobleBls;
    case 'wasm':
      return (await import('./blst-wasm.ts').catch(missing)).loadBlstWasm();
    default:
      throw new BlsLoadError('kernel-unknown', `kernel: expected 'wasm' or 'noble', got ${JSON.stringify(kernel)}`);
  }
}

function missing(cause: unknown): never {
  throw new BlsLoadError('kernel-missing', 'BLS kernel: its JavaScript cannot be loaded', { cause });
}
