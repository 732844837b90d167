import { type BitfieldCoding, runLengthCoding, sparseCoding } from '@tutti/core/horn';
import { describe, expect, it } from 'vitest';
import { codedBytes, entropyBytes, meanCodedBytes, paysFromPercent, sentBytes } from '../bitfields.ts';

describe("Horn, 'Bandwidth overhead'", () => {
  it('a sender that compares lengths sends at most one byte more than the bitfield, for any coding', () => {
    expect(sentBytes(300, 32_768)).toBe(301);
    expect(sentBytes(4096, 32_768)).toBe(4097);
    expect(sentBytes(32_769, 32_768)).toBe(4097);
  });

  it('entropy is one bit per bit at one half, and zero at both ends', () => {
    expect(entropyBytes(800, 400)).toBe(100);
    expect(entropyBytes(800, 0)).toBe(0);
    expect(entropyBytes(800, 800)).toBe(0);
    expect(entropyBytes(32_768, 32_440)).toBeCloseTo(331.3, 0);
  });

  it.each([90, 95, 99])(
    'no coding of random bitfields is shorter than their entropy, at %i %; sparse is within 4 %',
    (percent) => {
      const entropy = entropyBytes(32_768, Math.round(327.68 * percent));
      expect(meanCodedBytes(runLengthCoding, 32_768, percent, 1)).toBeGreaterThan(entropy);
      const sparse = meanCodedBytes(sparseCoding, 32_768, percent, 1);
      // The entropy assumes independent votes. With a fixed number of votes it is a few bits less.
      expect(sparse).toBeGreaterThan(entropy - 2);
      expect(sparse).toBeLessThan(1.04 * entropy);
    },
  );

  it('coding is worthwhile from the participation at which its mean is shorter than the bitfield', () => {
    for (const coding of [runLengthCoding, sparseCoding]) {
      const from = paysFromPercent(coding, 4096, 3)!;
      expect(meanCodedBytes(coding, 4096, from, 3)).toBeLessThan(512);
      expect(meanCodedBytes(coding, 4096, from - 1, 3)).toBeGreaterThanOrEqual(512);
    }
  });

  it('a coding that only adds bytes is never worthwhile', () => {
    expect(paysFromPercent(padding, 64, 1)).toBeUndefined();
  });

  it('a coding that does not decode to its input is an error', () => {
    const forgetful: BitfieldCoding = { ...padding, decode: (_code, bits) => new Uint8Array(bits / 8) };
    expect(() => codedBytes(forgetful, Uint8Array.of(1), 8)).toThrow(/^padding: a bitfield of 8 bits does not decode/);
  });
});

const padding: BitfieldCoding = {
  name: 'padding',
  encode: (bitfield) => Uint8Array.of(...bitfield, 0),
  decode: (code) => code.subarray(0, -1),
  worstBytes: (bits) => bits / 8 + 1,
};
