import { describe, expect, it } from 'vitest';
import { blockMergeMs, leanProfileNames, leanProfiles, proofBytes, proveMs, readProfile } from './profile.ts';

const good = leanProfiles['lean-2026-09']!;

const withTimes = (times: object) => ({ ...good, times: { ...good.times, ...times } });

it.each(leanProfileNames)('readProfile accepts %s from a file', (name) => {
  expect(readProfile(JSON.parse(JSON.stringify(leanProfiles[name])))).toEqual(leanProfiles[name]);
});

it.each([
  [[], 'profile: expected an object, got an array of 0'],
  [{ ...good, subnet: 4 }, /^profile: expected no fields but name, .*, got "subnet" \(Did you mean subnets\?\)$/],
  [{ ...good, cores: 0 }, 'cores: expected an integer from 1 to 1024, got 0'],
  [
    { ...good, prover: { ...good.prover, floorMs: '300' } },
    'prover.floorMs: expected a number from 0 to 1000000, got "300"',
  ],
  // The number of intervals in a slot and the slot's length determine the size of lists.
  [withTimes({ slotMs: 1e308 }), 'times.slotMs: expected a number from 1 to 1000000, got 1e+308'],
  [withTimes({ intervalMs: 5e-324 }), 'times.intervalMs: expected a number from 1 to 1000000, got 5e-324'],
  [{ ...good, subnets: 9, validators: 8 }, 'subnets: expected at most validators, 8, got 9'],
  [withTimes({ knownMs: 100 }), 'times.knownMs: expected at least times.safeTargetMs, 2400, got 100'],
  [withTimes({ latestAttestMs: 0 }), /^times.latestAttestMs: expected at least times.attestMs/],
  [
    { ...good, limits: { ...good.limits, proverChildren: 1 } },
    'limits.proverChildren: expected an integer from 2 to 1000000, got 1',
  ],
  [{ ...good, block: undefined }, 'block: expected an object with fixedMs, perMessageMs, got undefined'],
])('readProfile refuses %j in one line', (value, message) => expect(() => readProfile(value)).toThrow(message));

function expectWithin(share: number, ours: number, published: number): void {
  expect(Math.abs(ours / published - 1)).toBeLessThanOrEqual(share);
}

describe('costs equal those that others have published', () => {
  // leanBench of 2026-06-18, runs 13-25-10Z, 13-26-29Z, 12-01-22Z, and of 2026-06-12; EIP-8292@f767a1e8.
  it.each([
    ['lean-2026-09', 16, 125, 0, 0.3],
    ['lean-2026-09', 16, 250, 0, 0.575],
    ['lean-2026-09', 16, 500, 0, 1.13],
    ['lean-2026-09', 16, 1000, 0, 2.32],
    ['lean-2026-09', 16, 0, 2, 0.76],
    ['lean-2026-09', 16, 0, 4, 1.48],
    ['lean-2026-09', 16, 0, 8, 2.7],
    ['lean-2026-09', 8, 250, 0, 0.88],
    ['lean-2026-09', 8, 500, 0, 1.72],
    ['lean-2026-09', 8, 0, 2, 1.04],
    ['lean-2026-09', 2, 250, 0, 2.14],
    ['lean-2026-09', 2, 500, 0, 4.28],
    ['lean-2026-09', 2, 0, 2, 2.42],
    ['lean-2026-06', 16, 250, 0, 1.96],
    ['lean-2026-06', 16, 500, 0, 3.9],
    ['lean-2026-06', 16, 1000, 0, 7.87],
    ['lean-2026-06', 16, 0, 2, 0.89],
    ['eip-8292', 2, 1000, 0, 11],
    ['eip-8292', 8, 1000, 0, 3.7],
    ['eip-8292', 16, 1000, 0, 2.6],
  ])('%s on %i cores needs for %i votes and %i proofs %d s, within 10 %%', (name, cores, votes, children, seconds) =>
    expectWithin(0.1, proveMs(leanProfiles[name]!.prover, votes, children, cores) / 1000, seconds),
  );

  // Source: leanBench of 2026-06-18, run 13-25-10Z.
  it.each([
    [125, 0, 188],
    [250, 0, 196],
    [500, 0, 208],
    [1000, 0, 229],
    [0, 2, 196],
    [0, 4, 208],
    [0, 8, 224],
  ])('a proof of %i votes and %i proofs has %i KiB, within 3 %%', (votes, children, kib) =>
    expectWithin(0.03, proofBytes(good.proof, votes, children) / 1024, kib),
  );

  // Source: gean#442.
  it.each([
    [1, 1.5],
    [2, 2.9],
    [3, 3.8],
    [5, 5.7],
    [9, 11.3],
  ])('the merge of a block of %i messages takes %d s, within 12 %%', (messages, seconds) =>
    expectWithin(0.12, blockMergeMs(good.block, messages) / 1000, seconds),
  );
});
