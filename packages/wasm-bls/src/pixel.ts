export type { KeptPairing, PixelCurve, PixelGenerators } from './pixel/curve.ts';
export { loadPixel, type PixelOptions } from './pixel/load.ts';
export {
  MIN_PIXEL_SEED_BYTES,
  PIXEL_POSSESSION_BYTES,
  PIXEL_PUBLIC_KEY_BYTES,
  PIXEL_SIGNATURE_BYTES,
  PIXEL_SIGNATURE_POINT_BYTES,
  type Pixel,
  type PixelCommittee,
  type PixelDecoded,
  type PixelFault,
  type PixelKeyPair,
  signatureTime,
} from './pixel/pixel.ts';
export type { SecretKeyFault } from './pixel/secretKey.ts';
export { type StolenKeyReport, stolenKeyReport } from './pixel/stolenKey.ts';
export { type PixelSuiteName, suites } from './pixel/suite.ts';
export { DEPTH, heldPaths, LAST_TIME, pathTime, type TimePath, timePath } from './pixel/timeTree.ts';
