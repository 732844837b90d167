import {
  type Engine,
  importFailed,
  type LoadOptions,
  loadOne,
  requireKnownFields,
  shownName,
} from '@tutti/wasm-bls/kernel';
import type { PixelCurve } from './curve.ts';
import { Pixel } from './pixel.ts';
import { type PixelSuiteName, suites } from './suite.ts';

/** Options of {@link loadPixel}. */
export interface PixelOptions extends Pick<LoadOptions, 'engine'> {
  /**
   * Suite that determines the encodings. Default: `rfc9380`. The suite `reference` is compatible with the authors'
   * implementation.
   */
  readonly suite?: PixelSuiteName | undefined;
}

const knownOptions: readonly (keyof PixelOptions)[] = ['engine', 'suite'];

const loaded = new Map<string, Promise<Pixel>>();

/**
 * Loads Pixel on one curve library, with one suite. The library that is not chosen is not downloaded.
 *
 * @returns the shared instance for this library and suite. Computing the instance's parameters takes a few
 * milliseconds, or a few hundred on noble-curves.
 * @throws BlsLoadError under the same conditions as loadBls; RangeError for an invalid suite.
 */
export function loadPixel(options: PixelOptions = {}): Promise<Pixel> {
  requireKnownFields('options', options, knownOptions);
  const { engine = 'wasm', suite = 'rfc9380' } = options;
  if (!Object.hasOwn(suites, suite))
    throw new RangeError(`suite: expected ${Object.keys(suites).join(' or ')}, got ${shownName(suite)}`);
  const name = `${engine} ${suite}`;
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const loading = load(engine, suite);
  loaded.set(name, loading);
  // After a failure, a later call tries again.
  loading.catch(() => loaded.delete(name));
  return loading;
}

async function load(engine: Engine, suite: PixelSuiteName): Promise<Pixel> {
  const curve = await loadOne<PixelCurve>(
    { engine },
    {
      noble: async () => (await import('./nobleCurve.ts').catch(importFailed)).nobleCurve,
      wasm: async () => (await import('./kernelCurve.ts').catch(importFailed)).loadKernelCurve(),
    },
  );
  return new Pixel(curve, suite);
}
