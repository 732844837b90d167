import { describe, expect, it } from 'vitest';
import { blockMergeMs, proofBytes, proveMs } from './costs.ts';
import { readProfile } from './profile.ts';
import { leanProfileNames, leanProfiles } from './profiles.ts';

const { prover, proof, block } = leanProfiles['lean-2026-09']!;

describe('the prover against leanBench, 2026-06-18, within 10 %', () => {
  // [cores, raw votes, children, seconds]: results 13-25-10Z, 13-26-29Z and 12-01-22Z.
  const measured = [
    [16, 125, 0, 0.3],
    [16, 250, 0, 0.575],
    [16, 500, 0, 1.13],
    [16, 1000, 0, 2.32],
    [16, 0, 2, 0.76],
    [16, 0, 4, 1.48],
    [16, 0, 8, 2.7],
    [8, 250, 0, 0.88],
    [8, 500, 0, 1.72],
    [8, 0, 2, 1.04],
    [2, 250, 0, 2.14],
    [2, 500, 0, 4.28],
    [2, 0, 2, 2.42],
  ] as const;
  it.each(measured)('%i cores, %i votes, %i children: %f s', (cores, votes, children, seconds) => {
    expect(Math.abs(proveMs(prover, votes, children, cores) / 1000 / seconds - 1)).toBeLessThan(0.1);
  });

  it('the leanSig circuit, 2026-06-12, and EIP-8292 have their own', () => {
    const june = leanProfiles['lean-2026-06']!.prover;
    for (const [votes, children, seconds] of [
      [250, 0, 1.96],
      [500, 0, 3.9],
      [1000, 0, 7.87],
      [0, 2, 0.89],
    ] as const) {
      expect(Math.abs(proveMs(june, votes, children, 16) / 1000 / seconds - 1)).toBeLessThan(0.1);
    }
    const eip = leanProfiles['eip-8292']!.prover;
    for (const [cores, seconds] of [
      [2, 11],
      [8, 3.7],
      [16, 2.6],
    ] as const) {
      expect(Math.abs(proveMs(eip, 1000, 0, cores) / 1000 / seconds - 1)).toBeLessThan(0.1);
    }
  });

  it('sizes, KiB, within 3 %, and the merge of a block, gean#442, within 18 %', () => {
    for (const [votes, children, kib] of [
      [125, 0, 188],
      [250, 0, 196],
      [500, 0, 208],
      [1000, 0, 229],
      [0, 2, 196],
      [0, 4, 208],
      [0, 8, 224],
    ] as const) {
      expect(Math.abs(proofBytes(proof, votes, children) / 1024 / kib - 1)).toBeLessThan(0.03);
    }
    for (const [messages, seconds] of [
      [1, 1.5],
      [2, 2.9],
      [3, 3.8],
      [5, 5.7],
      [9, 11.3],
    ] as const) {
      expect(Math.abs(blockMergeMs(block, messages) / 1000 / seconds - 1)).toBeLessThan(0.12);
    }
  });
});

describe('readProfile', () => {
  it.each(leanProfileNames)('takes %s as its file would have it', (name) => {
    expect(readProfile(JSON.parse(JSON.stringify(leanProfiles[name])))).toEqual(leanProfiles[name]);
  });

  const good = leanProfiles['lean-2026-09']!;
  it.each([
    [[], 'profile: expected an object, got an array of 0'],
    [{ ...good, subnet: 4 }, /^profile: expected no fields but name, .*, got "subnet"$/],
    [{ ...good, cores: 0 }, 'cores: expected an integer from 1 to 1024, got 0'],
    [
      { ...good, prover: { ...good.prover, floorMs: '300' } },
      'prover.floorMs: expected a number, 0 or more, got "300"',
    ],
    [{ ...good, subnets: 9, validators: 8 }, 'subnets: expected at most validators, 8, got 9'],
    [
      { ...good, times: { ...good.times, knownMs: 100 } },
      'times.knownMs: expected at least times.safeTargetMs, 2400, got 100',
    ],
    [{ ...good, block: undefined }, 'block: expected an object with fixedMs, perMessageMs, got undefined'],
  ])('refuses %j in a line', (value, message) => {
    expect(() => readProfile(value)).toThrow(message);
  });
});
