import { requireKnownFields } from './arguments.ts';
import type { Bls } from './bls.ts';
import type { KernelSource } from './kernelModule.ts';
import { BlsLoadError } from './loadError.ts';

/** The two implementations: blst compiled to WebAssembly, and noble-curves in plain JavaScript. */
export type KernelName = 'wasm' | 'noble';

export interface LoadOptions {
  /** Which implementation; undefined is the WASM kernel. There is no fallback to the other. */
  readonly kernel?: KernelName | undefined;
  /**
   * Whether the WASM kernel is the one with SIMD, which gives the same answers sooner: `true` or `false` insist, for a
   * measurement or a test; undefined takes it where the engine has relaxed SIMD and fuses. A thread has one kernel, the
   * first that is asked for.
   */
  readonly simd?: boolean | undefined;
  /**
   * The WASM kernel, where it cannot lie beside this package's code: its address, its bytes, or a compiled module, of
   * the package's `kernel.wasm`; of its `kernel-simd.wasm` together with `simd: true`. Undefined: this package finds
   * its own.
   */
  readonly source?: KernelSource | undefined;
}

export const loadOptions: readonly (keyof LoadOptions)[] = ['kernel', 'simd', 'source'];

/**
 * Loads one implementation of Bls; the other is not downloaded.
 *
 * @returns the one shared instance of that implementation, ready to be called synchronously.
 * @throws TypeError for invalid options; BlsLoadError if it cannot be had: whoever starts a program decides what
 *   serves then, and says so.
 */
export function loadBls(options: LoadOptions = {}): Promise<Bls> {
  return loadOne<Bls>(options, {
    noble: async () => (await import('./noble.ts').catch(missing)).nobleBls,
    wasm: async () => (await import('./blst-wasm.ts').catch(missing)).loadBlstWasm(options.simd, options.source),
  });
}

/** Loads the implementation that the options name, of whatever has one on each library. */
export async function loadOne<T>(
  options: LoadOptions,
  implementations: Readonly<Record<KernelName, () => Promise<T>>>,
): Promise<T> {
  requireKnownFields('options', options, loadOptions);
  const { kernel = 'wasm' } = options;
  if (Object.hasOwn(implementations, kernel)) return implementations[kernel]();
  throw new BlsLoadError('kernel-unknown', `kernel: expected 'wasm' or 'noble', got ${JSON.stringify(kernel)}`);
}

/** What an implementation's import rejects with. */
export function missing(cause: unknown): never {
  throw new BlsLoadError('kernel-missing', 'BLS kernel: its JavaScript cannot be loaded', { cause });
}
