/**
 * {@link loadBls} with the kernel inlined. It does not request any file. Use it if a bundler does not copy the kernel's
 * file, or if a page must not fetch files. docs/guides/bls.md gives the sizes of both.
 *
 * @example
 * ```js
 * import { loadBls } from '@tutti/wasm-bls/inline';
 *
 * const bls = await loadBls();
 * console.log(bls.name);
 * ```
 *
 * ```text
 * blst-wasm
 * ```
 *
 * @packageDocumentation
 */
import { requireKnownFields } from './arguments.ts';
import type { Arithmetic } from './arithmetic.ts';
import type { Bls } from './bls.ts';
import { chosenArithmetic } from './chosenArithmetic.ts';
import { inlined } from './inlined.ts';
import { type BlsOptions, loadBls as loadFetched } from './load.ts';
import { BlsLoadError } from './loadError.ts';

/** Options of {@link loadBls}. This entry point has no other engine, and contains the kernel. */
export type InlineOptions = Pick<BlsOptions, 'arithmetic' | 'variant'>;

/**
 * Loads blst, compiled to WebAssembly, from the text in this package. A content security policy must allow
 * `'wasm-unsafe-eval'`, and nothing else.
 *
 * @returns the one shared instance of this thread and variant.
 * @throws TypeError for invalid options; BlsLoadError if the kernel cannot be started.
 */
export async function loadBls(options: InlineOptions = {}): Promise<Bls> {
  requireKnownFields('options', options, ['arithmetic', 'variant']);
  const arithmetic = options.arithmetic ?? (await chosenArithmetic());
  return loadFetched({ ...options, arithmetic, source: await unpacked(arithmetic) });
}

async function unpacked(arithmetic: Arithmetic): Promise<ArrayBuffer> {
  try {
    return await inlined(arithmetic);
  } catch (cause) {
    throw new BlsLoadError('kernel-missing', 'BLS kernel: the embedded kernel cannot be decoded', { cause });
  }
}
