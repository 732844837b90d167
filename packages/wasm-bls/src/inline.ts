/**
 * {@link loadBls} with the kernel inlined: no file is fetched, so that it loads where a bundler does not copy the
 * kernel's, and where no address can be fetched. Sizes of both: docs/loading.md.
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
import { type Arithmetic, fastest } from './arithmetic.ts';
import type { Bls } from './bls.ts';
import { type BlsOptions, loadBls as loadFetched } from './load.ts';
import { BlsLoadError } from './loadError.ts';

/** As {@link loadFetched} takes them, without an address of the kernel; noble-curves is the other door's. */
export type InlineOptions = Omit<BlsOptions, 'source' | 'kernel'>;

/**
 * Loads blst, compiled to WebAssembly, from this package's own text; a policy must allow `'wasm-unsafe-eval'`, and
 * nothing else.
 *
 * @returns the one shared instance of this thread and variant.
 * @throws TypeError for invalid options; BlsLoadError if the kernel cannot be started.
 */
export async function loadBls(options: InlineOptions = {}): Promise<Bls> {
  requireKnownFields('options', options, ['arithmetic', 'variant']);
  const arithmetic = options.arithmetic ?? (await fastest());
  return loadFetched({ ...options, arithmetic, source: await unpacked(arithmetic) });
}

const texts: Readonly<Record<Arithmetic, () => Promise<{ readonly kernel: string }>>> = {
  scalar: () => import('../kernel/inline/scalar.js'),
  simd: () => import('../kernel/inline/simd.js'),
  wide: () => import('../kernel/inline/wide.js'),
};

async function unpacked(arithmetic: Arithmetic): Promise<ArrayBuffer> {
  try {
    const { kernel } = await texts[arithmetic]();
    const packed = Uint8Array.from(atob(kernel), (character) => character.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return await new Response(stream).arrayBuffer();
  } catch (cause) {
    throw new BlsLoadError('kernel-missing', 'BLS kernel: its inlined text cannot be read', { cause });
  }
}
