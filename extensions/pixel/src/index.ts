/**
 * Pixel's forward-secure multi-signatures: a key is updated from period to period, and a thief of the key cannot sign
 * for past periods. {@link loadPixel} loads them on the kernel or on noble-curves.
 *
 * @example
 * ```js
 * import { insecureSeed } from '@tutti/wasm-bls';
 * import { loadPixel } from '@tutti/pixel';
 *
 * const pixel = await loadPixel();
 * const { publicKey, secretKey } = pixel.keyGen(insecureSeed('signing', 1, 0));
 * const third = pixel.update(secretKey, 3, new Uint8Array(32).fill(2));
 * const message = new TextEncoder().encode('tutti');
 * const signature = pixel.sign(third, message);
 * const verdict = (period) => `period ${period}: ${pixel.verify(publicKey, period, message, signature)}`;
 * console.log([2, 3].map(verdict).join(', '));
 * ```
 *
 * ```text
 * period 2: false, period 3: true
 * ```
 *
 * @packageDocumentation
 */
export type { KeptPairing, PixelCurve, PixelGenerators } from './scheme/curve.ts';
export {
  type PixelDecoded,
  type PixelFault,
  type PixelKeyPair,
  pixelPossessionBytes,
  pixelPublicKeyBytes,
  pixelSignatureBytes,
  signatureTime,
} from './scheme/encodings.ts';
export { loadPixel, type PixelOptions } from './scheme/load.ts';
export { minPixelSeedBytes, type Pixel, type PixelCommittee } from './scheme/pixel.ts';
export type { SecretKeyFault } from './scheme/secretKey.ts';
export { type StolenKeyReport, stolenKeyReport } from './scheme/stolenKey.ts';
export { type PixelSuiteName, suites } from './scheme/suite.ts';
export { heldPaths, lastTime, pathTime, type TimePath, timePath } from './scheme/timeTree.ts';
