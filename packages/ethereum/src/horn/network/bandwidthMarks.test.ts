import { expect, it } from 'vitest';
import { bandwidthMarks, bandwidthRatios } from './bandwidthMarks.ts';

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
