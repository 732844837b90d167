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
  pixelSignaturePointBytes,
  signatureTime,
} from './pixel/pixel.ts';
export type { SecretKeyFault } from './pixel/secretKey.ts';
export { type StolenKeyReport, stolenKeyReport } from './pixel/stolenKey.ts';
export { type PixelSuiteName, suites } from './pixel/suite.ts';
export { heldPaths, lastTime, pathTime, type TimePath, timePath, timeTreeDepth } from './pixel/timeTree.ts';
