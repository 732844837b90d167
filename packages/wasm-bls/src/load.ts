import { misuse, requireKnownFields, shownName } from './arguments.ts';
import { type Arithmetic, arithmetics } from './arithmetic.ts';
import type { Bls } from './bls.ts';
import type { CommitteeKernel } from './committee.ts';
import type { KernelSource } from './kernelModule.ts';
import { BlsLoadError, causeOf, otherEngines } from './loadError.ts';
import { suites, type Variant } from './suite.ts';

/**
 * Implementations of BLS: `wasm` is blst in WebAssembly, `noble` is noble-curves in plain JavaScript, and `native` is
 * the package `@chainsafe/blst`, which requires Node and must be installed.
 */
export type Engine = 'wasm' | 'noble' | 'native';

/** Choice of an implementation. */
export interface LoadOptions {
  /**
   * Implementation to load. Default: `wasm`. If an engine cannot be loaded, the call fails; the engine is not replaced
   * with another one.
   */
  readonly engine?: Engine | undefined;
  /**
   * Field arithmetic used by the WASM kernel. Default: according to measurements, the fastest arithmetic that this
   * engine runs. All arithmetics give the same results. `'upstream'` is blst without this project's own field
   * arithmetic. Each thread has a single kernel, the first one loaded.
   */
  readonly arithmetic?: Arithmetic | undefined;
  /**
   * Source of the WASM kernel, if its file cannot be next to this package's code: an address, bytes, a compiled module,
   * or `inline` for the text in the code, which requires no network request. The package's files are
   * `kernel/tutti_bls_bg.wasm`, and `kernel/tutti_bls_simd_bg.wasm`, `…_wide_bg.wasm` or `…_upstream_bg.wasm` together
   * with the `arithmetic` of that name. Default: the file next to this package's code or, if it cannot be read, the
   * text in the code.
   */
  readonly source?: KernelSource | undefined;
}

/** Names of the fields of {@link LoadOptions}. */
const loadOptions: readonly (keyof LoadOptions)[] = ['engine', 'arithmetic', 'source'];

/** Options of {@link loadBls}. */
export interface BlsOptions extends LoadOptions {
  /** Group of the keys. Default: `min-pk`. The engine `native` supports only `min-pk`. */
  readonly variant?: Variant | undefined;
}

/**
 * Loads one implementation of Bls, without downloading the others.
 *
 * @returns the one shared instance of the given implementation and variant, ready for synchronous calls.
 * @throws TypeError for invalid options; BlsLoadError if the engine is unknown or cannot be loaded. The caller can then
 * choose another engine, or fail.
 */
export async function loadBls(options: BlsOptions = {}): Promise<Bls> {
  requireKnownFields('options', options, [...loadOptions, 'variant']);
  const { variant = 'min-pk', ...rest } = options;
  if (!Object.hasOwn(suites, variant)) throw misuse(TypeError, 'variant', "'min-pk' or 'min-sig'", shownName(variant));
  const wasm = async () =>
    (await import('./blst-wasm.ts').catch(importFailed)).loadBlstWasm(variant, rest.arithmetic, rest.source);
  return loadOne<Bls>(rest, {
    wasm,
    noble: async () => (await import('./noble.ts').catch(importFailed)).nobleVariants[variant],
    async native() {
      requireNativeVariant(variant);
      return (await import('./native.ts').catch(importFailed)).loadNative(requireNative, wasm);
    },
  });
}

/**
 * Loads the functions for sums of many keys on blst, compiled to WebAssembly. Each thread has separate kernel memory,
 * so each worker loads its own kernel.
 *
 * @example
 * ```js
 * import { insecureSecretKey, loadBls, loadCommittees } from '@tutti/wasm-bls';
 *
 * const bls = await loadBls();
 * const keys = [0, 1, 2].map((index) => bls.publicKey(insecureSecretKey(bls, 1, index)));
 * const points = Uint8Array.from(keys.flatMap((key) => [...bls.validatePublicKey(key).point]));
 * const committee = (await loadCommittees()).committee(points);
 * const sums = ['naive', 'batched', 'subtraction'].map((method) => committee.sum(Uint8Array.of(0b101), method));
 * console.log(`${sums[0].length} bytes, the same by each method: ${sums.every((sum) => `${sum}` === `${sums[0]}`)}`);
 * committee.free();
 * ```
 *
 * ```text
 * 96 bytes, the same by each method: true
 * ```
 *
 * @throws BlsLoadError if the kernel cannot be read or started.
 */
export async function loadCommittees(): Promise<CommitteeKernel> {
  return (await import('./committee.ts').catch(importFailed)).startCommittees();
}

/**
 * Loads one implementation of a function, for the engine given in the options. The function need not be available for
 * every engine. @throws TypeError for invalid options; BlsLoadError `kernel-unknown` for any other engine.
 */
export async function loadOne<T>(
  options: LoadOptions,
  implementations: Readonly<Partial<Record<Engine, () => Promise<T>>>>,
): Promise<T> {
  requireKnownFields('options', options, loadOptions);
  const { engine = 'wasm', arithmetic } = options;
  if (arithmetic !== undefined && !arithmetics.includes(arithmetic))
    throw misuse(TypeError, 'arithmetic', listed(arithmetics), shownName(arithmetic));
  const load = Object.hasOwn(implementations, engine) ? implementations[engine] : undefined;
  if (load !== undefined) return load();
  const known = listed(Object.keys(implementations));
  throw new BlsLoadError('kernel-unknown', `engine: expected ${known}, got ${shownName(engine)}`);
}

/** Returns quoted names, joined by commas and a final "or" if there are several. */
function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  return quoted.length === 1 ? quoted[0]! : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

/** Throws the error for an implementation that could not be imported. */
export function importFailed(cause: unknown): never {
  const why = causeOf(cause);
  const line = `BLS kernel: its JavaScript cannot be loaded${why === '' ? '' : ` (${why})`}`;
  throw new BlsLoadError('kernel-missing', line, { cause });
}

/** Package that provides the engine `native`. */
const nativePackage = '@chainsafe/blst';

/**
 * Returns Node's `require`, which resolves packages from this module's location, or undefined outside Node. Bundlers
 * for browsers do not follow this `require`.
 */
function nodeRequire(): NodeJS.Require | undefined {
  return globalThis.process?.getBuiltinModule?.('node:module').createRequire(import.meta.url);
}

/** Returns whether this environment is Node and the engine `native` is installed. */
export function isNativeInstalled(): boolean {
  try {
    return nodeRequire()?.resolve(nativePackage) !== undefined;
  } catch {
    return false;
  }
}

function requireNativeVariant(variant: Variant): void {
  if (variant === 'min-pk') return;
  throw new BlsLoadError(
    'kernel-rejected',
    `engine native: expected variant min-pk, the only one of ${nativePackage}, got ${variant}; ${otherEngines}`,
  );
}

/**
 * Returns the package's exports. @throws BlsLoadError if the package is not installed, or if its binary does not load
 * on this machine.
 */
function requireNative(): unknown {
  if (!isNativeInstalled())
    throw new BlsLoadError(
      'kernel-missing',
      `engine native: expected Node and ${nativePackage} 2 installed, got none; install it, or ${otherEngines}`,
    );
  try {
    return nodeRequire()?.(nativePackage);
  } catch (cause) {
    const line = `engine native: expected ${nativePackage} 2 to load, got an error (${causeOf(cause)}); ${otherEngines}`;
    throw new BlsLoadError('kernel-missing', line, { cause });
  }
}
