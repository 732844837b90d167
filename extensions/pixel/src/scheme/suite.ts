import type { PixelCurve } from './curve.ts';
import { earlyHashToG2 } from './earlyHash.ts';

/** Mapping of messages to points of G2, in which the suites differ. */
export interface PixelSuite {
  /** First byte of every encoding of the suite. */
  readonly byte: number;
  hashToG2(curve: PixelCurve, message: Uint8Array, purpose: 'generator' | 'possession'): Uint8Array;
}

/**
 * Parameters of each suite. The suite `reference` is the authors' own, byte for byte, for compatibility. The suite
 * `rfc9380` is this project's own, with the standard hash to curve and one domain per purpose; the authors have not
 * assigned its byte.
 */
export const suites = {
  reference: {
    byte: 0,
    hashToG2: (curve, message) => earlyHashToG2(curve, message, 0),
  },
  rfc9380: {
    byte: 0x54,
    hashToG2: (curve, message, purpose) =>
      curve.hashToG2(
        message,
        purpose === 'generator'
          ? 'TUTTI_PIXEL_GENERATOR_BLS12381G2_XMD:SHA-256_SSWU_RO_'
          : 'TUTTI_PIXEL_POSSESSION_BLS12381G2_XMD:SHA-256_SSWU_RO_',
      ),
  },
} as const satisfies Record<string, PixelSuite>;

/** Name of a suite. */
export type PixelSuiteName = keyof typeof suites;
