/**
 * Pixel's forward-secure multi-signatures: a key is updated from period to period, and whoever steals it cannot sign
 * for one that is past. {@link loadPixel} loads them on the kernel or on noble-curves.
 *
 * @example
 * ```js
 * import { insecureSeed } from '@tutti/wasm-bls';
 * import { loadPixel } from '@tutti/wasm-bls/pixel';
 *
 * const pixel = await loadPixel();
 * const { publicKey, secretKey } = pixel.keyGen(insecureSeed('signing', 1, 0));
 * const third = pixel.update(secretKey, 3, new Uint8Array(32).fill(2));
 * const message = new TextEncoder().encode('tutti');
 * const signature = pixel.sign(third, message);
 * console.log([2, 3].map((period) => `period ${period}: ${pixel.verify(publicKey, period, message, signature)}`).join(', '));
 * ```
 *
 * ```text
 * period 2: false, period 3: true
 * ```
 *
 * @packageDocumentation
 */
export type { KeptPairing, PixelCurve, PixelGenerators } from './pixel/curve.ts';
export { loadPixel, type PixelOptions } from './pixel/load.ts';
export {
  minPixelSeedBytes,
  type Pixel,
  type PixelCommittee,
  type PixelDecoded,
  type PixelFault,
  type PixelKeyPair,
  pixelPossessionBytes,
  pixelPublicKeyBytes,
  pixelSignatureBytes,
  signatureTime,
} from './pixel/pixel.ts';
export type { SecretKeyFault } from './pixel/secretKey.ts';
export { type StolenKeyReport, stolenKeyReport } from './pixel/stolenKey.ts';
export { type PixelSuiteName, suites } from './pixel/suite.ts';
export { heldPaths, lastTime, pathTime, type TimePath, timePath } from './pixel/timeTree.ts';
