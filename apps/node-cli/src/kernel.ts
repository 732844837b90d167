import { type Bls, loadBls } from '@tutti/wasm-bls';
import { UsageError } from './usageError.ts';

/**
 * Which BLS implementation works: TUTTI_BLS, or WebAssembly. What it made is checked by noble-curves whichever it is.
 */
export function kernelName(environment: NodeJS.ProcessEnv = process.env): 'wasm' | 'noble' {
  const name = environment.TUTTI_BLS || 'wasm';
  if (name === 'wasm' || name === 'noble') return name;
  throw new UsageError(`TUTTI_BLS: expected wasm or noble, got ${JSON.stringify(name)}`);
}

/** @throws BlsLoadError when it cannot be had; nothing is chosen in its stead. */
export function loadKernel(): Promise<Bls> {
  return loadBls({ kernel: kernelName() });
}
