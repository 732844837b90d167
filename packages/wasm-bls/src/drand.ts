/**
 * Rounds of drand, the League of Entropy's randomness beacon, verified: those of quicknet, which signs in G1 (min-sig),
 * and of the older default chain, which signs in G2.
 *
 * @example
 * ```js
 * import { loadBls } from '@tutti/wasm-bls';
 * import { drandChains, drandSchemes, readDrandBeacon, verifyDrandBeacon } from '@tutti/wasm-bls/drand';
 *
 * const { quicknet } = drandChains;
 * const bls = await loadBls({ variant: drandSchemes[quicknet.scheme].variant });
 * const beacon = readDrandBeacon({
 *   round: 1000,
 *   signature: 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
 * });
 * console.log(verifyDrandBeacon(bls, quicknet, beacon));
 * ```
 *
 * ```text
 * valid
 * ```
 *
 * @packageDocumentation
 */
export {
  type DrandBeacon,
  DrandError,
  type DrandVerdict,
  drandMessage,
  readDrandBeacon,
  readDrandChain,
  verifyDrandBeacon,
} from './drand/beacon.ts';
export { type DrandChain, type DrandScheme, drandChains, drandSchemes } from './drand/chains.ts';
