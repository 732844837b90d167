import { defaultHornParameters } from '@tutti/core/horn';
import { expect, it } from 'vitest';
import { recordSlot, votesOverTime } from '../../test/slots.ts';
import type { SlotRecording } from './slotResult.ts';
import { defaultSlotScenario, type SlotScenario } from './slotScenario.ts';
import { neverStep, slotSteps, voteStages } from './slotSteps.ts';

function recorded(scenario: Partial<SlotScenario>): SlotRecording {
  const parameters = { ...defaultHornParameters, validators: 512, committees: 2, subcommittees: 4 };
  return recordSlot({ ...defaultSlotScenario, parameters, ...scenario }, { observers: 8 });
}

it('a slot in steps equals the counts of the recording at every step', () => {
  const recording = recorded({ dead: 0.1, desyncMs: 400 });
  const { counts } = slotSteps(recording, 100_000, 220);
  for (const [stage, times] of [recording.castUs, recording.seenUs, recording.reachUs].entries()) {
    const committees = [0, 1].map((which) => votesOverTime(recording, times, which, 100_000, 22_000_000));
    const all = Array.from(committees[0]!, (count, step) => count + committees[1]![step]!);
    expect(counts[stage]!.slice(1), voteStages[stage]).toEqual(all);
  }
});

it.each([
  [0, 220, /^stepUs: expected/],
  [Number.NaN, 220, /^stepUs: expected/],
  [1000, neverStep, /^steps: expected an integer from 1 to 254/],
])('refuses steps of %d µs, %d of them', (stepUs, steps, line) => {
  expect(() => slotSteps(recorded({}), stepUs, steps)).toThrow(line);
});

it("counts the block's votes without Byzantine ones", () => {
  const recording = recorded({ attacks: [{ name: 'griefing', share: 0.3 }], seed: 3 });
  const { counts } = slotSteps(recording, 100_000, 220);
  const { votes } = recording.result;
  expect(votes.inReach).toBeLessThan(votes.cast);
  expect([counts[0]!.at(-1), counts[2]!.at(-1)]).toEqual([votes.cast, votes.inReach]);
});

it('gives each quarter of a subcommittee the first step by whose end its votes had arrived', () => {
  const recording = recorded({ dead: 0.2 });
  const { subcommittee, castUs, reachUs } = recording;
  const { quarters } = slotSteps(recording, 50_000, 250);
  for (let group = 0; group < castUs.length / subcommittee; group++) {
    const within = (column: Int32Array) => [...column.subarray(group * subcommittee, (group + 1) * subcommittee)];
    const voters = within(castUs).filter((us) => us !== -1).length;
    const sorted = within(reachUs)
      .filter((us) => us !== -1)
      .sort((a, b) => a - b);
    for (let quarter = 0; quarter < 4; quarter++) {
      const us = sorted[Math.ceil(((quarter + 1) * voters) / 4) - 1];
      const step = us === undefined || us > 250 * 50_000 ? neverStep : Math.ceil(us / 50_000);
      expect(quarters[(group * 3 + 2) * 4 + quarter]).toBe(step);
    }
  }
});
