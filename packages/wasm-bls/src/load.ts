import { misuse, requireKnownFields, shown, shownName } from './arguments.ts';
import type { Arithmetic } from './arithmetic.ts';
import type { Bls } from './bls.ts';
import type { KernelSource } from './kernelModule.ts';
import { BlsLoadError, causeOf } from './loadError.ts';
import { suites, type Variant } from './suite.ts';

/** The two implementations: blst compiled to WebAssembly, and noble-curves in plain JavaScript. */
export type KernelName = 'wasm' | 'noble';

export interface LoadOptions {
  /** Which implementation; undefined is the WASM kernel. There is no fallback to the other. */
  readonly kernel?: KernelName | undefined;
  /**
   * What the WASM kernel multiplies with; the answers are the same. A name insists, for a measurement or a test;
   * undefined takes what was measured to be the fastest in this engine, of what it has. A thread has one kernel, the
   * first that is asked for.
   */
  readonly arithmetic?: Arithmetic | undefined;
  /**
   * The WASM kernel, where it cannot lie beside this package's code: its address, its bytes, or a compiled module, of
   * the package's `kernel.wasm`; of its `kernel-simd.wasm` or `kernel-wide.wasm` together with `arithmetic: 'simd'` or
   * `'wide'`. Undefined: this package finds its own, the file beside its code or else the text in it.
   */
  readonly source?: KernelSource | undefined;
}

export const loadOptions: readonly (keyof LoadOptions)[] = ['kernel', 'arithmetic', 'source'];

const arithmetics: readonly string[] = ['scalar', 'simd', 'wide'];

export interface BlsOptions extends LoadOptions {
  /** Which group keys are in; undefined is `min-pk`. Every kernel has both. */
  readonly variant?: Variant | undefined;
}

/**
 * Loads one implementation of Bls; the other is not downloaded.
 *
 * @returns the one shared instance of that implementation and variant, ready to be called synchronously.
 * @throws TypeError for invalid options; BlsLoadError if it cannot be had: whoever starts a program decides what
 *   serves then, and says so.
 */
export async function loadBls(options: BlsOptions = {}): Promise<Bls> {
  requireKnownFields('options', options, [...loadOptions, 'variant']);
  const { variant = 'min-pk', ...rest } = options;
  if (!Object.hasOwn(suites, variant)) throw misuse(TypeError, 'variant', "'min-pk' or 'min-sig'", shown(variant));
  const { arithmetic, source } = rest;
  if (arithmetic !== undefined && !arithmetics.includes(arithmetic))
    throw misuse(TypeError, 'arithmetic', "'scalar', 'simd' or 'wide'", shown(arithmetic));
  return loadOne<Bls>(rest, {
    noble: async () => (await import('./noble.ts').catch(missing)).nobleVariants[variant],
    wasm: async () => (await import('./blst-wasm.ts').catch(missing)).loadBlstWasm(variant, arithmetic, source),
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
  throw new BlsLoadError('kernel-unknown', `kernel: expected 'wasm' or 'noble', got ${shownName(kernel)}`);
}

/** What an implementation's import rejects with. */
export function missing(cause: unknown): never {
  const why = causeOf(cause);
  throw new BlsLoadError(
    'kernel-missing',
    `BLS kernel: its JavaScript cannot be loaded${why === '' ? '' : ` (${why})`}`,
    { cause },
  );
}
