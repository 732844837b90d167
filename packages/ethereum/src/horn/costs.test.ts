import { RandomStream } from '@tutti/core';
import { bitAt, defaultHornParameters, globalTopicLoad } from '@tutti/core/horn';
import { describe, expect, it } from 'vitest';
import { randomBitfield } from './bitfields.ts';
import {
  bandwidthMarks,
  bandwidthRatios,
  batchedAdditionMultiplications,
  batchedMs,
  hornMessageBytes,
  keySum,
  type Machine,
  machineNames,
  machines,
  mergeableAggregates,
  multiplicityBytes,
  multiplicitySumAdditions,
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

/**
 * Counts the multiplications for adding `points` points pair by pair in rounds. A pair costs 3 multiplications, and 3
 * more for its part in the round's inversion.
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
});

it("bandwidthMarks: the post's 2 MB of collections are about the maximum of blobs and calldata, and its minimum is 390 KB/s", () => {
  const { ofBlobs, ofCalldata } = bandwidthRatios(2_097_152, 0, 12_000);
  expect(ofBlobs).toBeCloseTo(2.67, 2);
  expect(ofCalldata).toBeCloseTo(1.12, 2);
  expect(bandwidthMarks.noSubnetsBytesPerSecond).toBe(390_000);
});

describe("Horn, 'Verification time for collections': the key of a bitfield", () => {
  it.each([0, 10, 50, 66, 95, 100])('at %i % costs the counted additions of a sum', (percent) => {
    const members = 1000;
    const bitfield = randomBitfield(members, (members * percent) / 100, new RandomStream(1, 'keys'));
    let present = 0;
    for (let member = 0; member < members; member++) present += bitAt(bitfield, member);
    const { naive, subtracting } = keySum(members, percent);
    expect(naive).toBe(present);
    expect(subtracting).toBe(Math.min(present, members - present));
  });

  it('costs half of the largest sum at most, a twentieth at 95 % and a hundredth at 99 %', () => {
    const worst = Math.max(...Array.from({ length: 101 }, (_, percent) => keySum(32_768, percent).subtracting));
    expect(32_768 / worst).toBe(2);
    expect(32_768 / keySum(32_768, 95).subtracting).toBeCloseTo(20, 10);
    expect(32_768 / keySum(32_768, 99).subtracting).toBeCloseTo(100, 10);
  });
});

const all: [name: string, machine: Machine][] = Object.entries(machines);

describe.each(all)('%s', (_, { verifyMs, claimMs, additionNs, origin }) => {
  it('has a complete set of costs', () => {
    expect(verifyMs).toBeGreaterThan(claimMs);
    expect(claimMs).toBeGreaterThan(0);
    expect(additionNs).toBeGreaterThan(0);
  });

  it('has as many additions per check as other machines, if only its addition was measured', () => {
    const { native } = { native: machines['epyc-native'] };
    if (origin === 'derived') expect(verifyMs / additionNs / (native.verifyMs / native.additionNs)).toBeCloseTo(1, 2);
    else expect(verifyMs / additionNs / (native.verifyMs / native.additionNs)).toBeGreaterThan(0.5);
  });
});

it('adds keys at the speed of the post\'s machines (Horn: "Verification time for collections")', () => {
  expect(machineNames).toHaveLength(5);
  for (const [name, seconds] of [
    ['i9-11980HK', 2.8],
    ['i7-8550U', 6.1],
    ['raspberry-pi-4', 36],
  ] as const)
    expect((machines[name].additionNs * 512 * 32_768) / 1e9).toBeCloseTo(seconds, 3);
});

it('shares two pairings among the signatures of a batch', () => {
  expect(batchedMs({ verifyMs: 4, claimMs: 0.4 }, 1)).toBe(4);
  expect(batchedMs({ verifyMs: 4, claimMs: 0.4 }, 2)).toBeCloseTo(2.2, 12);
  expect(batchedMs({ verifyMs: 4, claimMs: 0.4 }, 36)).toBeCloseTo(0.5, 12);
});

/**
 * Sums keys multiplied by their multiplicities with buckets, using integers in place of points. Counts all additions
 * except additions to zero.
 */
function sumByBuckets(keys: readonly number[], multiplicities: readonly number[], bits: number) {
  const buckets = new Array<number>(2 ** bits).fill(0);
  keys.forEach((key, index) => {
    buckets[multiplicities[index]!]! += key;
  });
  const highest = 2 ** bits - 1;
  let running = buckets[highest]!;
  let sum = running;
  let additions = keys.length;
  for (let bucket = highest - 1; bucket > 0; bucket--) {
    running += buckets[bucket]!;
    sum += running;
    additions += 2;
  }
  return { sum, additions };
}

describe("Horn, 'Aggregation with four-bit integer vectors'", () => {
  it('needs four bits per validator, for up to 15 aggregates', () => {
    expect(multiplicityBytes(32_768, 4)).toBe(16_384);
    expect(multiplicityBytes(3, 4)).toBe(2);
    expect(mergeableAggregates(4)).toBe(15);
    expect(mergeableAggregates(1)).toBe(1);
  });

  it.each([1, 2, 4, 6])('with %i bits sums keys times multiplicities in the counted additions', (bits) => {
    const random = new RandomStream(bits, 'multiplicities');
    const keys = Array.from({ length: 500 }, () => random.nextBelow(1000));
    const multiplicities = keys.map(() => random.nextBelow(2 ** bits));
    const { sum, additions } = sumByBuckets(keys, multiplicities, bits);
    expect(sum).toBe(keys.reduce((total, key, index) => total + key * multiplicities[index]!, 0));
    expect(multiplicitySumAdditions(keys.length, bits)).toBe(additions);
  });
});
