import { type Bls, loadBls, type Variant } from '@tutti/wasm-bls';
import { Option } from 'commander';
import { choiceFlag } from './flags.ts';
import { UsageError } from './usageError.ts';

/**
 * Which BLS implementation works: TUTTI_BLS, or WebAssembly. What it made is checked by noble-curves whichever it is.
 */
export function kernelName(): 'wasm' | 'noble' {
  const name = process.env.TUTTI_BLS || 'wasm';
  if (name === 'wasm' || name === 'noble') return name;
  throw new UsageError(`TUTTI_BLS: expected wasm or noble, got ${JSON.stringify(name)}`);
}

/** @throws BlsLoadError when it cannot be had; nothing is chosen in its stead. */
export function loadKernel(variant: Variant = 'min-pk'): Promise<Bls> {
  return loadBls({ kernel: kernelName(), variant });
}

/** `--variant`, which group keys are in. */
export function variantOption(when?: string): Option {
  return new Option(
    '--variant <name>',
    `${when === undefined ? '' : `${when}, `}min-pk: keys of 48 bytes, signatures of 96 (default); or min-sig: the other way round`,
  ).argParser(choiceFlag('--variant', ['min-pk', 'min-sig']));
}
