import { MultiSignatureScheme, type SignatureVerifier } from '@tutti/core';
import type { Scenario, SimulationOptions } from '@tutti/simulation';
import {
  type Bls,
  type Engine,
  insecureSecretKey,
  isNativeInstalled,
  loadBls,
  roundVerdicts,
  testMessage,
  type Variant,
} from '@tutti/wasm-bls';
import { Option } from 'commander';
import { UsageError } from './context.ts';
import { choiceFlag } from './flags.ts';

/** Accepted values of TUTTI_BLS. */
const engines: readonly string[] = ['wasm', 'noble', 'native'] satisfies Engine[];

/**
 * Returns the engine that TUTTI_BLS selects. Default: native blst if it is installed and supports the request,
 * otherwise WebAssembly.
 *
 * @param isNativeEnough true if native blst supports the request; native blst supports only min-pk.
 * @throws UsageError for an unknown engine name.
 */
export function kernelName(isNativeEnough = true): Engine {
  const name = process.env.TUTTI_BLS;
  if (!name) return isNativeEnough && isNativeInstalled() ? 'native' : 'wasm';
  if (engines.includes(name)) return name as Engine;
  throw new UsageError(`TUTTI_BLS: expected wasm, noble or native, got ${JSON.stringify(name)}`);
}

/**
 * Loads the engine of {@link kernelName}.
 *
 * @throws UsageError for an unknown engine name; BlsLoadError if the engine cannot be loaded. The function does not
 * fall back to another engine.
 */
export function loadKernel(variant: Variant = 'min-pk'): Promise<Bls> {
  return loadBls({ engine: kernelName(variant === 'min-pk'), variant });
}

/**
 * Returns the option `--variant`, which selects the group of the keys.
 *
 * @param when condition under which the option is valid, for help.
 */
export function variantOption(when?: string): Option {
  return new Option(
    '--variant <name>',
    `${when === undefined ? '' : `${when}, `}min-pk: 48-byte keys and 96-byte signatures; or min-sig: 96-byte keys and 48-byte signatures (default: min-pk)`,
  ).argParser(choiceFlag('--variant', ['min-pk', 'min-sig']));
}

/** Number of nodes whose keys are generated between two yields to the event loop. */
const nodesPerYield = 16;

/** Real signatures for a simulated run. */
export interface InsecureScheme {
  readonly scheme: NonNullable<SimulationOptions['scheme']>;
  /** Frees the memory of the kernel after the run. A process that ends with its run need not call this function. */
  free(): void;
}

/**
 * Creates real signatures for a simulated run. The seed of the run determines the keys and signatures of all nodes.
 *
 * @param onNode called with the number of nodes that have signed so far; may throw to stop the function.
 * @throws errors of {@link loadKernel}.
 */
export async function insecureScheme(
  { nodes, seed }: Scenario,
  onNode: (signed: number) => void,
): Promise<InsecureScheme> {
  const bls = await loadKernel();
  const message = testMessage(seed);
  const publicKeys: Uint8Array[] = [];
  const signatures: Uint8Array[] = [];
  for (let id = 0; id < nodes; id++) {
    const secretKey = insecureSecretKey(bls, seed, id);
    publicKeys.push(bls.publicKey(secretKey));
    signatures.push(bls.sign(secretKey, message));
    onNode(id + 1);
    if (id % nodesPerYield === 0) await new Promise(setImmediate);
  }
  const round = bls.round(publicKeys, message);
  const verifier: SignatureVerifier = {
    verify: (first, bits, signature) => round.verify(first, bits, signature),
    verdicts: (claims) => roundVerdicts(round, claims),
  };
  return {
    scheme: (tree, stakes) => {
      const scheme = new MultiSignatureScheme({ tree, kernel: bls, verifier, stakes });
      return { scheme, individual: (id) => scheme.individual(id, signatures[id]!) };
    },
    free: () => round.free(),
  };
}
