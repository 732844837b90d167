import { peerSet } from '@tutti/core';
import { expect, it } from 'vitest';
import { recordedRun, upTo } from '../../test/recordedRun.ts';
import { columnAt, columnTimeUs, contributionGrid, LevelPart, levelGrid, parts } from './grids.ts';
import { heldAt, heldSteps } from './heldSteps.ts';
import { checksAt, inLevelAt, nodeStory } from './nodeStory.ts';
import { nodeLines } from './runIndex.ts';

const columns = 40;
const meanOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);

it.each([1, 2, 13, 33, 100, 1500])('each column of the grid has the contributions of %i nodes at its time', (nodes) => {
  const [rows, perRow] = nodes > 1024 ? [188, 8] : [nodes, 1];
  const recording = recordedRun({ nodes, dead: nodes > 12 ? 0.2 : 0, seed: 2 });
  const endUs = recording.timeUs.at(-1)!;
  const columns = nodes > 1000 ? 12 : 40;
  const grid = contributionGrid(recording, endUs, endUs, columns);
  expect([grid.rows, grid.perRow, grid.known]).toEqual([rows, perRow, columns]);
  const steps = heldSteps(recording);
  const live = upTo(nodes).filter((id) => recording.world.role[id] === 1);
  for (const column of upTo(columns)) {
    const held = live.map((id) => heldAt(steps, id, columnTimeUs(column, columns, endUs)));
    expect([grid.min[column], grid.max[column]]).toEqual([Math.min(...held), Math.max(...held)]);
    expect(grid.mean[column]).toBeCloseTo(meanOf(held), 9);
    for (const row of upTo(rows)) {
      const here = held.filter((_, at) => Math.floor(live[at]! / perRow) === row);
      expect(grid.held[row * columns + column]).toBeCloseTo(meanOf(here), 3);
    }
  }
});

it('the grid leaves the columns after the known part of a running run empty', () => {
  const grid = contributionGrid(recordedRun({ nodes: 16 }), 100_000, 400_000, columns);
  expect(grid.known).toBe(10);
  expect(grid.held.subarray(10, 40).every((held) => held === 0)).toBe(true);
});

it('the column of a time is the last one whose end the time has reached', () => {
  for (const column of upTo(columns)) {
    const endsUs = columnTimeUs(column, columns, 400_000);
    expect(columnAt(endsUs, columns, 400_000)).toBe(column);
    expect(columnAt(endsUs - 1, columns, 400_000)).toBe(column - 1);
  }
});

const levelColumns = 16;

it.each([2, 13, 64, 100])('a grid counts the progress of %i nodes on each level, and those that verify', (nodes) => {
  const recording = recordedRun({ nodes, dead: nodes > 12 ? 0.2 : 0, seed: nodes });
  const { role: roles, levels } = recording.world;
  const endUs = recording.timeUs.at(-1)!;
  const grid = levelGrid(recording, endUs, endUs, levelColumns);
  const lines = nodeLines(recording);
  const live = upTo(nodes).filter((id) => roles[id] === 1);
  const stories = live.map((id) => nodeStory({ recording, lines }, id));
  for (const column of upTo(levelColumns)) {
    const atUs = columnTimeUs(column, levelColumns, endUs);
    for (const level of upTo(levels).map((below) => below + 1)) {
      const counts: number[] = Array(parts).fill(0);
      let checking = 0;
      for (const story of stories) {
        const { start, end } = peerSet(story.node, level, nodes);
        const peers = roles.subarray(start, end).filter((one) => one === 1).length;
        if (checksAt(story, atUs).some((line) => recording.level[line] === level)) checking++;
        if (peers === 0) continue;
        const { weight } = inLevelAt(story, level, atUs);
        const part = weight === 0 ? 'none' : weight === peers ? 'all' : weight * 2 >= peers ? 'most' : 'some';
        counts[LevelPart[part]]!++;
      }
      const at = (level - 1) * levelColumns + column;
      expect([...grid.nodes.subarray(at * parts, (at + 1) * parts)]).toEqual(counts);
      expect(grid.checking[at]).toBe(checking);
    }
  }
});
