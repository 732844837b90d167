import { type LoadOptions, loadOne, missing } from '../load.ts';
import type { G1Group } from './group.ts';

/**
 * Loads G1 on one library; the other one is not downloaded.
 *
 * @throws BlsLoadError as loadBls does.
 */
export function loadG1(options: LoadOptions = {}): Promise<G1Group> {
  return loadOne<G1Group>(options, {
    noble: async () => (await import('./nobleGroup.ts').catch(missing)).nobleG1,
    wasm: async () => (await import('./kernelGroup.ts').catch(missing)).loadKernelG1(),
  });
}
