import { defaultSlotScenario, machineNames, machines } from '@tutti/ethereum';
import { defaultMachine } from '@tutti/ethereum/settings';
import { expect, it } from 'vitest';
import { checkMsOf, machineCosts } from './slotFlags.ts';

it('is the default of a slot without flags', () => {
  const { verifyMs, additionNs, keySums } = defaultSlotScenario;
  expect(machineCosts({})).toEqual({ verifyMs, additionNs, keySums });
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
    const flags = { machine: 'epyc-wasm', batch: 64, verifyMs: times * verifyMs } as const;
    expect(machineCosts(flags).verifyMs).toBeCloseTo(times * (claimMs + (verifyMs - claimMs) / 64), 9);
    expect(checkMsOf(flags)).toBe(times * verifyMs);
  }
});
