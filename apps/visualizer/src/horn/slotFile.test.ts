import { readFileSync } from 'node:fs';
import { hornSystems } from '@tutti/core/horn';
import { neverStep } from '@tutti/ethereum';
import { describe, expect, it } from 'vitest';
import {
  committeeRunWords,
  eveWords,
  handelChapter,
  laneTitle,
  laneWords,
  slotSizeWords,
  threeChapters,
} from './laneText.ts';
import { countsAt, quartersAt, readSlotFile, type SlotLane } from './slotFile.ts';
import { firstSlotState, sameSlot } from './slotState.ts';

const stored = JSON.parse(readFileSync(new URL('./slots.json', import.meta.url), 'utf8'));
const { lanes, committee: run } = readSlotFile(stored);
const committee = { ...run, validators: run.scenario.nodes };

describe('the slots of the page (npm run data -- slots writes them again)', () => {
  it('are the slot of a first visit, with each system', () => {
    expect(lanes.map(({ result }) => result.scenario.system)).toEqual(hornSystems);
    for (const { result } of lanes) expect(sameSlot(result.scenario, firstSlotState.scenario)).toBe(true);
  });

  it.each(lanes)('count the votes of the result, in quarters and in total, $result.scenario.system', (lane) => {
    const { result, steps } = lane;
    const [cast, , reach] = countsAt(steps, result.slotEndMs * 1000);
    expect([cast, reach]).toEqual([result.votes.cast, result.votes.inReach]);
    const groups = steps.quarters.length / 12;
    const size = steps.counts[0]!.at(-1)! / groups;
    for (const step of [0, 45, 100, 120, 130, 220]) {
      for (const stage of [0, 1, 2]) {
        let full = 0;
        let begun = 0;
        for (let group = 0; group < groups; group++) {
          const passed = quartersAt(steps, group, stage, step);
          full += (passed * size) / 4;
          begun += (Math.min(4, passed + 1) * size) / 4;
        }
        const counted = steps.counts[stage]![step]!;
        expect(full).toBeLessThanOrEqual(counted);
        expect(begun).toBeGreaterThanOrEqual(counted);
      }
    }
  });

  it('refuses a file that lacks a system', () => {
    expect(() => readSlotFile({ ...stored, lanes: stored.lanes.slice(1) })).toThrow(/expected a slot of status-quo/);
  });
});

it('quartersAt counts up to the first quarter that has not arrived', () => {
  const steps = { stepUs: 1, counts: [], quarters: Uint8Array.of(1, 2, 5, neverStep, 0, 0, 0, 0, 9, 9, 9, 9) };
  expect([0, 1, 4, 5, 254].map((step) => quartersAt(steps, 0, 0, step))).toEqual([0, 1, 2, 3, 3]);
});

describe('the text about the three systems', () => {
  const [statusQuo, strawman, horn] = lanes as [SlotLane, SlotLane, SlotLane];
  const onTime = ({ result, steps }: SlotLane) => {
    const votes = { ...result.votes, inReach: result.votes.cast };
    return { steps, result: { ...result, votes } };
  };

  it.each([
    [0, 12, '100', 'verified by the proposer in 12', '32,768 of 32,768 votes'],
    [1, 22, '78', '99\u00a0% now', 'of them too late for its block.'],
    [2, 12, '0', 'verified by the proposer; block at 22', '0 of 1,048,576 votes; aggregators have verified all votes.'],
    [2, 22, '100', 'verified by the proposer in 22', 'the proposer has verified 1,048,576 of'],
  ])('system %i after %i s has a share of %s percent', (system, atS, share, block, now) => {
    const words = laneWords(lanes[system]!, atS * 1e6);
    expect(words.share).toBe(`${share}\u00a0%`);
    expect(words.block).toContain(block);
    expect(words.now).toContain(now);
  });

  it('states for Handel the finishing time of the last node of a committee of that slot, and the simulated part', () => {
    expect(committee).toMatchObject({ live: 32_768, reached: 32_768 });
    expect(laneWords(committee, 12e6).now).toContain('32,768 of 32,768 nodes hold 99\u00a0% of the votes.');
    expect(laneWords(committee, 4e6).now).toContain(', 0 of 32,768');
    expect(handelChapter(committee).timeUs / 1e6).toBeCloseTo(committee.doneMs / 1000, 3);
    const attacks = [{ name: 'invalid' as const, share: 0.3 }];
    const part = { ...committee, scenario: { ...run.scenario, nodes: 2048, attacks }, live: 1434, reached: 1434 };
    expect(laneTitle(part)).toBe('Handel on 2,048 nodes');
    expect(laneWords(part, 12e6).block).toContain('of 1,434 honest nodes hold 99\u00a0%; last: ');
    expect(laneWords({ ...part, reached: 0 }, 12e6).block).not.toContain('last');
    const size = 'only 2,048 of the committee’s 32,768 validators run Handel.';
    for (const words of [committeeRunWords(horn.result, part), eveWords(lanes, part), handelChapter(part).text])
      expect(words).toContain(size);
  });

  it('states which votes Eve excludes from each block, and which are late', () => {
    const lost = { ...horn.result.votes.lost, outweighed: 300_000 };
    const scenario = { ...horn.result.scenario, attacks: [{ name: 'griefing', share: 0.3 }] };
    const votes = { ...horn.result.votes, cast: 700_000, inReach: 400_000, lost };
    const hers = { ...horn, result: { ...horn.result, scenario, votes } };
    const late = eveWords([statusQuo, strawman, hers], undefined);
    expect(late).toMatch(
      /In the strawman, the next proposer lacks 2[23]\d,\d{3} of 1,048,576 honest votes \(22\u00a0%\)/,
    );
    expect(late).toContain('She keeps 300,000 of 700,000 honest votes (43\u00a0%) out of Horn’s block.');
    const punctual = eveWords([statusQuo, onTime(strawman), hers], undefined);
    expect(punctual).toContain('she excludes no vote, because every honest aggregate reaches the proposer in time.');
    expect(eveWords(lanes, committee)).toMatch(/^Without Eve.* all 32,768 nodes hold .* at 4\.\d\d\u00a0s\.$/);
  });

  it('states the size of the slot, and whether the strawman is late', () => {
    expect(slotSizeWords(lanes, 2 ** 20)).toMatch(/delivers 78\u00a0% .* Horn delivers 100\u00a0%\.$/);
    expect(slotSizeWords(lanes, 2 ** 21)).toContain('only 1,048,576');
    expect(slotSizeWords([statusQuo, onTime(strawman), horn], 2 ** 20)).toContain('also delivers all votes in time');
  });

  it('has a chapter per round, in order, up to the last block', () => {
    expect(threeChapters(lanes).map(({ timeUs }) => timeUs / 1e6)).toEqual([0, 4, 8, 12, 22]);
    const scenario = { ...horn.result.scenario, attacks: [{ name: 'worthless', share: 0.05 }] };
    const lost = { ...horn.result.votes.lost, outweighed: 1 };
    const because = (votes: typeof horn.result.votes) =>
      threeChapters([statusQuo, strawman, { ...horn, result: { ...horn.result, scenario, votes } }]).at(-1)!.text;
    expect(because(horn.result.votes), 'Eve excludes no vote').not.toContain('because Eve');
    expect(because({ ...horn.result.votes, lost })).toContain('because Eve has 5\u00a0% of the validators');
  });
});
