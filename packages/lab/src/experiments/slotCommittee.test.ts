import { defaultHornParameters, scaledHornParameters } from '@tutti/core/horn';
import { defaultSlotScenario } from '@tutti/ethereum';
import { describe, expect, it } from 'vitest';
import { committeeScenario, runCommittee } from './slotCommittee.ts';

const slot = { ...defaultSlotScenario, parameters: scaledHornParameters(512, defaultHornParameters) };

describe('Handel on a committee of a slot', () => {
  it('has the committee’s validators as nodes, the slot’s network and machine, and the keys that a check sums', () => {
    const scenario = committeeScenario(slot);
    expect(scenario).toMatchObject({ protocol: 'handel', nodes: 512, network: 'aws', seed: 1, attacks: [] });
    expect(scenario.cpu.spread).toBe(1);
    // 512 / 9 keys at 364 ns each take 0.0207 ms.
    expect(scenario.verifyMs).toBeCloseTo(1.091 + 0.0207, 3);
  });

  it('begins at the time of the votes, and each node goes from half of the threshold to the threshold', () => {
    const run = runCommittee(slot, { stepUs: 100_000, steps: 220 });
    expect([run.live, run.reached]).toEqual([512, 512]);
    expect(run.doneMs).toBeGreaterThan(4000);
    expect(run.doneMs).toBeLessThan(5000);
    const [cast, half, all] = run.steps.counts;
    expect([cast![39], cast![40]]).toEqual([0, 512]);
    expect(half![40]).toBe(0);
    expect(all![Math.ceil(run.doneMs / 100)]).toBe(512);
    expect(half!.every((nodes, step) => nodes >= all![step]!)).toBe(true);
  });

  it('casts each vote with the delay of the node’s clock', () => {
    const [cast] = runCommittee({ ...slot, desyncMs: 500 }, { stepUs: 100_000, steps: 220, maxNodes: 64 }).steps.counts;
    expect(cast![41]).toBeLessThan(64);
    expect(cast![45]).toBe(64);
  });

  it('requires the same share of its nodes if the threshold is a number of votes of the slot', () => {
    const { validators } = slot.parameters;
    expect(committeeScenario({ ...slot, threshold: validators / 2 }).threshold).toBe(256);
  });

  it('refuses invalid steps before the simulation', () => {
    expect(() => runCommittee(slot, { stepUs: 0, steps: 220 })).toThrow('options.stepUs: expected ');
    expect(() => runCommittee(slot, { stepUs: 1, steps: 255 })).toThrow('options.steps: expected ');
  });

  it('refuses a number of nodes that has no equal groups', () => {
    const run = () => runCommittee(slot, { stepUs: 100_000, steps: 220, maxNodes: 100 });
    expect(run).toThrow('nodes of the committee: expected a multiple of 64, got 100');
  });

  it('counts honest nodes only, up to the requested number', () => {
    const eve = { ...slot, attacks: [{ name: 'griefing', share: 0.25 }] };
    const run = runCommittee(eve, { stepUs: 100_000, steps: 220, maxNodes: 256 });
    expect(run.scenario.attacks).toEqual([{ name: 'invalid', share: 0.25 }]);
    expect([run.live, run.reached]).toEqual([192, 192]);
    expect(run.steps.counts[2]!.at(-1)).toBe(192);
  });
});
