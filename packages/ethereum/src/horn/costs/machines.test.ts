import { describe, expect, it } from 'vitest';
import { batchedMs, type Machine, machineNames, machines } from '../costs.ts';

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
