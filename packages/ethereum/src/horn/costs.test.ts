import { defaultHornParameters, globalTopicLoad } from '@tutti/core/horn';
import { describe, expect, it } from 'vitest';
import {
  attestationBytes,
  bandwidthMarks,
  bandwidthRatios,
  batchedAdditionMultiplications,
  blockBytes,
  dayBytes,
  hornMessageBytes,
  keysUs,
  mixedAdditionMultiplications,
  succinctProofBytes,
  verificationUs,
} from './costs.ts';

it('has the message lengths of the tables with two signatures ("A strawman proposal")', () => {
  const bytes = hornMessageBytes(defaultHornParameters);
  expect(bytes).toEqual({ vote: 64 + 96, aggregate: 64 + 192, collection: 4096 + 192 });
  for (const [system, length] of [
    ['strawman', bytes.aggregate],
    ['horn', bytes.collection],
  ] as const) {
    const load = globalTopicLoad(system, defaultHornParameters, 2);
    expect(load.messages * length).toBe(load.bytes);
  }
});

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

it("Horn, 'Aggregation using SNARKs': a proof has the key, two commitments, two points per halving, fifteen counts and two scalars", () => {
  expect(succinctProofBytes(32_768, defaultHornParameters)).toBe(1708);
  for (const keys of [1, 2, 3, 512, 513]) {
    let rounds = 0;
    for (let left = keys; left > 1; left = Math.ceil(left / 2)) rounds++;
    expect(succinctProofBytes(keys, defaultHornParameters)).toBe((3 + 2 * rounds) * 48 + 15 * 4 + 2 * 32);
  }
  expect(succinctProofBytes(2, { ...defaultHornParameters, multiplicityBits: 2 })).toBe(5 * 48 + 3 * 4 + 2 * 32);
});

it('512 full collections are summed in the 6.1 s of the post\'s i7-8550U, and in no time from the total ("Verification time for collections")', () => {
  expect((512 * keysUs(32_768, 32_768, 'naive', 364)) / 1e6).toBeCloseTo(6.1, 1);
  expect(keysUs(32_768, 32_768, 'subtracting', 364)).toBe(0);
  expect(keysUs(32_768, 16_384, 'subtracting', 364)).toBe(keysUs(32_768, 16_384, 'naive', 364));
});

it('a vote costs only its signature, and no message is free', () => {
  expect(verificationUs(1, 1, { verifyMs: 4, additionNs: 364, keySums: 'naive' })).toBe(4000);
  expect(verificationUs(512, 500, { verifyMs: 4, additionNs: 364, keySums: 'naive' })).toBe(4182);
  expect(verificationUs(1, 1, { verifyMs: 0, additionNs: 0, keySums: 'naive' })).toBe(1);
});

/**
 * Counts multiplications while adding `points` points pair by pair in rounds. A pair takes 3 multiplications, and 3 for
 * its part in the round's inversion.
 */
function counted(points: number, inversion: number): number {
  let multiplications = 0;
  for (let left = points; left > 1; left = Math.ceil(left / 2)) multiplications += 6 * Math.floor(left / 2) + inversion;
  return multiplications;
}

describe('batched affine additions', () => {
  it.each([2, 3, 13, 512, 513, 32_768])('of %i points cost the counted additions round by round', (points) => {
    expect(batchedAdditionMultiplications(points) * (points - 1)).toBeCloseTo(counted(points, 460), 6);
  });

  it('save time for a committee, and not for a few points, because of the inversion', () => {
    expect(batchedAdditionMultiplications(32_768)).toBeLessThan(0.6 * mixedAdditionMultiplications);
    expect(batchedAdditionMultiplications(16)).toBeGreaterThan(mixedAdditionMultiplications);
  });
});

it("bandwidthMarks: the post's 2 MB of collections are about the maximum of blobs and calldata, and its minimum is 390 KB/s", () => {
  const { ofBlobs, ofCalldata } = bandwidthRatios(2_097_152, 0, 12_000);
  expect(ofBlobs).toBeCloseTo(2.67, 2);
  expect(ofCalldata).toBeCloseTo(1.12, 2);
  expect(bandwidthMarks.noSubnetsBytesPerSecond).toBe(390_000);
});

it('bandwidthRatios(globalBytes, receivedBytes, slotMs) compares a second of the slot with a second of 2023', () => {
  const { ofNoSubnets, ofAllSubnets } = bandwidthRatios(0, 12 * 390_000, 12_000);
  expect(ofNoSubnets).toBe(1);
  expect(ofAllSubnets).toEqual([0.065, 390 / 7000]);
});
