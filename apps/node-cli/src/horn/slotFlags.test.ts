import { defaultSlotScenario, machineNames, machines } from '@tutti/ethereum';
import { defaultMachine } from '@tutti/ethereum/settings';
import { expect, it } from 'vitest';
import { machineCosts } from './slotFlags.ts';

it('is the default of a slot without flags', () => {
  const { verifyMs, additionNs, keySums } = defaultSlotScenario;
  expect(machineCosts({})).toEqual({ checkMs: verifyMs, verifyMs, additionNs, keySums });
  expect(machines[defaultMachine]).toMatchObject({ verifyMs, additionNs });
});

it('never combines checks of one machine with additions of another, unless both are given', () => {
  for (const machine of machineNames) {
    const { verifyMs, additionNs } = machines[machine];
    expect(machineCosts({ machine })).toMatchObject({ verifyMs, additionNs });
    const slower = machineCosts({ machine, verifyMs: 3 * verifyMs });
    expect(slower.verifyMs).toBeCloseTo(3 * verifyMs, 9);
    expect(slower.additionNs).toBeCloseTo(3 * additionNs, 6);
  }
  expect(machineCosts({ verifyMs: 4, additionNs: 364 })).toMatchObject({ verifyMs: 4, additionNs: 364 });
});

it('shares two pairings among the signatures of a batch', () => {
  const { verifyMs, claimMs } = machines['epyc-wasm'];
  for (const times of [1, 2]) {
    const batched = machineCosts({ machine: 'epyc-wasm', batch: 64, verifyMs: times * verifyMs });
    expect(batched.verifyMs).toBeCloseTo(times * (claimMs + (verifyMs - claimMs) / 64), 9);
    expect(batched.checkMs).toBe(times * verifyMs);
  }
});
