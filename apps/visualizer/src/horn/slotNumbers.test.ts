import { defaultHornParameters } from '@tutti/core/horn';
import { createSlot, defaultSlotScenario } from '@tutti/ethereum';
import { expect, it } from 'vitest';
import { csvText } from '../state/tableFile.ts';
import { slotIndex } from './slotIndex.ts';
import { chartNumbers, fieldNumbers, lanesNumbers } from './slotNumbers.ts';

const slot = createSlot(
  {
    ...defaultSlotScenario,
    parameters: { ...defaultHornParameters, validators: 512, committees: 2, subcommittees: 4 },
  },
  { observers: 8 },
);
while (slot.advance(1));
const index = slotIndex(slot.recording());
const { votes } = index.result;

it('has every subcommittee, whose votes sum to the total', () => {
  const lines = [...fieldNumbers(index, index.clock.endUs)].slice(1);
  expect(lines).toHaveLength(8);
  expect(lines.map(([committee, within]) => `${committee}.${within}`).slice(3, 6)).toEqual(['0.3', '1.0', '1.1']);
  const sum = (column: number) => lines.reduce((all, line) => all + Number(line[column]), 0);
  expect([sum(3), sum(5)]).toEqual([votes.cast, votes.inReach]);
});

it('has the slot over time, with systems in adjacent columns', () => {
  for (const lines of [[...chartNumbers(index)], [...lanesNumbers([index])]]) {
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
    expect(csvText(lines)).not.toMatch(/undefined|NaN/);
    expect(Math.max(...lines.slice(1).map((line) => Number(line.at(lines[0]!.indexOf('in_reach')))))).toBe(
      votes.inReach,
    );
  }
});
