import { misuse, requireKnownFields, shown, shownName } from './arguments.ts';
import { type Arithmetic, arithmetics } from './arithmetic.ts';
import type { Bls } from './bls.ts';
import type { KernelSource } from './kernelModule.ts';
import { BlsLoadError, causeOf } from './loadError.ts';
import { suites, type Variant } from './suite.ts';

/**
 * The implementations: `wasm` is blst in WebAssembly, `noble` is noble-curves in plain JavaScript, and `native` is the
 * package `@chainsafe/blst`, which requires Node and must be installed.
 */
export type Engine = 'wasm' | 'noble' | 'native';

/** Choice of an implementation. */
export interface LoadOptions {
  /**
   * The implementation. Default: `wasm`. An engine that cannot be loaded is an error; it is not replaced with another
   * one.
   */
  readonly engine?: Engine | undefined;
  /**
   * Field arithmetic of the WASM kernel. Default: the fastest that this engine runs, according to measurements. All
   * give the same results. `'upstream'` is blst without our field arithmetic. A thread has one kernel, the first one
   * that is loaded.
   */
  readonly arithmetic?: Arithmetic | undefined;
  /**
   * Source of the WASM kernel, if it cannot be next to this package's code: its address, its bytes, or a compiled
   * module. Pass the package's `kernel.wasm`, or `kernel-simd.wasm`, `kernel-wide.wasm` or `kernel-upstream.wasm`
   * together with the `arithmetic` of that name. Default: the file next to this package's code, or else the text in the
   * code.
   */
  readonly source?: KernelSource | undefined;
}

/** Names of the fields of {@link LoadOptions}. */
export const loadOptions: readonly (keyof LoadOptions)[] = ['engine', 'arithmetic', 'source'];

/** Options of {@link loadBls}. */
export interface BlsOptions extends LoadOptions {
  /** Group of the keys. Default: `min-pk`. The engine `native` supports only that. */
  readonly variant?: Variant | undefined;
}

/**
 * Loads one implementation of Bls; the others are not downloaded.
 *
 * @returns the one shared instance of that implementation and variant, ready for synchronous calls.
 * @throws TypeError for invalid options; BlsLoadError if the implementation cannot be loaded. The caller then chooses
 * another one, or fails.
 */
export async function loadBls(options: BlsOptions = {}): Promise<Bls> {
  requireKnownFields('options', options, [...loadOptions, 'variant']);
  const { variant = 'min-pk', ...rest } = options;
  if (!Object.hasOwn(suites, variant)) throw misuse(TypeError, 'variant', "'min-pk' or 'min-sig'", shown(variant));
  const { arithmetic, source } = rest;
  if (arithmetic !== undefined && !arithmetics.includes(arithmetic))
    throw misuse(TypeError, 'arithmetic', listed(arithmetics), shown(arithmetic));
  const wasm = async () => (await import('./blst-wasm.ts').catch(missing)).loadBlstWasm(variant, arithmetic, source);
  return loadOne<Bls>(rest, {
    wasm,
    noble: async () => (await import('./noble.ts').catch(missing)).nobleVariants[variant],
    native: async () => (await import('./native.ts').catch(missing)).loadNative(variant, wasm),
  });
}

/**
 * Loads one implementation of a function, for the engine in the options. The function need not exist for every engine.
 */
export async function loadOne<T>(
  options: LoadOptions,
  implementations: Readonly<Partial<Record<Engine, () => Promise<T>>>>,
): Promise<T> {
  requireKnownFields('options', options, loadOptions);
  const { engine = 'wasm' } = options;
  const load = Object.hasOwn(implementations, engine) ? implementations[engine] : undefined;
  if (load !== undefined) return load();
  const known = listed(Object.keys(implementations));
  throw new BlsLoadError('kernel-unknown', `engine: expected ${known}, got ${shownName(engine)}`);
}

/** Returns names in quotes, joined by commas and a final "or". */
function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

/** Throws the error for an implementation whose import failed. */
export function missing(cause: unknown): never {
  const why = causeOf(cause);
  throw new BlsLoadError(
    'kernel-missing',
    `BLS kernel: its JavaScript cannot be loaded${why === '' ? '' : ` (${why})`}`,
    { cause },
  );
}
