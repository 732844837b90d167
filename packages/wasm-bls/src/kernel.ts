/**
 * Kernel parts for other schemes on BLS12-381: the group G1 on either library, the choice of a library, and the
 * argument checks used by this package's schemes. `@tutti/wasm-bls/kernel/blst` and `@tutti/wasm-bls/kernel/noble` each
 * contain the parts for one library. Applications do not need these modules.
 *
 * @example
 * ```js
 * import { compressed, loadG1 } from '@tutti/wasm-bls/kernel';
 *
 * const group = await loadG1();
 * const [message, domain] = ['tutti', 'an example'].map((text) => new TextEncoder().encode(text));
 * const point = group.hash(message, domain);
 * const twice = group.combine(point, [2n]);
 * console.log(`${point.length} bytes, ${compressed(twice).length} compressed`);
 * ```
 *
 * ```text
 * 96 bytes, 48 compressed
 * ```
 *
 * @packageDocumentation
 */
import type { G1Group } from './group.ts';
import { type Engine, importFailed, type LoadOptions, loadOne } from './load.ts';

export {
  joinBytes,
  misuse,
  ownBytes,
  requireBytes,
  requireBytesList,
  requireDomain,
  requireIndex,
  requireKnownFields,
  requireLength,
  requireList,
  requireMethods,
  requireObject,
  requireSome,
  shown,
  shownName,
  uint32Bytes,
} from './arguments.ts';
export { type Arithmetic, arithmetics } from './arithmetic.ts';
export { compressed, type G1Group, infinities, slicePoints } from './group.ts';
export type { Decoded, PointFault } from './points.ts';
export {
  type BlsRound,
  type ContributionClaim,
  drawCoefficients,
  type ReadClaims,
  requireClaim,
  requireClaims,
  requireRange,
} from './round.ts';
export { publicKeyBytes, publicKeyPointBytes, secretKeyBytes } from './suite.ts';
export { type Engine, importFailed, type LoadOptions, loadOne };

/**
 * Loads G1 on one library, without downloading the other.
 *
 * @throws TypeError or BlsLoadError as loadBls does.
 */
export function loadG1(options: LoadOptions = {}): Promise<G1Group> {
  return loadOne<G1Group>(options, {
    noble: async () => (await import('./nobleKernel.ts').catch(importFailed)).nobleG1,
    wasm: async () =>
      (await import('./blstKernel.ts').catch(importFailed)).loadKernelG1(options.arithmetic, options.source),
  });
}
