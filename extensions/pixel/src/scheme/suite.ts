import type { PixelCurve } from './curve.ts';
import { earlyHashToG2 } from './earlyHash.ts';

/** How messages become points of G2, which is all that suites differ in. */
export interface PixelSuite {
  /** The first byte of everything that is encoded under it. */
  readonly byte: number;
  hashToG2(curve: PixelCurve, message: Uint8Array, purpose: 'generator' | 'possession'): Uint8Array;
}

/**
 * `reference`: the authors' own, byte for byte, for those who speak with it. `rfc9380`: of this project, with the
 * standard's hash to curve and a domain for each purpose; its byte is one that the authors have not given out.
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

export type PixelSuiteName = keyof typeof suites;
