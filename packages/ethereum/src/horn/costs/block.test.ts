import { defaultHornParameters } from '@tutti/core/horn';
import { describe, expect, it } from 'vitest';
import { attestationBytes, blockBytes, dayBytes } from '../costs.ts';

describe("Horn, 'Beacon block size increase'", () => {
  it('an attestation is its data, its signature and one bit per validator', () => {
    expect(attestationBytes(512, defaultHornParameters)).toBe(128 + 96 + 64);
    expect(attestationBytes(513, defaultHornParameters)).toBe(128 + 96 + 65);
  });

  it('a block has 128 attestations today and 64 collections with Horn', () => {
    expect(blockBytes('status-quo', defaultHornParameters)).toBe(36_864);
    expect(blockBytes('horn', defaultHornParameters)).toBe(276_480);
  });

  it('a day has 7200 slots of 12 s', () => {
    expect(dayBytes(276_480, 12)).toBe(276_480 * 7200);
    expect(dayBytes(276_480, 22)).toBeCloseTo(1.0858e9, -5);
  });
});
