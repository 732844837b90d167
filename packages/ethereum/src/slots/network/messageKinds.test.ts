import { expect, it } from 'vitest';
import {
  aggregateAndProofBytes,
  attestationBytes,
  singleAttestationBytes,
  snappyBitfieldBytes,
} from './messageKinds.ts';

it('wire bytes are a little fewer than SSZ has: a SingleAttestation 240, before it 229 and its bitfield', () => {
  expect(singleAttestationBytes).toBe(229);
  expect(attestationBytes(512, 1)).toBeLessThanOrEqual(229 + 65 + 2);
  expect(attestationBytes(512, 1)).toBeGreaterThan(229);
});

it('wire bytes of an aggregate include three signatures', () => {
  expect(aggregateAndProofBytes(512, 512, 0)).toBeGreaterThan(3 * 96);
  expect(aggregateAndProofBytes(512, 256, 0)).toBeLessThan(3 * 96 + 128 + 8 + 12 + 67);
});

it('wire bytes of a full bitfield compress to a few copies, of a half-full one not at all', () => {
  expect(snappyBitfieldBytes(32_768, 32_768)).toBeLessThan(220);
  expect(snappyBitfieldBytes(32_768, 16_384)).toBe(4101);
});
