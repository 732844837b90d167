/**
 * Points, sums and contributions on noble-curves for other schemes on BLS12-381.
 *
 * @example
 * ```js
 * import { compressG1, G1 } from '@tutti/wasm-bls/kernel/noble';
 *
 * console.log(compressG1(G1.BASE).length);
 * ```
 *
 * ```text
 * 48
 * ```
 *
 * @packageDocumentation
 */
export { decoded } from './nobleEncoding.ts';
export { claimedKeys, combine, keyOf, type Lines, lines } from './nobleGroups.ts';
export {
  compressG1,
  compressG2,
  type Fp2Element,
  G1,
  type G1Point,
  G2,
  type G2Point,
  readG1,
  readG2,
  readTrustedG1,
  readTrustedG2,
  readUncompressedG1,
  readUncompressedG2,
  serializeG1,
  serializeG2,
} from './noblePoints.ts';
