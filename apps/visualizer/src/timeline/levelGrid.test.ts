import { peerSet } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { recordedRun, upTo } from '../../test/recordedRun.ts';
import { columnTimeUs } from './contributionGrid.ts';
import { LevelPart, levelGrid, parts } from './levelGrid.ts';
import { checksAt, inLevelAt, nodeStory } from './nodeStory.ts';
import { nodeLines } from './runIndex.ts';

const columns = 16;

describe('levelGrid', () => {
  it.each([2, 13, 64, 100])(
    'counts the progress of each of %i nodes on each level, and the nodes that verify',
    (nodes) => {
      const recording = recordedRun({ nodes, dead: nodes > 12 ? 0.2 : 0, seed: nodes });
      const { alive, levels } = recording.world;
      const endUs = recording.timeUs.at(-1)!;
      const grid = levelGrid(recording, endUs, endUs, columns);
      const lines = nodeLines(recording);
      const live = upTo(nodes).filter((id) => alive[id] === 1);
      const stories = live.map((id) => nodeStory({ recording, lines }, id));
      for (const column of upTo(columns)) {
        const atUs = columnTimeUs(column, columns, endUs);
        for (const level of upTo(levels).map((below) => below + 1)) {
          const counts: number[] = Array(parts).fill(0);
          let checking = 0;
          for (const story of stories) {
            const { start, end } = peerSet(story.node, level, nodes);
            const peers = alive.subarray(start, end).filter((one) => one === 1).length;
            if (checksAt(story, atUs).some((line) => recording.level[line] === level)) checking++;
            if (peers === 0) continue;
            const { weight } = inLevelAt(story, level, atUs);
            const part = weight === 0 ? 'none' : weight === peers ? 'all' : weight * 2 >= peers ? 'most' : 'some';
            counts[LevelPart[part]]!++;
          }
          const at = (level - 1) * columns + column;
          expect([...grid.nodes.subarray(at * parts, (at + 1) * parts)]).toEqual(counts);
          expect(grid.checking[at]).toBe(checking);
        }
      }
    },
  );
});
