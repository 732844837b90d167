import { RandomStream } from '@tutti/core';
import { defaultHornParameters, globalTopicLoad } from '@tutti/core/horn';
import { describe, expect, it } from 'vitest';
import {
  bandwidthRatios,
  batchedAdditionMultiplications,
  batchedMs,
  hornMessageBytes,
  keySum,
  machines,
  mergeableAggregates,
  multiplicityBytes,
  multiplicitySumAdditions,
  succinctProofBytes,
  verificationUs,
} from './costs.ts';
import { additionsOf } from './sample/alternatives.ts';

it('has the message lengths of the tables with two signatures ("A strawman proposal")', () => {
  const lengthOf = (system: 'strawman' | 'horn') => {
    const { bytes, messages } = globalTopicLoad(system, defaultHornParameters, 2);
    return bytes / messages;
  };
  const bytes = { vote: 64 + 96, aggregate: lengthOf('strawman'), collection: lengthOf('horn') };
  expect(hornMessageBytes(defaultHornParameters)).toEqual(bytes);
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

it('a vote costs only its signature, and no message is free', () => {
  expect(verificationUs(1, 1, { verifyMs: 4, additionNs: 364, keySums: 'naive' })).toBe(4000);
  expect(verificationUs(512, 500, { verifyMs: 4, additionNs: 364, keySums: 'naive' })).toBe(4182);
  expect(verificationUs(1, 1, { verifyMs: 0, additionNs: 0, keySums: 'naive' })).toBe(1);
});

it.each([2, 3, 13, 512, 513, 32_768])('batched affine additions of %i points cost what their rounds cost', (points) => {
  let multiplications = 0;
  // A pair costs 3 multiplications, and 3 more for its part in the round's inversion.
  for (let left = points; left > 1; left = Math.ceil(left / 2)) multiplications += 6 * Math.floor(left / 2) + 460;
  expect(batchedAdditionMultiplications(points) * (points - 1)).toBeCloseTo(multiplications, 6);
});

it("compares the post's 2 MB of collections with blobs and calldata, and received bytes with 390 KB/s and 6 to 7 MB/s", () => {
  const { ofBlobs, ofCalldata, ofNoSubnets, ofAllSubnets } = bandwidthRatios(2_097_152, 12 * 390_000, 12_000);
  expect(ofBlobs).toBeCloseTo(2.67, 2);
  expect(ofCalldata).toBeCloseTo(1.12, 2);
  expect([ofNoSubnets, ...ofAllSubnets]).toEqual([1, 390 / 6000, 390 / 7000]);
});

it.each([0, 10, 50, 66, 95, 100])(
  "Horn, 'Verification time for collections': the key of a bitfield: at %i % costs an addition per present key, or per absent key if fewer",
  (percent) => {
    const present = 10 * percent;
    expect(keySum(1000, percent)).toEqual({ naive: present, subtracting: Math.min(present, 1000 - present) });
  },
);

it.each([
  ['i9-11980HK', 2.8],
  ['i7-8550U', 6.1],
  ['raspberry-pi-4', 36],
] as const)('%s adds keys in the %d s of Horn, and has as many additions per check as measured', (name, seconds) => {
  const [{ verifyMs, claimMs, additionNs }, native] = [machines[name], machines['epyc-native']];
  expect((additionNs * 512 * 32_768) / 1e9).toBeCloseTo(seconds, 3);
  expect(verifyMs / additionNs / (native.verifyMs / native.additionNs)).toBeCloseTo(1, 2);
  expect(claimMs / additionNs / (native.claimMs / native.additionNs)).toBeCloseTo(1, 1);
});

it('shares two pairings among the signatures of a batch', () => {
  const times = [1, 2, 36].map((batch) => batchedMs({ verifyMs: 4, claimMs: 0.4 }, batch));
  expect(times).toEqual([4, 2.2, 0.5].map((ms) => expect.closeTo(ms, 12)));
  for (const machine of Object.values(machines)) expect(batchedMs(machine, 1)).toBe(machine.verifyMs);
});

describe("Horn, 'Aggregation with four-bit integer vectors'", () => {
  it('needs four bits per validator, for up to 15 aggregates', () => {
    expect([multiplicityBytes(32_768, 4), multiplicityBytes(3, 4)]).toEqual([16_384, 2]);
    expect([mergeableAggregates(4), mergeableAggregates(1)]).toEqual([15, 1]);
  });

  it.each([1, 2, 3, 4])('with %i bits, a sum takes the maximum of additions, except those to an empty sum', (bits) => {
    const random = new RandomStream(bits, 'multiplicities');
    const multiplicities = Uint8Array.from({ length: 500 }, () => 1 + random.nextBelow(2 ** bits - 1));
    const saved = multiplicitySumAdditions(500, bits) - additionsOf(multiplicities, 500).plain;
    expect(saved).toBe(new Set(multiplicities).size);
  });
});
