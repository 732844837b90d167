import { type Bls, type Engine, isNativeInstalled, loadBls, type Variant } from '@tutti/wasm-bls';
import { Option } from 'commander';
import { choiceFlag } from './flags.ts';
import { UsageError } from './usageError.ts';

/** Values of TUTTI_BLS. */
const engines: readonly string[] = ['wasm', 'noble', 'native'] satisfies Engine[];

/**
 * Returns the engine that TUTTI_BLS names. Default: native blst if it is installed, otherwise WebAssembly. noble-curves
 * checks the results of both.
 *
 * @param nativeHasIt whether native blst supports the request; it only supports min-pk.
 * @throws UsageError for an unknown name.
 */
export function kernelName(nativeHasIt = true): Engine {
  const name = process.env.TUTTI_BLS;
  if (!name) return nativeHasIt && isNativeInstalled() ? 'native' : 'wasm';
  if (engines.includes(name)) return name as Engine;
  throw new UsageError(`TUTTI_BLS: expected wasm, noble or native, got ${JSON.stringify(name)}`);
}

/**
 * Loads the engine.
 *
 * @throws BlsLoadError if that fails. There is no fallback to another engine.
 */
export function loadKernel(variant: Variant = 'min-pk'): Promise<Bls> {
  return loadBls({ engine: kernelName(variant === 'min-pk'), variant });
}

/** Returns the option `--variant`: the group of the keys. */
export function variantOption(when?: string): Option {
  return new Option(
    '--variant <name>',
    `${when === undefined ? '' : `${when}, `}min-pk: 48-byte keys and 96-byte signatures; or min-sig: 96-byte keys and 48-byte signatures (default: min-pk)`,
  ).argParser(choiceFlag('--variant', ['min-pk', 'min-sig']));
}
